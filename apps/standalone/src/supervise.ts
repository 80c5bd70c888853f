import { setTimeout as delay } from "node:timers/promises";
import { StartFailure } from "@atelier/process";
import { describeError } from "./describe-error.ts";

/** A process that serves. */
export interface Running {
  readonly pid: number;
  /**
   * Resolves when it has exited: the reason, for example "SIGKILL", and on further lines the end of
   * its log.
   */
  readonly ended: Promise<string>;
  /** Lets it finish its work, for a limited time. */
  stop(): Promise<void>;
  /** Kills it at once. */
  kill(): void;
}

export interface SuperviseOptions {
  readonly name: string;
  /** Starts it; resolves when it serves, rejects with the reason if it cannot. */
  readonly start: (signal: AbortSignal) => Promise<Running>;
  /** A shorter lifetime counts as a quick death. */
  readonly quickMs?: number;
  /**
   * Delay after the second quick death in a row, doubled for each further one up to 30 seconds.
   * There is no delay after the first.
   */
  readonly backOffMs?: number;
}

/** Options that all supervised processes share. */
export interface Supervision {
  /** Aborts the first start. */
  readonly interrupted: AbortSignal;
  /** Receives a sentence when a process died and when it serves again. */
  readonly report: (sentence: string) => void;
}

export interface Supervised {
  readonly pid: number;
  /** Stops it without a restart. */
  stop(): Promise<void>;
  kill(): void;
}

const longestBackOffMs = 30_000;

/** Number of attempts before a transient failure of the first start is final. */
const firstStarts = 3;

/**
 * Starts a process and restarts it whenever it dies, without a limit. A process that has served
 * once has valid settings, so its failure may be transient, such as a full disk or a database in
 * recovery.
 *
 * @throws the error of the first start; for transient errors, of the third.
 */
export async function supervise(
  options: SuperviseOptions,
  { interrupted, report }: Supervision,
): Promise<Supervised> {
  const { name, quickMs = 5_000, backOffMs = 250 } = options;
  const stopping = new AbortController();
  let running = await startFirst();
  let startedAt = performance.now();

  /** Returns the delay after this number of consecutive quick deaths. */
  function backOff(quickDeaths: number): number {
    return quickDeaths <= 1 ? 0 : Math.min(backOffMs * 2 ** (quickDeaths - 2), longestBackOffMs);
  }

  async function startFirst(): Promise<Running> {
    for (let starts = 1; ; starts += 1) {
      try {
        return await options.start(interrupted);
      } catch (error) {
        const isTransient = error instanceof StartFailure && error.isTransient;
        if (!isTransient || starts === firstStarts) throw error;
        report(`${summarise(describeError(error))}. Starting it again.`);
        await delay(backOff(starts + 1), undefined, { signal: interrupted });
      }
    }
  }

  /** Rejects when it is stopped. */
  async function keepRunning(): Promise<never> {
    for (let quickDeaths = 0; ;) {
      let reason = `${name} died: ${await running.ended}`;
      if (performance.now() - startedAt >= quickMs) quickDeaths = 0;
      for (let isUp = false; !isUp;) {
        stopping.signal.throwIfAborted();
        quickDeaths += 1;
        const delayMs = backOff(quickDeaths);
        const delayText = delayMs < 1_000 ? "" : ` in ${Math.round(delayMs / 1_000)} s`;
        report(`${summarise(reason)}. Starting it again${delayText}.`);
        await delay(delayMs, undefined, { signal: stopping.signal });
        try {
          running = await options.start(stopping.signal);
          startedAt = performance.now();
          isUp = true;
        } catch (error) {
          reason = describeError(error);
        }
      }
      if (stopping.signal.aborted) await running.stop();
      else report(`${name} serves again, as process ${running.pid}.`);
    }
  }

  // It ends only when stopped; a process that is being started then is stopped by its signal.
  const ended = keepRunning().catch(() => undefined);

  return {
    get pid() {
      return running.pid;
    },
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

/**
 * Describes the exit with the last line of the log that is not a log entry: a failed start writes
 * its reason there.
 */
function summarise(text: string): string {
  const [ending = "", ...log] = text.split("\n").filter((line) => line.trim() !== "");
  const reason = log.findLast((line) => !line.startsWith("{"));
  return reason === undefined ? ending : `${ending} (${reason.trim().slice(0, 200)})`;
}
