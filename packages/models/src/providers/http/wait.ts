import { setTimeout as delay } from "node:timers/promises";
import { unknown } from "./call-ended.ts";

/**
 * Waits between two questions about a call.
 *
 * @throws CallEnded `unknown` when the caller gives up: the call goes on without it.
 */
export async function wait(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(waitMs, undefined, { signal });
  } catch {
    throw unknown("given up before the image was there");
  }
}
