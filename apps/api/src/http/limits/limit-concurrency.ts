import { AppError } from "@atelier/schemas";

/** Limits how many responses of a kind a process sends at the same time. */
export interface ConcurrencyLimit {
  /**
   * Takes a place.
   *
   * @returns a function that gives it back; only its first call has an effect.
   * @throws AppError `overloaded` when the account or the process has no place left.
   */
  enter(accountId: string): () => void;
}

/** @param limits places of the process, and of one account, so that no account takes all. */
export function createConcurrencyLimit(limits: {
  readonly total: number;
  readonly perAccount: number;
}): ConcurrencyLimit {
  const taken = new Map<string, number>();
  let sum = 0;
  return {
    enter(accountId) {
      const own = taken.get(accountId) ?? 0;
      if (own >= limits.perAccount || sum >= limits.total) {
        throw new AppError(
          "overloaded",
          "Too many of these requests are in progress. Send this one again after Retry-After.",
          { retryAfterMs: 1_000 },
        );
      }
      taken.set(accountId, own + 1);
      sum += 1;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        sum -= 1;
        const left = (taken.get(accountId) ?? 0) - 1;
        if (left > 0) taken.set(accountId, left);
        else taken.delete(accountId);
      };
    },
  };
}
