import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { StreamRight } from "@atelier/accounts";
import type { KeyMode } from "@atelier/schemas";
import { heartbeat, preamble, type Frame } from "./frame.ts";

/** The events that a stream contains. */
export interface StreamTarget {
  readonly accountId: string;
  /** Only events of jobs that this key requested; null for all of the account. */
  readonly keyId: string | null;
  /** Only events of this mode; null for both. */
  readonly mode: KeyMode | null;
  /** The mode of the key that opened it, whose quota counts it. */
  readonly quotaMode: KeyMode;
  /** The right with which the stream was opened; it ends with it. */
  readonly right: StreamRight;
  /** Only events of this job, whose last event ends the stream; null for the account's. */
  readonly generationId: string | null;
}

/** An open stream. New events wait until the replay is written. */
export interface EventStream {
  readonly target: StreamTarget;
  /** Sends the headers. */
  begin(response: ServerResponse): void;
  /**
   * Writes frames of the replay and waits until the client has read most of them.
   *
   * @returns whether the stream is still open.
   */
  replay(frames: readonly Frame[]): Promise<boolean>;
  /** Writes the events that waited, except those of the replay; later ones are written at once. */
  goLive(): void;
  send(frame: Frame): void;
  /** Sends a heartbeat if nothing was sent for this long, in milliseconds. */
  beat(afterMs: number): void;
  end(): void;
}

/** Unread bytes at which a client is disconnected: it resumes with Last-Event-ID. */
const maxUnreadBytes = 65_536;

/** Events that may wait for the end of a replay. */
const maxWaiting = 1_000;

/** Creates a stream; `onEnd` is called once when it ends. */
export function createStream(target: StreamTarget, onEnd: () => void): EventStream {
  let response: ServerResponse | null = null;
  let waiting: Frame[] | null = [];
  let replayed: Set<bigint> | null = new Set();
  let isEnded = false;
  let lastWriteAt = performance.now();

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    waiting = null;
    onEnd();
    response?.end();
  }

  /** Closes the connection of a client that does not read. */
  function drop(): void {
    end();
    response?.destroy();
  }

  function write(text: string): boolean {
    if (response === null || isEnded) return false;
    if (response.writableLength > maxUnreadBytes) {
      drop();
      return false;
    }
    lastWriteAt = performance.now();
    return response.write(text);
  }

  function writeFrame(frame: Frame): boolean {
    const isWritten = write(frame.text);
    if (frame.isFinal && target.generationId !== null) end();
    return isWritten;
  }

  return {
    target,
    begin(to) {
      response = to;
      to.once("close", end);
      to.writeHead(200, {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
        // The end of a stream is the end of its connection, so that a shutdown does not wait for it.
        Connection: "close",
      });
      write(preamble);
    },
    async replay(frames) {
      for (const frame of frames) {
        if (isEnded) return false;
        if (frame.id !== null) replayed?.add(frame.id);
        if (!writeFrame(frame) && !isEnded && response !== null) {
          await Promise.race([once(response, "drain"), once(response, "close")]);
        }
      }
      return !isEnded;
    },
    goLive() {
      const frames = waiting ?? [];
      waiting = null;
      for (const frame of frames) {
        if (frame.id === null || replayed?.has(frame.id) !== true) writeFrame(frame);
      }
      replayed = null;
    },
    send(frame) {
      if (isEnded) return;
      if (waiting === null) writeFrame(frame);
      else if (waiting.length < maxWaiting) waiting.push(frame);
      else drop();
    },
    beat(afterMs) {
      if (isEnded || response === null || performance.now() - lastWriteAt < afterMs) return;
      // It has read nothing since the last write.
      if (response.writableLength > 0) drop();
      else write(heartbeat);
    },
    end,
  };
}
