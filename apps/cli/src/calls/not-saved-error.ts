/** The images of a job were made and paid for, and could not be fetched or written; `cause` says why. */
export class NotSavedError extends Error {
  override readonly name = "NotSavedError";
  readonly jobId: string;

  constructor(jobId: string, cause: unknown) {
    super(`The images of job ${jobId} could not be saved.`, { cause });
    this.jobId = jobId;
  }
}
