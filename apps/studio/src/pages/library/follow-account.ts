import type { ListedJob } from "@atelier/schemas";
import { ApiError, request } from "../../api.ts";
import { readStream } from "../../data/connection.ts";
import { pause } from "../../data/pause.ts";

/** Delay between attempts to open the stream, and between polls without a stream, in milliseconds. */
const retryMs = 4_000;

/** Time until the stream begins, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Follows all jobs of the account over its event stream, which is resumed after an interruption.
 *
 * @param on `job` receives the state of a job; `gap` is called whenever something may have been missed:
 *   after the stream was opened, and regularly while it cannot be opened.
 */
export async function followAccount(
  signal: AbortSignal,
  on: { readonly job: (job: ListedJob) => void; readonly gap: () => void },
): Promise<void> {
  let lastEventId: string | null = null;
  while (!signal.aborted) {
    let waitMs = retryMs;
    try {
      const { body }: Response = await request("GET /v1/events", {
        signal,
        timeoutMs,
        headers: lastEventId === null ? {} : { "Last-Event-ID": lastEventId },
      });
      on.gap();
      for await (const event of readStream(body)) {
        lastEventId = event.id ?? lastEventId;
        // Its data is not a job.
        if (event.type === "job.progress") continue;
        if (event.type.startsWith("job.")) on.job(JSON.parse(event.data) as ListedJob);
      }
    } catch (error) {
      if (isFinalRefusal(error)) return;
      if (error instanceof ApiError) {
        waitMs = Math.max(retryMs, (error.retryAfterSeconds ?? 0) * 1_000);
      }
    }
    await pause(waitMs, signal);
    if (!signal.aborted) on.gap();
  }
}

/** Whether the service refuses the request, and not only for now. */
function isFinalRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 429;
}
