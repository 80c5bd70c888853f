import {
  rateLimitWindowMs,
  takeFromLimit,
  type RateLimit,
  type RateLimitState,
} from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import type { Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "./context.ts";

/** A limit that requests are counted against. */
export interface Policy extends RateLimit {
  readonly policy: "generate" | "other";
}

export interface Policies {
  readonly generate: Policy;
  readonly other: Policy;
}

export function readPolicies({ config }: Pick<ApiDependencies, "config">): Policies {
  return {
    generate: { policy: "generate", perMinute: config.GENERATIONS_PER_MINUTE },
    other: { policy: "other", perMinute: config.OTHER_REQUESTS_PER_MINUTE },
  };
}

/**
 * Takes a request of a caller that is known already from its limit.
 *
 * @throws AppError `rate_limited`.
 */
export async function limitRate(
  policy: Policy,
  response: Response,
  { database }: Pick<ApiDependencies, "database">,
): Promise<void> {
  const { keyId } = contextOf(response).caller;
  applyLimit(policy, await takeFromLimit(database.pipelined, keyId, policy), response);
}

/**
 * Tells the client what is left of its limit: draft-ietf-httpapi-ratelimit-headers-10.
 *
 * @throws AppError `rate_limited` when there was no room for the request.
 */
export function applyLimit(
  { policy, perMinute }: Policy,
  { allowed, backlogMs }: RateLimitState,
  response: Response,
): void {
  const intervalMs = rateLimitWindowMs / perMinute;
  const remaining = Math.floor((rateLimitWindowMs - backlogMs) / intervalMs);
  response.set({
    "RateLimit-Policy": `"${policy}";q=${perMinute};w=${rateLimitWindowMs / 1_000}`,
    RateLimit: `"${policy}";r=${Math.max(remaining, 0)};t=${Math.ceil(backlogMs / 1_000)}`,
  });
  if (allowed) return;
  throw new AppError(
    "rate_limited",
    `This key may send ${perMinute} such requests a minute. Wait as long as Retry-After says, then send it again.`,
    { details: { limit_per_minute: perMinute }, retryAfterMs: Math.max(intervalMs, 1_000) },
  );
}
