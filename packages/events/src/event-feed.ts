import type { Sql } from "@atelier/database";
import { readNewEvents, takeSnapshot, type Snapshot, type StoredEvent } from "./read-events.ts";

/** Reads new events for all streams of a process. */
export interface EventFeed {
  /**
   * Resolves when events that were committed before the call have been delivered: those of accounts that
   * had been added to `accountIds` by an earlier call. Later events will be delivered.
   *
   * @throws the error of the read when it failed.
   */
  sync(): Promise<void>;
  /** Reads now instead of at the end of the interval. */
  wake(): void;
  /** Stops reading and waits for the current read. */
  close(): Promise<void>;
}

interface FeedOptions {
  /** Delay between two reads, in milliseconds. */
  readonly intervalMs: number;
  /** Maximum number of events in one read. */
  readonly limit: number;
  /** Accounts to read. An empty set reads nothing. */
  readonly accountIds: () => readonly string[];
  /** Called with the events of one read, in the order of their ids. */
  readonly onEvents: (events: readonly StoredEvent[]) => Promise<void>;
  /**
   * Events may be missing from now on: there were more than `limit`, a read or its delivery failed, or
   * the server was restarted, after which transaction ids can be assigned again. Streams must be
   * resumed.
   */
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Starts the feed of a process: one statement per interval, whatever the number of streams.
 */
export function startEventFeed(sql: Sql, options: FeedOptions): EventFeed {
  let snapshot: Snapshot | null = null;
  let reading: Promise<void> | null = null;
  /** Error of the last read, if it failed. */
  let failure: unknown = null;
  let isWoken = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    const accountIds = options.accountIds();
    if (accountIds.length === 0) {
      snapshot = null;
      return;
    }
    if (snapshot === null) {
      snapshot = await takeSnapshot(sql);
      return;
    }
    const limit = options.limit + 1;
    const since = snapshot;
    const next = await readNewEvents(sql, since, { accountIds, limit });
    snapshot = next.snapshot;
    if (next.snapshot.serverStartedAt !== since.serverStartedAt || next.events.length === limit) {
      options.onLost();
    } else if (next.events.length > 0) await options.onEvents(next.events);
  }

  async function readOrLose(): Promise<void> {
    try {
      await read();
      failure = null;
    } catch (error) {
      failure = error;
      snapshot = null;
      options.onLost();
      options.onError(error);
    }
  }

  function start(): void {
    clearTimeout(timer);
    reading ??= readOrLose().finally(() => {
      reading = null;
      if (isClosed) return;
      if (isWoken) {
        isWoken = false;
        start();
      } else if (options.accountIds().length > 0) {
        timer = setTimeout(start, options.intervalMs);
      } else snapshot = null;
    });
  }

  return {
    async sync() {
      // This read may have started before the call.
      await reading;
      start();
      await reading;
      if (failure !== null) throw failure;
    },
    wake() {
      if (isClosed || options.accountIds().length === 0) return;
      if (reading === null) start();
      else isWoken = true;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await reading;
    },
  };
}
