import type { Job } from "@atelier/schemas";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call, messageOf } from "../api.ts";
import { jobQuery, queryClient } from "../data/queries.ts";
import { texts } from "../texts/pictures.ts";
import { showToast } from "../ui/toast.tsx";

/** Whether the images of a job are kept until they are deleted. */
export function isKeptForever({ keep }: Pick<Job, "keep">): boolean {
  return keep !== null && keep.status !== "refused";
}

/** Reads the kept bytes of the account and their quota. Needs the scope `read`. */
export const keptQuery = queryOptions({
  queryKey: ["kept"],
  queryFn: ({ signal }) => call("GET /v1/kept", { query: { limit: 1 }, signal }),
});

/** Keeps the images of a job until they are deleted, or ends that. */
export async function changeKeeping(id: string, isKept: boolean): Promise<Job> {
  const job = await call(`${isKept ? "POST" : "DELETE"} /v1/jobs/{id}/keep`, { id });
  queryClient.setQueryData(jobQuery(id).queryKey, job);
  return job;
}

/** Keeps the images of a job, or ends that. */
export function useKeeping(job: Pick<Job, "id" | "keep">, onJob: (job: Job) => void): () => void {
  const isKept = isKeptForever(job);
  const { mutate } = useMutation({
    mutationFn: () => changeKeeping(job.id, !isKept),
    onSuccess: (changed) => {
      onJob(changed);
      void queryClient.invalidateQueries(keptQuery);
      showToast(isKept ? texts.pictures.notKept : texts.pictures.kept);
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return () => mutate();
}
