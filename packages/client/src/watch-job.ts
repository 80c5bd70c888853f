import type { Api } from "./api.ts";
import { AtelierError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { pause } from "./pause.ts";
import { readEvents } from "./read-events.ts";
import { isRetryable, type Read } from "./transport.ts";
import type { EventType, JobProgress, ListedJob } from "./types.ts";

/** A change of a job, with the job as it was when the event was sent. */
export interface JobEvent {
  /** Null for progress, and for a change that was found by polling. */
  readonly id: string | null;
  /** `job.progress` is sent at most twice a second, while an engine reports how far an image is. */
  readonly type: EventType | "job.progress";
  /** For `job.progress` the job as it was last sent, with its `progress`. */
  readonly job: ListedJob;
}

const finalTypes: Readonly<Record<string, EventType | undefined>> = {
  completed: "job.completed",
  failed: "job.failed",
  cancelled: "job.cancelled",
};

const reconnectMs = 2_000;

/** Maximum number of consecutive failures; each includes its own retries. */
const maxFailures = 30;

/**
 * Follows a job until it is final: over server-sent events, resumed after interruptions, and by
 * polling while no stream can be opened.
 */
export async function* watchJob(
  api: Api,
  jobId: string,
  { signal }: CallOptions = {},
): AsyncGenerator<JobEvent, void, undefined> {
  let lastEventId: string | null = null;
  let reported = "";
  let last: ListedJob | null = null;
  for (let failures = 0; ; failures += 1) {
    try {
      const stream: ReadableStream<Uint8Array> | null = await api.send(
        "GET /v1/jobs/{id}/events",
        readBody,
        {
          params: { jobId },
          signal,
          headers: lastEventId === null ? {} : { "Last-Event-ID": lastEventId },
        },
      );
      for await (const { id, type, data } of readEvents(stream)) {
        failures = 0;
        if (type === "job.progress") {
          const { job_id: _jobId, ...progress } = JSON.parse(data) as JobProgress;
          if (last !== null) yield { id, type, job: { ...last, progress } };
          continue;
        }
        const job = JSON.parse(data) as ListedJob;
        last = job;
        lastEventId = id ?? lastEventId;
        reported = stateOf(job);
        yield { id, type: type as EventType, job };
        if (finalTypes[job.status] === type) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AtelierError && !mayPoll(error)) throw error;
    }
    const job = await poll(api, jobId, failures, signal);
    if (job !== null) {
      failures = 0;
      const type = finalTypes[job.status];
      if (stateOf(job) !== reported) yield { id: null, type: type ?? "job.updated", job };
      reported = stateOf(job);
      if (type !== undefined) return;
    }
    await pause(reconnectMs, signal);
  }
}

/** Null when the response has no body. */
const readBody: Read<ReadableStream<Uint8Array> | null> = async ({ body }) => body;

/** Whether the job itself can be read although its stream cannot: also from a service without streams. */
function mayPoll(error: AtelierError): boolean {
  return isRetryable(error) || error.status === 429 || error.code === "not_found";
}

async function poll(
  api: Api,
  jobId: string,
  failures: number,
  signal: AbortSignal | undefined,
): Promise<ListedJob | null> {
  try {
    const { request, ...job } = await api.call("GET /v1/jobs/{id}", {
      params: { jobId },
      signal,
    });
    const prompt = request["prompt"];
    return { ...job, prompt: typeof prompt === "string" ? prompt.slice(0, 200) : null };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof AtelierError)) throw error;
    if (failures < maxFailures && isRetryable(error)) return null;
    throw error;
  }
}

function stateOf({ status, renders_completed }: ListedJob): string {
  return `${status} ${renders_completed}`;
}
