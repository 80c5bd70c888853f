import type { Job } from "./types.ts";

/** Options of all calls. */
export interface CallOptions {
  /** Aborts the call at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of calls that wait for a job. */
export interface WaitOptions extends CallOptions {
  /** Called with the job when it is first read, and whenever its status or scenes change. */
  readonly onProgress?: ((job: Job) => void) | undefined;
}

/** Options of calls that generate images. */
export interface GenerateOptions extends WaitOptions {
  /**
   * The same key with the same request is made and charged once. Pass your own key to be safe across
   * restarts of your program. Default: a new key per call, kept for its retries.
   */
  readonly idempotencyKey?: string | undefined;
}
