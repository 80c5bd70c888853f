import type { Job } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { ApiError, call, messageOf, request } from "../../api.ts";
import { accountQuery, isFinal, jobQuery, queryClient } from "../../data/queries.ts";
import { sessionSignal } from "../../data/session-signal.ts";
import { saveFile } from "../../data/save-file.ts";
import { mayChange } from "../../session.ts";
import { showToast } from "../../ui/toast.tsx";
import { fileName } from "./file-name.ts";
import { titleOf, toListed } from "./images-of-job.ts";
import { updateJob } from "./library-query.ts";
import { runningQuery, stoppingQuery, updateRunning } from "./running-query.ts";

/**
 * Cancels a job that is not final. A job of several images finishes the image in progress first.
 *
 * @returns whether the job is now cancelled.
 */
export async function cancelJob(id: string): Promise<boolean> {
  const job = await call("DELETE /v1/jobs/{id}", { id });
  if (!isFinal(job)) queryClient.setQueryData(stoppingQuery(id).queryKey, true);
  takeOver(job);
  void queryClient.invalidateQueries(accountQuery);
  return isFinal(job);
}

/** The outcome of cancelling several jobs. */
export interface Cancellations {
  readonly cancelled: number;
  /** Jobs that finish their image in progress first. */
  readonly stopping: number;
  /** Jobs that can no longer be cancelled. */
  readonly left: number;
}

/**
 * Cancels all jobs that are not final and that the session may change, also those that were not listed yet, one after another.
 *
 * @throws ApiError when a request fails, and the reason of the session's signal when the session ends; the jobs
 *   after it were not cancelled then.
 */
export async function cancelAll(): Promise<Cancellations> {
  const counts = { cancelled: 0, stopping: 0, left: 0 };
  const tried = new Set<string>();
  const signal = sessionSignal();
  for (;;) {
    signal.throwIfAborted();
    const { jobs } = await queryClient.fetchQuery({ ...runningQuery, staleTime: 0 });
    const next = jobs.filter((job) => mayChange(job) && !tried.has(job.id));
    if (next.length === 0) return counts;
    for (const { id } of next) {
      signal.throwIfAborted();
      tried.add(id);
      counts[await tryToCancel(id)] += 1;
    }
  }
}

async function tryToCancel(id: string): Promise<keyof Cancellations> {
  try {
    return (await cancelJob(id)) ? "cancelled" : "stopping";
  } catch (error) {
    if (error instanceof ApiError && error.code === "job_not_cancellable") return "left";
    throw error;
  }
}

/** Shows a changed job in all lists. */
export function takeOver(job: Job): void {
  queryClient.setQueryData(jobQuery(job.id).queryKey, job);
  const listed = toListed(job);
  updateJob(listed);
  updateRunning(listed);
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
}

/** Saves a ZIP of all images of a job. A link cannot request it: the session needs a header. */
export function useArchive(job: Job) {
  return useMutation({
    mutationFn: async () => {
      const response = await request("GET /v1/jobs/{id}/archive", { id: job.id });
      const name = fileName(titleOf(toListed(job)), { jobId: job.id, extension: "zip" });
      saveFile(name, await response.blob());
    },
    onError: (error) => showToast(messageOf(error)),
  });
}
