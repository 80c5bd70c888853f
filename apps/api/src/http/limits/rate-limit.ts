import { rateLimitWindowMs, type RateLimitState } from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import type { Response } from "express";
import type { Needs } from "../../dependencies.ts";
import { contextOf, type RequestContext } from "../context.ts";
import type { Policy } from "../policy.ts";

/** Whose requests a policy counts, where it is not the key. */
const owners: Partial<Record<Policy["policy"], string>> = {
  verify: "address",
  view: "address",
  "view-link": "link",
  "webhook-test": "webhook",
  "webhook-retry": "webhook",
};

interface Policies {
  readonly generate: Policy;
  readonly other: Policy;
  /** The same limit, for reads that clients repeat. */
  readonly polled: Policy;
  /** Per client address. */
  readonly verify: Policy;
  /** Of shared pages; per client address. */
  readonly view: Policy;
}

export function readPolicies({ config }: Needs<"config">): Policies {
  const other = { policy: "other", perMinute: config.OTHER_REQUESTS_PER_MINUTE } as const;
  return {
    generate: { policy: "generate", perMinute: config.GENERATIONS_PER_MINUTE },
    other,
    polled: { ...other, isLeased: true },
    verify: { policy: "verify", perMinute: config.VERIFICATIONS_PER_MINUTE },
    view: { policy: "view", perMinute: config.SHARE_VIEWS_PER_MINUTE },
  };
}

/**
 * Takes a request of an admitted caller from an additional limit.
 *
 * @throws AppError `rate_limited`.
 */
export async function limitRate(
  policy: Policy,
  response: Response,
  { admissions }: Needs<"admissions">,
): Promise<void> {
  applyLimit(policy, await admissions.take(contextOf(response).caller.keyId, policy), response);
}

/** Part of a refused body that costs one more request, in bytes. */
const bytesPerUnit = 65_536;

/**
 * Charges a request that created no job for its body: one request for every 64 kB beyond the first. A
 * client that repeats large bodies reaches its limit sooner.
 */
export async function chargeBody(
  response: Response,
  { admissions, logger }: Needs<"admissions" | "logger">,
): Promise<void> {
  const { bodyBytes = 0 } = response.locals as Partial<RequestContext>;
  await chargeWork(response, Math.ceil(bodyBytes / bytesPerUnit) - 1, { admissions, logger });
}

/** Part of a refused upload that costs one more request, in bytes. */
const uploadBytesPerUnit = 1_048_576;

/** Charges a request that was refused after its images were received: one request for each MB of them. */
export async function chargeRefusedUpload(
  error: unknown,
  bytes: number,
  response: Response,
  dependencies: Needs<"admissions" | "logger">,
): Promise<void> {
  if (!(error instanceof AppError) || error.status >= 500) return;
  await chargeWork(response, Math.ceil(bytes / uploadBytesPerUnit), dependencies);
}

/**
 * Charges an admitted request that cost as much as several.
 *
 * @param units the requests beyond the one that was counted on admission.
 */
export async function chargeWork(
  response: Response,
  units: number,
  { admissions, logger }: Needs<"admissions" | "logger">,
): Promise<void> {
  const { requestId, caller, policy } = response.locals as Partial<RequestContext>;
  if (caller === undefined || policy === undefined || units < 1) return;
  try {
    const left = await admissions.charge(caller.keyId, policy, units);
    if (left !== null && !response.headersSent) setLimitHeaders(policy, left, response);
  } catch (error) {
    logger.warn({ err: error, requestId }, "the work of a request was not charged");
  }
}

/**
 * Sends the rate limit headers to the client.
 *
 * @throws AppError `rate_limited` when the request exceeds the limit.
 */
export function applyLimit(policy: Policy, state: RateLimitState, response: Response): void {
  setLimitHeaders(policy, state, response);
  if (!state.allowed) throw rateLimited(policy, state);
}

/** Returns the error for a limit that is counted elsewhere and is used up, and sends its headers. */
export function limitExceeded(policy: Policy, response: Response): AppError {
  const state = { allowed: false, backlogMs: rateLimitWindowMs };
  setLimitHeaders(policy, state, response);
  return rateLimited(policy, state);
}

function rateLimited(policy: Policy, state: RateLimitState): AppError {
  return new AppError(
    "rate_limited",
    `This ${owners[policy.policy] ?? "key"} may send ${policy.perMinute} such requests a minute. Send the request again after Retry-After.`,
    {
      details: { limit_per_minute: policy.perMinute },
      retryAfterMs: waitUntilNext(policy, state),
    },
  );
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers-10. The draft wants `t` and `Retry-After` to
 * name the same time: without a request left, `t` is the time until the next one, else until all are.
 */
function setLimitHeaders(policy: Policy, state: RateLimitState, response: Response): void {
  const { policy: name, perMinute } = policy;
  const windowSeconds = rateLimitWindowMs / 1_000;
  const remaining = Math.floor(
    ((rateLimitWindowMs - state.backlogMs) * perMinute) / rateLimitWindowMs,
  );
  const resetMs = remaining < 1 ? waitUntilNext(policy, state) : state.backlogMs;
  response.set({
    "RateLimit-Policy": `"${name}";q=${perMinute};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${Math.max(remaining, 0)};t=${Math.ceil(resetMs / 1_000)}`,
  });
}

/** Time until a bucket without a request left has one, in milliseconds; at least a second, the unit of `Retry-After`. */
function waitUntilNext({ perMinute }: Policy, { backlogMs }: RateLimitState): number {
  return Math.max(backlogMs - rateLimitWindowMs + rateLimitWindowMs / perMinute, 1_000);
}
