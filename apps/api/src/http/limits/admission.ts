import {
  authenticateAndLimit,
  BucketBusyError,
  chargeLimit,
  returnLeases,
  takeFromDay,
  takeFromLimit,
  type DailyLimit,
  type RateLimit,
  type RateLimitState,
} from "@atelier/accounts";
import type { Database } from "@atelier/database";
import type { Peppers } from "@atelier/kit";
import { AppError } from "@atelier/schemas";
import { setTimeout as delay } from "node:timers/promises";
import { textOf } from "../text-of.ts";
import { createLeases, type Leases } from "./leases.ts";

/** Authenticates callers and counts their requests. */
export interface Admissions extends Leases {
  /** Takes one more request of an admitted caller. */
  take(keyId: string, limit: RateLimit): Promise<RateLimitState>;
  /** Takes a request from a daily limit of an account; returns the wait in milliseconds, 0 if it was taken. */
  takeDaily(accountId: string, limit: DailyLimit): Promise<number>;
  /** Charges an admitted request as several; null when that failed. */
  charge(keyId: string, limit: RateLimit, units: number): Promise<RateLimitState | null>;
}

/** Maximum wait for a locked bucket, in milliseconds. */
const longestWaitMs = 2_000;

/** Pauses between attempts, in milliseconds; they grow from the first value to the second. */
const pausesMs = [5, 100] as const;

/**
 * Counts requests over the shared connection without waiting for locks, since requests of other keys
 * would wait behind such a statement. When a key's bucket is locked, by another process or an
 * operator, one of its requests retries and the others wait for that one without querying the
 * database.
 *
 * @param onError called when a lease could not be returned.
 * @returns operations that throw AppError `overloaded` when a bucket stays locked.
 */
export function createAdmissions(
  peppers: Peppers,
  { pipelined, query }: Pick<Database, "pipelined" | "query">,
  onError: (error: unknown) => void,
): Admissions {
  /** The retries in progress, by key. */
  const attempts = new Map<string, Promise<unknown>>();

  async function run<Result>(key: string, count: () => Promise<Result>): Promise<Result> {
    const endsAt = performance.now() + longestWaitMs;
    for (;;) {
      await attempts.get(key)?.catch(() => undefined);
      try {
        return await count();
      } catch (error) {
        if (!(error instanceof BucketBusyError)) throw error;
        if (performance.now() >= endsAt) throw locked(error);
      }
      if (attempts.has(key)) continue;
      const attempt = retryUntil(count, endsAt);
      attempts.set(key, attempt);
      try {
        return await attempt;
      } finally {
        attempts.delete(key);
      }
    }
  }

  const leases = createLeases({
    admitByRows: (credential, limit, demand) =>
      run(textOf(credential), () =>
        authenticateAndLimit(pipelined, credential, peppers, limit, demand),
      ),
    giveBack: (limit, unused) => returnLeases({ query }, limit, unused),
    onError,
  });

  return {
    ...leases,
    take: (keyId, limit) => run(keyId, () => takeFromLimit(pipelined, keyId, limit)),
    takeDaily: (accountId, limit) =>
      run(`${limit.policy}:${accountId}`, () => takeFromDay(pipelined, accountId, limit)),
    charge: (keyId, limit, units) => chargeLimit(pipelined, keyId, limit, units),
  };
}

async function retryUntil<Result>(count: () => Promise<Result>, endsAt: number): Promise<Result> {
  const [shortest, longest] = pausesMs;
  for (let pauseMs: number = shortest; ; pauseMs = Math.min(2 * pauseMs, longest)) {
    await delay(pauseMs);
    try {
      return await count();
    } catch (error) {
      if (!(error instanceof BucketBusyError)) throw error;
      if (performance.now() >= endsAt) throw locked(error);
    }
  }
}

function locked(cause: BucketBusyError): AppError {
  return new AppError(
    "overloaded",
    "The requests of this account cannot be counted at the moment. Send the request again after Retry-After.",
    { cause, retryAfterMs: 1_000 },
  );
}
