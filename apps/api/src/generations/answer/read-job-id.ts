import { jobNotFound } from "@atelier/generations/endings";
import { jobId } from "@atelier/schemas";

/**
 * Parses the job id of a request.
 *
 * @throws AppError `job_not_found` when it is not a UUID.
 */
export function readJobId(text: unknown): string {
  const parsed = jobId.safeParse(text);
  if (!parsed.success) throw jobNotFound();
  return parsed.data;
}
