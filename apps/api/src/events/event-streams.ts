import { findEndedRights } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import { startEventFeed, type StoredEvent } from "@atelier/events";
import type { AnnouncedProgress } from "@atelier/generations/claims";
import type { Sign } from "@atelier/presentation";
import { startLoop } from "@atelier/process";
import { AppError, quotaOf } from "@atelier/schemas";
import { createStream, type EventStream, type StreamTarget } from "./event-stream.ts";
import { progressFrame, type Frame } from "./frame.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { receivesProgress } from "./progress.ts";
import { createPresentationQueue, presentEvents, type PresentedEvent } from "./present-events.ts";

/** The open event streams of this process. */
export interface EventStreams {
  /**
   * Adds a stream, which holds new events until `goLive`.
   *
   * @throws AppError `too_many_streams` at the account's limit, `overloaded` at that of the process.
   */
  open(target: StreamTarget): EventStream;
  /**
   * Resolves when open streams have received every event that was committed between an earlier call and
   * this one.
   */
  sync(): Promise<void>;
  /**
   * Returns the frames of those events that the target may see. The process presents for one call at a
   * time, and accounts take turns.
   */
  present(events: readonly StoredEvent[], target: StreamTarget): Promise<Frame[]>;
  /** Sends progress to the streams that receive it: see `receivesProgress`. */
  sendProgress(announced: AnnouncedProgress): void;
  /** Reads new events now: one was committed. */
  wake(): void;
  /** Ends the streams of an account whose key, secret or session has ended, or lost the scope, now. */
  checkRights(accountId: string): void;
  /** Ends all streams, and new ones at once: clients reconnect to another process. */
  release(): void;
  close(): Promise<void>;
}

interface StreamOptions {
  /** Open streams of this process, and of one account in it. */
  readonly maxStreams: number;
  readonly maxStreamsPerAccount: number;
  /** Idle time after which a stream receives a heartbeat, in milliseconds; keys are checked as often. */
  readonly heartbeatMs: number;
  /** The same for sessions of Studio, which shows a lost connection soon. */
  readonly studioHeartbeatMs: number;
  readonly sign: Sign;
  /** Called with the number of open streams when it changes. */
  readonly onCount: (count: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Delay between two reads of new events, in milliseconds. */
const readIntervalMs = 200;

/** Maximum number of events in one read; with more, streams end and clients resume. */
const maxEventsPerRead = 5_000;

/**
 * Creates the streams of this process. One reader and one statement per interval serve all of them; an
 * event is loaded, signed and serialised once.
 */
export function createEventStreams(database: Database, options: StreamOptions): EventStreams {
  const byAccount = new Map<string, Set<EventStream>>();
  const replays = createPresentationQueue();
  let count = 0;
  let released = false;

  const all = () => [...byAccount.values()].flatMap((streams) => [...streams]);

  const feed = startEventFeed(database, {
    intervalMs: readIntervalMs,
    limit: maxEventsPerRead,
    accountIds: () => [...byAccount.keys()],
    onEvents: deliver,
    onLost: endAll,
    onError: options.onError,
  });

  async function deliver(events: readonly StoredEvent[]): Promise<void> {
    const wanted = events.filter((event) => interestedIn(event).length > 0);
    for await (const presented of presentEvents(wanted, database, options.sign)) {
      for (const stream of interestedIn(presented.event)) {
        if (maySee(stream.target, presented)) stream.send(presented.frame);
      }
    }
  }

  function interestedIn({ accountId, generationId }: StoredEvent): EventStream[] {
    return [...(byAccount.get(accountId) ?? [])].filter(
      ({ target }) => target.generationId === null || target.generationId === generationId,
    );
  }

  function endAll(): void {
    for (const stream of all()) stream.end();
  }

  const keyHeartbeat = createHeartbeat(options.heartbeatMs);
  const studioHeartbeat = createHeartbeat(options.studioHeartbeatMs);
  const heartbeatOf = ({ target }: EventStream) =>
    target.right.sessionId === null ? keyHeartbeat : studioHeartbeat;
  const checking = startLoop(endRefused, {
    firstDelayMs: options.heartbeatMs,
    delayMs: () => options.heartbeatMs,
    onError: options.onError,
  });

  /** Ends the streams whose key, secret or session has ended, or lost the scope. */
  async function endRefused(): Promise<void> {
    await endRefusedOf(all());
  }

  async function endRefusedOf(streams: readonly EventStream[]): Promise<void> {
    if (streams.length === 0) return;
    const rights = streams.map(({ target }) => target.right);
    const ended = new Set(await findEndedRights(database, rights));
    for (const stream of streams) if (ended.has(stream.target.right)) stream.end();
  }

  function remove(stream: EventStream): void {
    const { accountId } = stream.target;
    const streams = byAccount.get(accountId);
    if (streams?.delete(stream) !== true) return;
    heartbeatOf(stream).remove(stream);
    options.onCount(--count);
    if (streams.size === 0) byAccount.delete(accountId);
  }

  return {
    open(target) {
      const streams = byAccount.get(target.accountId) ?? new Set();
      const most = quotaOf(target.quotaMode, options.maxStreamsPerAccount);
      const isOfMode = (open: EventStream) => open.target.quotaMode === target.quotaMode;
      if ([...streams].filter(isOfMode).length >= most) throw tooManyStreams(most);
      if (released || count >= options.maxStreams) throw noRoom();
      const stream = createStream(target, () => remove(stream));
      byAccount.set(target.accountId, streams.add(stream));
      heartbeatOf(stream).add(stream);
      options.onCount(++count);
      return stream;
    },
    sync: () => feed.sync(),
    async present(events, target) {
      if (events.length === 0) return [];
      return replays.run(target.accountId, async () => {
        const frames: Frame[] = [];
        for await (const presented of presentEvents(events, database, options.sign)) {
          if (maySee(target, presented)) frames.push(presented.frame);
        }
        return frames;
      });
    },
    sendProgress({ accountId, generationId, progress }) {
      const streams = [...(byAccount.get(accountId) ?? [])].filter(({ target }) =>
        receivesProgress(target, generationId),
      );
      if (streams.length === 0) return;
      const frame = progressFrame({ job_id: generationId, ...progress });
      for (const stream of streams) stream.send(frame);
    },
    wake: () => feed.wake(),
    checkRights(accountId) {
      endRefusedOf([...(byAccount.get(accountId) ?? [])]).catch(options.onError);
    },
    release() {
      released = true;
      endAll();
    },
    async close() {
      keyHeartbeat.stop();
      studioHeartbeat.stop();
      await Promise.all([checking.stop(), feed.close()]);
    },
  };
}

/**
 * A key without the scope `read` sees only the events of its own jobs. The stream of an account has those
 * of one mode.
 */
function maySee(target: StreamTarget, event: PresentedEvent): boolean {
  if (target.mode !== null && target.mode !== event.mode) return false;
  return target.keyId === null || target.keyId === event.keyId;
}

function tooManyStreams(max: number): AppError {
  return new AppError(
    "too_many_streams",
    `The account has ${max} open event streams of keys of this mode, which is the limit. Close one, or follow several jobs with GET /v1/events.`,
    { details: { max_streams: max }, retryAfterMs: 5_000 },
  );
}

function noRoom(): AppError {
  return new AppError(
    "overloaded",
    "This server has no room for another event stream. Open it again after Retry-After, or poll GET /v1/jobs/{id}.",
    { retryAfterMs: 5_000 },
  );
}
