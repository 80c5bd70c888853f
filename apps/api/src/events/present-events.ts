import { setImmediate } from "node:timers/promises";
import type { Database } from "@atelier/database";
import type { StoredEvent } from "@atelier/events";
import { findGenerations, type FoundGeneration } from "@atelier/generations/jobs";
import { presentListedJob, type Sign } from "@atelier/presentation";
import type { KeyMode, ListedJob } from "@atelier/schemas";
import { frameOf, type Frame } from "./frame.ts";

/** Events whose jobs are loaded at once. */
const pageSize = 50;

/** An event as streams send it. */
export interface PresentedEvent {
  readonly event: StoredEvent;
  readonly frame: Frame;
  /** The key of its job; null for an event of the account or a batch. */
  readonly keyId: string | null;
  /** That of its job or batch; events of the account itself are live. */
  readonly mode: KeyMode;
}

/**
 * Presents events in order, with the keys of their jobs. Each job of a page is loaded, signed and
 * serialised once, and the event loop takes a turn after each.
 */
export async function* presentEvents(
  events: readonly StoredEvent[],
  database: Database,
  sign: Sign,
): AsyncGenerator<PresentedEvent> {
  for (let start = 0; start < events.length; start += pageSize) {
    yield* presentPage(events.slice(start, start + pageSize), database, sign);
  }
}

/**
 * Presents a job as streams send it: without the text of the image that it changes. All streams of an account
 * receive the same frame, and some may not read the job of that image.
 */
export function presentEventJob(generation: FoundGeneration, sign: Sign): Promise<ListedJob> {
  const { source } = generation;
  return presentListedJob({ ...generation, source: source && { ...source, text: null } }, sign);
}

async function* presentPage(
  events: readonly StoredEvent[],
  database: Database,
  sign: Sign,
): AsyncGenerator<PresentedEvent> {
  const ids = new Set(events.flatMap(({ generationId }) => generationId ?? []));
  const generations =
    ids.size === 0 ? new Map<string, FoundGeneration>() : await findGenerations(database, [...ids]);
  const jobs = new Map<string, string>();
  for (const event of events) {
    const { generationId } = event;
    if (generationId === null) {
      const { mode = "live" } = (event.data ?? {}) as { readonly mode?: KeyMode };
      yield { event, frame: frameOf(event, JSON.stringify(event.data ?? {})), keyId: null, mode };
      continue;
    }
    const generation = generations.get(generationId);
    if (generation === undefined) continue;
    let job = jobs.get(generationId);
    if (job === undefined) {
      job = JSON.stringify(await presentEventJob(generation, sign));
      jobs.set(generationId, job);
      await setImmediate();
    }
    const { key, mode } = generation;
    yield { event, frame: frameOf(event, job), keyId: key?.id ?? null, mode };
  }
}

/** Runs the presentations of a process one after another. */
export interface PresentationQueue {
  /** Runs `work` after the earlier calls of the account, in turn with those of other accounts. */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates a queue that contains one call of each account at most. The number of streams that an
 * account replays therefore does not delay the replays of others.
 */
export function createPresentationQueue(): PresentationQueue {
  const lastOfAccount = new Map<string, Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();

  function runNext<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  return {
    async run(accountId, work) {
      const result = (lastOfAccount.get(accountId) ?? Promise.resolve()).then(() => runNext(work));
      const ended = result.catch(() => undefined);
      lastOfAccount.set(accountId, ended);
      try {
        return await result;
      } finally {
        if (lastOfAccount.get(accountId) === ended) lastOfAccount.delete(accountId);
      }
    },
  };
}
