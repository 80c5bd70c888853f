import { AppError } from "@atelier/schemas";

/** Limits on the memory for concurrent large bodies, in bytes. */
export interface BodyLimits {
  readonly total: number;
  /** Limit of one account, so that no account uses all. */
  readonly perAccount: number;
}

/** Memory for bodies that are being received or parsed. */
export interface BodyBudget {
  /**
   * Reserves memory for a body.
   *
   * @returns a function that releases it.
   * @throws AppError `overloaded` when too little is left.
   */
  reserve(accountId: string, bytes: number): () => void;
}

const megabyte = 1_048_576;

/** Smaller bodies are not counted: connections and rate limits bound them. */
const smallBytes = 65_536;

/** Creates the budget of one process. */
export function createBodyBudget({
  total = 32 * megabyte,
  perAccount = 8 * megabyte,
}: Partial<BodyLimits> = {}): BodyBudget {
  const reserved = new Map<string, number>();
  let sum = 0;
  return {
    reserve(accountId, bytes) {
      if (bytes <= smallBytes) return () => undefined;
      const own = reserved.get(accountId) ?? 0;
      if (own + bytes > perAccount || sum + bytes > total) {
        throw new AppError(
          "overloaded",
          "Too many large requests are being received at once. Send this one again after Retry-After.",
          { retryAfterMs: 1_000 },
        );
      }
      reserved.set(accountId, own + bytes);
      sum += bytes;
      return () => {
        sum -= bytes;
        const left = (reserved.get(accountId) ?? 0) - bytes;
        if (left > 0) reserved.set(accountId, left);
        else reserved.delete(accountId);
      };
    },
  };
}
