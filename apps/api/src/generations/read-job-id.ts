import { jobNotFound } from "@atelier/generations";
import { jobId } from "@atelier/schemas";

/**
 * The id of a job as a client wrote it.
 *
 * @throws AppError `job_not_found`: what is not a UUID is not the id of any job.
 */
export function readJobId(text: unknown): string {
  const parsed = jobId.safeParse(text);
  if (!parsed.success) throw jobNotFound();
  return parsed.data;
}
