import { setTimeout as delay } from "node:timers/promises";
import { unknown } from "./call-ended.ts";

/**
 * Waits between two polls of a call.
 *
 * @throws CallEnded `unknown` when the signal aborts: the call continues at the provider.
 */
export async function wait(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(waitMs, undefined, { signal });
  } catch {
    throw unknown("the call was aborted before the image was ready");
  }
}
