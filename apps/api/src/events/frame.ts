import type { StoredEvent } from "@atelier/events";
import {
  AppError,
  type EventType,
  type JobProgress,
  type JobStatus,
  type ListedJob,
} from "@atelier/schemas";

/** One server-sent event, ready to be written. */
export interface Frame {
  readonly id: bigint | null;
  /** Whether it is the last event of its job. */
  readonly isFinal: boolean;
  readonly text: string;
}

/** Delay before a client reconnects, in milliseconds. */
const reconnectMs = 2_000;

/** Begins every stream. */
export const preamble = `retry: ${reconnectMs}\n\n`;

/** A comment that keeps connections open; see "Authoring notes" of the HTML standard, 9.2.7. */
export const heartbeat = ": heartbeat\n\n";

/** The type of the event that brought a job to its state. */
const typeOfStatus = {
  pending: "job.updated",
  processing: "job.updated",
  completed: "job.completed",
  failed: "job.failed",
  cancelled: "job.cancelled",
} as const satisfies Record<JobStatus, EventType>;

const finalTypes: ReadonlySet<EventType> = new Set([
  "job.completed",
  "job.failed",
  "job.cancelled",
]);

/** The frame of a stored event. `JSON.stringify` writes no line breaks, so that `data` is one line. */
export function frameOf({ id, type }: Pick<StoredEvent, "id" | "type">, json: string): Frame {
  return writeFrame(id, type, json);
}

/** The frame that begins the stream of a job: its current state. */
export function currentFrame(id: bigint | null, job: ListedJob): Frame {
  return writeFrame(id, typeOfStatus[job.status], JSON.stringify(job));
}

/** Tells a client that events after its `Last-Event-ID` may have been deleted. */
export const gapFrame: Frame = {
  id: null,
  isFinal: false,
  text: `event: stream.gap\ndata: ${JSON.stringify({
    message:
      "Last-Event-ID is not kept any more. Events after it may be missing: read GET /v1/jobs for the state of your jobs.",
  })}\n\n`,
};

/** The frame of progress, which is neither stored nor replayed, and therefore has no id. */
export function progressFrame(progress: JobProgress): Frame {
  return {
    id: null,
    isFinal: false,
    text: `event: job.progress\ndata: ${JSON.stringify(progress)}\n\n`,
  };
}

function writeFrame(id: bigint | null, type: EventType, json: string): Frame {
  const idLine = id === null ? "" : `id: ${id}\n`;
  const text = `${idLine}event: ${type}\ndata: ${json}\n\n`;
  return { id, isFinal: finalTypes.has(type), text };
}

const largestId = 2n ** 63n - 1n;

/**
 * Parses the header `Last-Event-ID`.
 *
 * @returns null without one.
 * @throws AppError `invalid_request` when it is not an event id.
 */
export function readLastEventId(header: string | undefined): bigint | null {
  if (header === undefined || header === "") return null;
  const id = /^\d{1,19}$/.test(header) ? BigInt(header) : null;
  if (id !== null && id <= largestId) return id;
  throw new AppError(
    "invalid_request",
    "Last-Event-ID must be the id of an earlier event. Leave it out to start with new events.",
    { details: [{ path: "Last-Event-ID", code: "invalid_format", message: "not an event id" }] },
  );
}
