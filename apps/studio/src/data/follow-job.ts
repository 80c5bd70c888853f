import type { JobProgress as Progress, ListedJob } from "@atelier/schemas";
import { ApiError, call, request } from "../api.ts";
import { readStream } from "./connection.ts";
import { pause } from "./pause.ts";
import { isFinal } from "./queries.ts";

/** The fields of a job that change until it is final. */
export type JobProgress = Omit<ListedJob, "prompt" | "source">;

const reconnectMs = 2_000;

/** Time until a response begins, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Follows a job until it is final: over its event stream, which is resumed after an interruption, and
 * by polling while no stream can be opened.
 *
 * @throws ApiError when the job cannot be read and a retry would not help.
 */
export async function followJob(
  id: string,
  signal: AbortSignal,
  onProgress: (job: JobProgress) => void,
): Promise<void> {
  let lastEventId: string | null = null;
  let last: JobProgress | null = null;
  while (!signal.aborted) {
    let pauseMs = reconnectMs;
    const retry = (error: unknown) => {
      if (!mayRetry(error)) throw error;
      pauseMs = Math.max(pauseMs, retryAfterMs(error));
    };
    try {
      const { body }: Response = await request("GET /v1/jobs/{id}/events", {
        id,
        signal,
        timeoutMs,
        headers: lastEventId === null ? {} : { "Last-Event-ID": lastEventId },
      });
      for await (const event of readStream(body)) {
        if (event.type === "job.progress") {
          const { job_id: _jobId, ...progress } = JSON.parse(event.data) as Progress;
          if (last !== null) onProgress({ ...last, progress });
          continue;
        }
        const { prompt: _prompt, source: _source, ...job } = JSON.parse(event.data) as ListedJob;
        last = job;
        lastEventId = event.id ?? lastEventId;
        onProgress(job);
        if (isFinal(job)) return;
      }
    } catch (error) {
      retry(error);
    }
    try {
      const polled = await poll(id, signal);
      onProgress(polled);
      if (isFinal(polled)) return;
    } catch (error) {
      retry(error);
    }
    await pause(pauseMs, signal);
  }
}

async function poll(id: string, signal: AbortSignal): Promise<JobProgress> {
  const {
    request: _request,
    source: _source,
    ...job
  } = await call("GET /v1/jobs/{id}", {
    id,
    signal,
    timeoutMs,
  });
  return job;
}

function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? 1_000 * (error.retryAfterSeconds ?? 0) : 0;
}

/** Errors other than those of the service are interruptions of a stream. */
function mayRetry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}
