import type { Job } from "@atelier/schemas";
import { mayChange } from "../../../session.ts";

/** Whether the session may cancel a job, and the job can be cancelled: not while its only image is being made. */
export function isCancellable(job: Pick<Job, "key" | "status" | "renders_total">): boolean {
  if (!mayChange(job)) return false;
  return job.status === "pending" || (job.status === "processing" && job.renders_total > 1);
}
