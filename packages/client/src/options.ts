import type { Job } from "./types.ts";

/** Options of all calls. */
export interface CallOptions {
  /**
   * Aborts the call at once; it rejects with the signal's reason. Default: none, and only the attempts
   * have a timeout. A job that exists continues and is charged: cancel it with `jobs.cancel`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of calls that wait for a job. */
export interface WaitOptions extends CallOptions {
  /**
   * Called with the job when it is first read, and whenever its status, its completed scenes or its progress change.
   * Default: none. With it, a generation is polled from the start instead of being returned by the first
   * response. An error that it throws rejects the call; the job continues.
   */
  readonly onProgress?: ((job: Job) => void) | undefined;
}

/** Options of calls that generate images. */
export interface GenerateOptions extends WaitOptions {
  /**
   * For 24 hours, the same key with the same request returns the same job, which is made and charged
   * once. With another request, it is an InvalidRequestError `idempotency_key_reused`. Default: a new
   * key for each call, kept for its retries; pass your own to be safe across restarts of your program.
   */
  readonly idempotencyKey?: string | undefined;
}
