/** The images of a completed job could not be downloaded or written; `cause` has the reason. */
export class NotSavedError extends Error {
  override readonly name = "NotSavedError";
  readonly jobId: string;

  constructor(jobId: string, cause: unknown) {
    super(`The images of job ${jobId} could not be saved.`, { cause });
    this.jobId = jobId;
  }
}
