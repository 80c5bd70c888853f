import { pathSegment } from "./addresses.ts";
import type { Api } from "./api.ts";
import { AtelierError, ConflictError, errorOfJob } from "./errors.ts";
import type { CallOptions, WaitOptions } from "./options.ts";
import { pause } from "./pause.ts";
import { isWorthRepeating } from "./transport.ts";
import type { Generation, Job, JobList, JobQuery } from "./types.ts";

/** A job that is done. */
export type CompletedJob = Job & { readonly status: "completed"; readonly result: Generation };

export interface Jobs {
  get(jobId: string, options?: CallOptions): Promise<Job>;
  /** A page of the account's jobs, newest first. */
  list(query?: JobQuery, options?: CallOptions): Promise<JobList>;
  /**
   * Cancels a job, which costs nothing then. A story whose images are being made is cancelled when
   * they are done: it is still `processing` in the answer.
   *
   * @throws ConflictError `job_not_cancellable` when its only image is being made or the job is final.
   */
  cancel(jobId: string, options?: CallOptions): Promise<Job>;
  /**
   * Waits until a job is completed, however long that takes; a signal sets a limit. A job goes on
   * whether anybody waits for it or not, and also while the service cannot be reached, for some minutes.
   *
   * @throws the error that the job failed with; ConflictError `job_cancelled`; what kept it from
   *   looking. All of them name the job.
   */
  wait(jobId: string, options?: WaitOptions): Promise<CompletedJob>;
}

/** An image takes a second, a story minutes: look often at first, then every two seconds. */
const firstIntervalMs = 200;
const longestIntervalMs = 2_000;

/** Looks in a row that come to nothing, each of which was repeated a few times already. */
const maxFailedLooks = 30;

export function createJobs(api: Api): Jobs {
  const path = (jobId: string) => `/v1/jobs/${pathSegment("jobId", jobId)}`;

  const get: Jobs["get"] = async (jobId, options) => api.getJson<Job>(path(jobId), options);

  return {
    get,
    list(query = {}, options) {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) {
        if (value !== undefined) parameters.set(name, String(value));
      }
      return api.getJson<JobList>(`/v1/jobs?${parameters.toString()}`, options);
    },
    async cancel(jobId, options) {
      try {
        return await api.deleteJson<Job>(path(jobId), options);
      } catch (error) {
        // It is so already: an earlier try may have done it, and only its answer was lost.
        const job = error instanceof ConflictError ? await get(jobId, options) : null;
        if (job?.status === "cancelled") return job;
        throw error;
      }
    },
    async wait(jobId, { signal, onProgress } = {}) {
      let seen = "";
      let failedLooks = 0;
      for (let intervalMs = firstIntervalMs; ; intervalMs *= 1.5) {
        const job = await get(jobId, { signal }).catch((error: unknown) => {
          failedLooks += 1;
          if (!(error instanceof AtelierError)) throw error;
          if (isWorthRepeating(error) && failedLooks <= maxFailedLooks) return null;
          throw Object.assign(error, { jobId });
        });
        if (job === null) {
          await pause(longestIntervalMs, signal);
          continue;
        }
        failedLooks = 0;
        const state = `${job.status} ${job.scenes_completed ?? ""}`;
        if (state !== seen) onProgress?.(job);
        seen = state;
        if (isCompleted(job)) return job;
        if (job.error !== null) throw errorOfJob(jobId, job.error);
        if (job.status === "cancelled") {
          throw new ConflictError("job_cancelled", "The job was cancelled. Nothing was charged.", {
            jobId,
          });
        }
        await pause(Math.min(intervalMs, longestIntervalMs), signal);
      }
    },
  };
}

function isCompleted(job: Job): job is CompletedJob {
  return job.status === "completed" && job.result !== null;
}
