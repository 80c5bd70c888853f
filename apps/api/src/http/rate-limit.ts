import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "./context.ts";

const windowMs = 60_000;

/**
 * Limits the requests of one API key by the generic cell rate algorithm: a full bucket allows a burst
 * of `limitPerMinute`, which refills evenly. It is counted in the database, so that all API processes
 * agree, by the database's clock. Headers: draft-ietf-httpapi-ratelimit-headers-10.
 */
export function limitRate(
  policy: "generate" | "other",
  limitPerMinute: number,
  { database }: ApiDependencies,
) {
  const intervalMs = windowMs / limitPerMinute;
  return async (_request: Request, response: Response, next: NextFunction): Promise<void> => {
    const key = `${policy}:${contextOf(response).caller.keyId}`;
    const [taken] = await database.query<{ backlogMs: number }>(
      `INSERT INTO rate_limit AS bucket (key, theoretical_arrival_at)
       VALUES ($1, now() + $2 * interval '1 ms')
       ON CONFLICT (key) DO UPDATE
         SET theoretical_arrival_at =
           greatest(bucket.theoretical_arrival_at, now()) + $2 * interval '1 ms'
         WHERE bucket.theoretical_arrival_at <= now() + ($3 - $2) * interval '1 ms'
       RETURNING (extract(epoch FROM theoretical_arrival_at - now()) * 1000)::float8 AS "backlogMs"`,
      [key, intervalMs, windowMs],
    );
    const backlogMs = taken?.backlogMs ?? windowMs;
    const remaining = Math.floor((windowMs - backlogMs) / intervalMs);
    response.set({
      "RateLimit-Policy": `"${policy}";q=${limitPerMinute};w=${windowMs / 1_000}`,
      RateLimit: `"${policy}";r=${Math.max(remaining, 0)};t=${Math.ceil(backlogMs / 1_000)}`,
    });
    if (taken !== undefined) return next();
    throw new AppError(
      "rate_limited",
      `This key may send ${limitPerMinute} such requests a minute. Wait as long as Retry-After says, then send it again.`,
      { details: { limit_per_minute: limitPerMinute }, retryAfterMs: Math.max(intervalMs, 1_000) },
    );
  };
}
