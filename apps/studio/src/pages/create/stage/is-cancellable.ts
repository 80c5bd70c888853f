import type { Job } from "@atelier/schemas";

/** Whether a job can be cancelled: not while its only image is being made. */
export function isCancellable(job: Pick<Job, "status" | "renders_total">): boolean {
  return job.status === "pending" || (job.status === "processing" && job.renders_total > 1);
}
