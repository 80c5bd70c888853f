import { setTimeout as delay } from "node:timers/promises";
import { describeError } from "./describe-error.ts";

/** A process that serves. */
export interface Running {
  readonly pid: number;
  /** Settles when it has ended: how, for example "SIGKILL", and on further lines the end of its log. */
  readonly ended: Promise<string>;
  /** Lets it finish what it is at, for a limited time. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface SuperviseOptions {
  readonly name: string;
  /** Starts it; resolves when it serves, rejects with the reason why it does not. */
  readonly start: (signal: AbortSignal) => Promise<Running>;
  /** A life shorter than this counts as a quick death. */
  readonly quickMs?: number;
  /** Quick deaths in a row after which it is given up. */
  readonly maxQuickDeaths?: number;
  /** The wait after the second quick death; doubled with each more. The first is not waited for. */
  readonly backOffMs?: number;
}

/** What all supervised processes share. */
export interface Supervision {
  /** Ends the first start before its time. */
  readonly interrupted: AbortSignal;
  /** Told in a sentence when a process died and when it serves again. */
  readonly report: (sentence: string) => void;
}

export interface Supervised {
  readonly pid: number;
  /** Settles when it is given up, with the reason. */
  readonly givenUp: Promise<Error>;
  /** Stops it, and does not start it again. */
  stop(): Promise<void>;
  kill(): void;
}

/**
 * Starts a process and starts it again whenever it dies. That it does not come up the first time is
 * final: then nothing that a second try would change is wrong.
 *
 * @throws what the first start rejected with.
 */
export async function supervise(
  options: SuperviseOptions,
  { interrupted, report }: Supervision,
): Promise<Supervised> {
  const { name, quickMs = 5_000, maxQuickDeaths = 5, backOffMs = 250 } = options;
  const stopping = new AbortController();
  let running = await options.start(interrupted);
  let startedAt = performance.now();

  /** Ends with why it is given up, or rejects when it is stopped. */
  async function keepUp(): Promise<Error> {
    for (let quickDeaths = 0; ;) {
      let what = `${name} died: ${await running.ended}`;
      if (performance.now() - startedAt >= quickMs) quickDeaths = 0;
      for (let isUp = false; !isUp;) {
        stopping.signal.throwIfAborted();
        quickDeaths += 1;
        if (quickDeaths === maxQuickDeaths) {
          return new Error(`Given up after ${quickDeaths} deaths in a row. ${what}`);
        }
        const delayMs = quickDeaths === 1 ? 0 : backOffMs * 2 ** (quickDeaths - 2);
        report(`${firstLine(what)}. Starting it again.`);
        await delay(delayMs, undefined, { signal: stopping.signal });
        try {
          running = await options.start(stopping.signal);
          startedAt = performance.now();
          isUp = true;
        } catch (error) {
          what = describeError(error);
        }
      }
      if (stopping.signal.aborted) await running.stop();
      else report(`${name} serves again, as process ${running.pid}.`);
    }
  }

  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<Error>();
  const ended = keepUp().then(giveUp, (error: unknown) => {
    if (!stopping.signal.aborted) giveUp(new Error(describeError(error), { cause: error }));
  });

  return {
    get pid() {
      return running.pid;
    },
    givenUp,
    async stop() {
      stopping.abort();
      await running.stop();
      await ended;
    },
    kill() {
      stopping.abort();
      running.kill();
    },
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1).join();
}
