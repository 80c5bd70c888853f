import type { Api } from "./api.ts";
import { readBytes } from "./download-image.ts";
import { AtelierError, ConflictError, createJobError } from "./errors.ts";
import type { CallOptions, WaitOptions } from "./options.ts";
import { pause } from "./pause.ts";
import { isRetryable } from "./transport.ts";
import type {
  ChangeJobRequest,
  Generation,
  Job,
  JobList,
  JobQuery,
  KeptList,
  KeptQuery,
  WebhookDeliveryList,
} from "./types.ts";
import { watchJob, type JobEvent } from "./watch-job.ts";

/** A completed job. */
export type CompletedJob = Job & { readonly status: "completed"; readonly result: Generation };

export interface Jobs {
  /**
   * Reads a job, with new signed URLs.
   *
   * @param options.waitSeconds sends the response when the job is final, or after this many seconds, up to the
   *   server's limit. Default: at once.
   *
   * @example
   * ```ts
   * const { status, result } = await atelier.jobs.get(jobId, { waitSeconds: 30 });
   * console.log(status, result?.image_url);
   * ```
   */
  get(
    jobId: string,
    options?: CallOptions & { readonly waitSeconds?: number | undefined },
  ): Promise<Job>;
  /**
   * Returns a page of the account's jobs, newest first.
   *
   * @example
   * ```ts
   * const { jobs, next_cursor } = await atelier.jobs.list({ status: "completed", limit: 10 });
   * console.log(jobs.length, next_cursor);
   * ```
   */
  list(query?: JobQuery, options?: CallOptions): Promise<JobList>;
  /**
   * Changes the title, the star and the book of a job, which are the account's own. Omitted properties stay
   * unchanged.
   *
   * @throws ConflictError `too_many_items`, or `job_redacted` after the texts of the job were removed.
   *
   * @example
   * ```ts
   * const { title, starred } = await atelier.jobs.update(jobId, { title: "Fox", starred: true });
   * console.log(title, starred);
   * ```
   */
  update(jobId: string, change: ChangeJobRequest, options?: CallOptions): Promise<Job>;
  /**
   * Cancels a job without charge. A story with images in progress is returned as `processing`, and
   * cancelled when they are done.
   *
   * @throws ConflictError `job_not_cancellable` if its only image is being made or the job is final.
   *
   * @example
   * ```ts
   * const { status } = await atelier.jobs.cancel(jobId);
   * console.log(status === "cancelled" ? "cancelled" : "ends with its images in progress");
   * ```
   */
  cancel(jobId: string, options?: CallOptions): Promise<Job>;
  /**
   * Downloads the images of a completed job as a ZIP, or those of up to 500 jobs, of at most 2 GB.
   *
   * @param options.format the format of the images. Default: `png`.
   *
   * @example
   * ```ts
   * await writeFile("story.zip", await atelier.jobs.archive(jobId, { format: "webp" }));
   * ```
   */
  archive(
    jobId: string | readonly string[],
    options?: CallOptions & { readonly format?: "png" | "jpeg" | "webp" | undefined },
  ): Promise<Uint8Array>;
  /**
   * Deletes the images of a final job before their retention is over; its hashes stay.
   *
   * @example
   * ```ts
   * await atelier.jobs.deleteImages(jobId);
   * ```
   */
  deleteImages(jobId: string, options?: CallOptions): Promise<Job>;
  /**
   * Keeps the images of a job until they are deleted, within the quota of the account. Those of an
   * unfinished job are kept when it is completed.
   *
   * @throws ConflictError `keep_quota_exceeded`, with the largest kept jobs in its details.
   *
   * @example
   * ```ts
   * const { keep } = await atelier.jobs.keep(jobId);
   * console.log(keep?.status, keep?.size_bytes);
   * ```
   */
  keep(jobId: string, options?: CallOptions): Promise<Job>;
  /**
   * Stops keeping the images of a job: they follow the retention of the account again.
   *
   * @example
   * ```ts
   * await atelier.jobs.release(jobId);
   * ```
   */
  release(jobId: string, options?: CallOptions): Promise<Job>;
  /**
   * Returns a page of the jobs that the account keeps, the newest first, with their sizes and the quota.
   *
   * @example
   * ```ts
   * const { used_bytes, quota_bytes, kept } = await atelier.jobs.listKept();
   * console.log(used_bytes, quota_bytes, kept.length);
   * ```
   */
  listKept(query?: KeptQuery, options?: CallOptions): Promise<KeptList>;
  /**
   * Returns a page of the deliveries to the `webhook_url` of a job, newest first.
   *
   * @example
   * ```ts
   * const { deliveries } = await atelier.jobs.deliveries(jobId);
   * console.log(deliveries.map(({ type, status, error }) => [type, status, error]));
   * ```
   */
  deliveries(
    jobId: string,
    query?: {
      /** 1 to 100. Default: 20. */
      readonly limit?: number;
      /** `next_cursor` of the previous page. Default: the first page. */
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<WebhookDeliveryList>;
  /**
   * Waits until a job is completed, without a time limit other than the signal. Waiting continues
   * through outages of the service of some minutes.
   *
   * @throws the error of the failed job, ConflictError `job_cancelled`, or the error of the last read.
   *   All of them have the `jobId`.
   *
   * @example
   * ```ts
   * const { result } = await atelier.jobs.wait(jobId, { signal: AbortSignal.timeout(60_000) });
   * console.log(result.cost_eur);
   * ```
   */
  wait(jobId: string, options?: WaitOptions): Promise<CompletedJob>;
  /**
   * Follows a job until it is final: over server-sent events, and by polling while no stream can be
   * opened. Does not throw when the job fails.
   *
   * @example
   * ```ts
   * for await (const { type, job } of atelier.jobs.watch(jobId)) {
   *   console.log(type, job.renders_completed, job.renders_total);
   * }
   * ```
   */
  watch(jobId: string, options?: CallOptions): AsyncGenerator<JobEvent, void, undefined>;
}

/** Polling interval: short at first, for images that take a second; later every two seconds. */
const firstIntervalMs = 200;
const longestIntervalMs = 2_000;

/** Maximum number of consecutive failed reads; each includes its own retries. */
const maxFailedReads = 30;

export function createJobs(api: Api): Jobs {
  const { call } = api;
  const get: Jobs["get"] = (jobId, { waitSeconds, signal } = {}) =>
    call("GET /v1/jobs/{id}", {
      params: { jobId },
      signal,
      ...(waitSeconds !== undefined && { headers: { Prefer: `wait=${waitSeconds}` } }),
    });

  return {
    get,
    list({ metadata = {}, ...filters } = {}, options) {
      const pairs = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]);
      const query = { ...filters, ...Object.fromEntries(pairs) };
      return call("GET /v1/jobs", { query, ...options });
    },
    update: (jobId, body, options) =>
      call("PATCH /v1/jobs/{id}", { params: { jobId }, body, ...options }),
    async cancel(jobId, options) {
      try {
        return await call("DELETE /v1/jobs/{id}", { params: { jobId }, ...options });
      } catch (error) {
        // The job is cancelled already if an earlier attempt succeeded and its response was lost.
        const job = error instanceof ConflictError ? await get(jobId, options) : null;
        if (job?.status === "cancelled") return job;
        throw error;
      }
    },
    archive: (jobId, { format = "png", signal } = {}) =>
      typeof jobId === "string"
        ? api.send("GET /v1/jobs/{id}/archive", readBytes, {
            params: { jobId },
            query: { format },
            signal,
          })
        : api.send("POST /v1/jobs/archive", readBytes, {
            body: { job_ids: jobId, format },
            signal,
          }),
    deleteImages: (jobId, options) =>
      call("DELETE /v1/jobs/{id}/images", { params: { jobId }, ...options }),
    keep: (jobId, options) => call("POST /v1/jobs/{id}/keep", { params: { jobId }, ...options }),
    release: (jobId, options) =>
      call("DELETE /v1/jobs/{id}/keep", { params: { jobId }, ...options }),
    listKept: (query, options) => call("GET /v1/kept", { query, ...options }),
    deliveries: (jobId, query, options) =>
      call("GET /v1/jobs/{id}/deliveries", { params: { jobId }, query, ...options }),
    watch: (jobId, options) => watchJob(api, jobId, options),
    async wait(jobId, { signal, onProgress } = {}) {
      let reported = "";
      let failedReads = 0;
      for (let intervalMs = firstIntervalMs; ; intervalMs *= 1.5) {
        const job = await get(jobId, { signal }).catch((error: unknown) => {
          failedReads += 1;
          if (!(error instanceof AtelierError)) throw error;
          if (isRetryable(error) && failedReads <= maxFailedReads) return null;
          throw Object.assign(error, { jobId });
        });
        if (job === null) {
          await pause(longestIntervalMs, signal);
          continue;
        }
        failedReads = 0;
        const { render, progress } = job.progress ?? {};
        const state = [job.status, job.scenes_completed, render, progress].join(" ");
        if (state !== reported) onProgress?.(job);
        reported = state;
        if (isCompleted(job)) return job;
        if (job.error !== null) throw createJobError(jobId, job.error);
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
