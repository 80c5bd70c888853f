import type { Job } from "@atelier/schemas";
import { call } from "../api.ts";
import { jobQuery, queryClient } from "../data/queries.ts";

/** Deletes the images of a final job. */
export async function deleteImages(id: string): Promise<Job> {
  const job = await call("DELETE /v1/jobs/{id}/images", { id });
  queryClient.setQueryData(jobQuery(id).queryKey, job);
  return job;
}
