import { startWaiting, type Candidate } from "@atelier/generations/servers";
import type { Database } from "@atelier/database";
import { startLoop } from "@atelier/process";

/** A call that waits for a server. */
interface WaitingCall {
  readonly url: string;
  readonly candidates: readonly Candidate[];
  readonly resolve: (next: "start" | "move") => void;
}

/** The calls of this process that wait for a server. */
export interface WaitingCalls {
  /**
   * Waits until it is the call's turn. `move`: another server may be better now, so a place is taken
   * again.
   */
  wait(
    renderId: string,
    place: Pick<WaitingCall, "url" | "candidates">,
    signal: AbortSignal,
  ): Promise<"start" | "move">;
  /** Looks now: a place was given back, or a server failed. */
  wake(): void;
  close(): Promise<void>;
}

/** A notification may be lost. */
const intervalMs = 1_000;

/** Combines the notifications of calls that end at the same time. */
const gapMs = 20;

const idleMs = 3_600_000;

/**
 * Starts waiting calls in turn. While calls wait, each change costs this process two statements, however
 * many wait; otherwise nothing.
 *
 * @param isDown whether the circuit of a server is open.
 */
export function createWaitingCalls(
  database: Database,
  options: {
    readonly isDown: (url: string) => boolean;
    readonly onError: (error: unknown) => void;
  },
): WaitingCalls {
  const waiting = new Map<string, WaitingCall>();
  /** Whether a place was given back since a call was last moved. */
  let isNotified = false;
  let movedAt = performance.now();

  function end(renderId: string, next: "start" | "move"): void {
    const call = waiting.get(renderId);
    waiting.delete(renderId);
    call?.resolve(next);
  }

  async function look(): Promise<void> {
    if (waiting.size === 0) return;
    for (const [renderId, { url }] of waiting) if (options.isDown(url)) end(renderId, "move");
    const candidates = new Map(
      [...waiting.values()].flatMap((call) => call.candidates.map((one) => [one.url, one])),
    );
    const renderIds = [...waiting.keys()];
    const turn = await startWaiting(database.repeatable, renderIds, [...candidates.values()]);
    for (const renderId of turn.started) end(renderId, "start");
    for (const renderId of turn.lost) end(renderId, "move");
    const [oldest] = waiting.keys();
    if (!turn.hasFreeServer || oldest === undefined) return;
    // A call may have a reason to wait beside a free server. It then waits behind the others.
    if (!isNotified && performance.now() - movedAt < intervalMs) return;
    isNotified = false;
    movedAt = performance.now();
    end(oldest, "move");
  }

  const loop = startLoop(look, {
    firstDelayMs: idleMs,
    delayMs: () => (waiting.size > 0 ? intervalMs : idleMs),
    gapMs,
    onError: options.onError,
  });

  return {
    async wait(renderId, { candidates, url }, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<"start" | "move">();
      const onAbort = () => {
        waiting.delete(renderId);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.set(renderId, { candidates, url, resolve });
      loop.wake();
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
    wake() {
      if (waiting.size === 0) return;
      isNotified = true;
      loop.wake();
    },
    close: () => loop.stop(),
  };
}
