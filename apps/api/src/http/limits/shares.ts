import { AppError } from "@atelier/schemas";

/** Units of a process, such as bytes or places, of which no account takes all. */
export interface Shares {
  /**
   * Takes units, or is refused.
   *
   * @returns a function that gives them back; only its first call has an effect.
   * @throws AppError `overloaded` when the account or the process has too few left.
   */
  take(accountId: string, units?: number): () => void;
  /**
   * Waits for units, in the order of the calls. An account that uses its share does not delay others.
   *
   * @param units at most the share of an account counts, so that a larger piece can run alone.
   * @returns a function that gives them back; only its first call has an effect.
   * @throws the signal's reason when it aborts first.
   */
  wait(accountId: string, units: number, signal: AbortSignal): Promise<() => void>;
}

/** Units of the process, and of one account. */
export interface ShareLimits {
  readonly total: number;
  readonly perAccount: number;
}

interface Waiting {
  readonly accountId: string;
  readonly units: number;
  readonly start: () => void;
}

/** @param refusal the message for a client that takes more than is left. */
export function createShares(
  limits: ShareLimits,
  refusal = "Too many of these requests are in progress. Send this one again after Retry-After.",
): Shares {
  const taken = new Map<string, number>();
  let sum = 0;
  let line: Waiting[] = [];

  const isAtShare = (accountId: string, units: number) =>
    (taken.get(accountId) ?? 0) + units > limits.perAccount;

  function count(accountId: string, units: number): () => void {
    taken.set(accountId, (taken.get(accountId) ?? 0) + units);
    sum += units;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      sum -= units;
      const left = (taken.get(accountId) ?? 0) - units;
      if (left > 0) taken.set(accountId, left);
      else taken.delete(accountId);
      startNext();
    };
  }

  /** Starts all that fit. The first one that only lacks units of the process keeps its place. */
  function startNext(): void {
    const waiting = line;
    line = [];
    let isFull = false;
    for (const one of waiting) {
      const isHeld = isAtShare(one.accountId, one.units);
      if (!isHeld && sum + one.units > limits.total) isFull = true;
      if (isFull || isHeld) line.push(one);
      else one.start();
    }
  }

  return {
    take(accountId, units = 1) {
      if (isAtShare(accountId, units) || sum + units > limits.total) {
        throw new AppError("overloaded", refusal, { retryAfterMs: 1_000 });
      }
      return count(accountId, units);
    },
    wait(accountId, wanted, signal) {
      const units = Math.min(wanted, limits.perAccount);
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const stop = () => {
          line = line.filter((one) => one !== waiting);
          reject(signal.reason as Error);
          startNext();
        };
        const waiting: Waiting = {
          accountId,
          units,
          start() {
            signal.removeEventListener("abort", stop);
            resolve(count(accountId, units));
          },
        };
        signal.addEventListener("abort", stop, { once: true });
        line.push(waiting);
        startNext();
      });
    },
  };
}

const megabyte = 1_048_576;

/** Smaller bodies are not counted: connections and rate limits bound them. */
export const smallBytes = 65_536;

/** Creates the memory for bodies that are being received or parsed, in bytes. */
export function createBodyMemory({
  total = 32 * megabyte,
  perAccount = 8 * megabyte,
}: Partial<ShareLimits> = {}): Pick<Shares, "take"> {
  const shares = createShares(
    { total, perAccount },
    "Too many large requests are being received at once. Send this one again after Retry-After.",
  );
  return {
    take: (accountId, bytes = 0) =>
      bytes <= smallBytes ? () => undefined : shares.take(accountId, bytes),
  };
}
