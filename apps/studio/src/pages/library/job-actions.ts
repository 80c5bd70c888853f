import type { Job } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { messageOf, send, sendJson } from "../../api.ts";
import { accountQuery, jobQuery, queryClient } from "../../data/queries.ts";
import { showToast } from "../../ui/toast.tsx";
import { fileName } from "./file-name.ts";
import { titleOf } from "./images-of-job.ts";
import { updateJob } from "./library-query.ts";

/** Deletes the images of a final job. */
export async function deleteImages(id: string): Promise<void> {
  takeOver(await sendJson<Job>("DELETE", `/v1/jobs/${id}/images`));
}

/** Cancels a job that is not final. A story finishes the image in progress first. */
export async function cancelJob(id: string): Promise<void> {
  takeOver(await sendJson<Job>("DELETE", `/v1/jobs/${id}`));
  void queryClient.invalidateQueries(accountQuery);
}

function takeOver(job: Job): void {
  queryClient.setQueryData(jobQuery(job.id).queryKey, job);
  const { request: _request, ...listed } = job;
  updateJob(listed);
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
}

/** Saves a ZIP of all images of a job. A link cannot request it: the session needs a header. */
export function useArchive(job: Job) {
  return useMutation({
    mutationFn: async () => {
      const response = await send("GET", `/v1/jobs/${job.id}/archive`);
      const prompt = job.request["prompt"];
      const title = titleOf({ ...job, prompt: typeof prompt === "string" ? prompt : null });
      save(await response.blob(), fileName(title, { jobId: job.id, extension: "zip" }));
    },
    onError: (error) => showToast(messageOf(error)),
  });
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
