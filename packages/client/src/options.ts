import type { Job } from "./types.ts";

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, and every wait in it, at once; it is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call that waits for a job takes. */
export interface WaitOptions extends CallOptions {
  /** Called with the job when it is first seen, and whenever its status or its scenes moved on. */
  readonly onProgress?: ((job: Job) => void) | undefined;
}

/** What a call that costs money takes. */
export interface GenerateOptions extends WaitOptions {
  /**
   * Of your own, to be safe over restarts of your program too; otherwise one is made for each call
   * and kept over its retries. With the same key the same request is made and charged once.
   */
  readonly idempotencyKey?: string | undefined;
}
