import type { Job } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { call, messageOf } from "../api.ts";
import { jobQuery, queryClient } from "../data/queries.ts";
import { texts } from "../texts/pictures.ts";
import { showToast } from "../ui/toast.tsx";

/** Whether the images of a job are kept until they are deleted. */
export function isKeptForever({ keep }: Pick<Job, "keep">): boolean {
  return keep !== null && keep.status !== "refused";
}

/** Keeps the images of a job, or ends that. */
export function useKeeping(job: Pick<Job, "id" | "keep">, onJob: (job: Job) => void): () => void {
  const isKept = isKeptForever(job);
  const { mutate } = useMutation({
    mutationFn: () => call(`${isKept ? "DELETE" : "POST"} /v1/jobs/{id}/keep`, { id: job.id }),
    onSuccess: (changed) => {
      queryClient.setQueryData(jobQuery(changed.id).queryKey, changed);
      onJob(changed);
      showToast(isKept ? texts.pictures.notKept : texts.pictures.kept);
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return () => mutate();
}
