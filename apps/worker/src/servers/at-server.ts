import type { Claim, EarlierCall } from "@atelier/generations/claims";
import { givePlaceBack, resumePlace } from "@atelier/generations/servers";
import { mergeParameters, type ProviderOutcome } from "@atelier/models";
import type { RenderDependencies } from "../dependencies.ts";
import { providerFailure, StaleClaim, TryFailed } from "../render/failures.ts";
import type { CalledProvider, RunningTry } from "../render/steps/call-provider.ts";
import { checkServer } from "./server-health.ts";
import type { PoolServer, ServerPool } from "./server-pool.ts";
import { takeServer } from "./take-server.ts";

interface PooledCall {
  readonly pool: ServerPool;
  /** The server of a call that continues there; null for a new call. */
  readonly resumeAt: PoolServer | null;
  /** Earlier calls for the image. */
  readonly earlier: readonly EarlierCall[];
}

/** Outcomes of a server that may be gone, with what it was working on. */
const mayBeGone: ReadonlySet<ProviderOutcome["kind"]> = new Set([
  "unavailable",
  "unknown",
  "timed-out",
]);

/** Waits of a server that is full are short: another one may be free. */
const longestBusyMs = 30_000;

/**
 * Makes a call at a server of a pool, and gives its place back when the call has ended.
 *
 * @returns the outcome and its cost; `rate-limited`, and outcomes of a server that is gone, are thrown as TryFailed:
 *   the image is made by another server. The attempt counts only if an earlier call for the image was lost too.
 */
export async function atServer(
  claim: Claim,
  { earlier, pool, resumeAt }: PooledCall,
  { record, signal }: RunningTry,
  dependencies: RenderDependencies,
  call: (server: PoolServer) => Promise<CalledProvider>,
): Promise<CalledProvider> {
  const { catalogue, database, logger, metrics } = dependencies;
  const { attempt, lane, remainingMs, renderId } = claim;
  const entry = catalogue.entryOf(claim.model);
  const { loras } = mergeParameters(entry?.defaults ?? {}, claim.spec.parameters);
  const needs = pool.needsOf(entry?.provider_model ?? claim.model, loras);
  const request = { renderId, attempt, needs, remainingMs };

  async function enter(): Promise<PoolServer> {
    if (resumeAt === null) {
      const avoid = new Set(earlier.flatMap((one) => (isFailed(one) ? (one.server ?? []) : [])));
      return takeServer({ ...request, claim, pool, avoid }, signal, dependencies);
    }
    if (!(await resumePlace(database.repeatable, request, resumeAt.url))) throw new StaleClaim();
    return resumeAt;
  }

  const server = await record.step("server", enter);
  let end = { isImage: false, busyMs: 0 };
  metrics.serverEntered(server.url);
  try {
    const called = await call(server);
    const { outcome } = called;
    metrics.serverCalled(lane, server.url, outcome.kind);
    if (outcome.kind === "image") end = { isImage: true, busyMs: 0 };
    if (outcome.kind === "rate-limited") {
      end = { isImage: false, busyMs: Math.min(outcome.retryAfterMs ?? 1_000, longestBusyMs) };
      throw new TryFailed(providerFailure("The servers are busy.", null), "rate_limited", {
        isUncounted: true,
      });
    }
    if (!mayBeGone.has(outcome.kind) || signal.aborted) return called;
    const state = server.gone.aborted
      ? "gone"
      : await checkServer(pool, server, signal, dependencies);
    if (state !== "gone") {
      // Another server may be free at once.
      return outcome.kind === "unavailable"
        ? { ...called, outcome: { ...outcome, retryAfterMs: null } }
        : called;
    }
    const cause = "message" in outcome ? new Error(outcome.message) : undefined;
    throw new TryFailed(
      providerFailure("The server that made the image is down.", null, cause),
      outcome.kind === "unavailable" ? "unavailable" : "unknown",
      { isUncounted: outcome.kind === "unavailable" || !earlier.some(isLostAtServer) },
    );
  } finally {
    metrics.serverLeft(server.url);
    await givePlaceBack(database, claim, end).catch((err: unknown) =>
      logger.warn({ err, server: server.url }, "a place at a server was not given back"),
    );
  }
}

/** A request that crashes its engine loses a call at each server, and must not be tried at all of them. */
function isLostAtServer({ outcome, server }: EarlierCall): boolean {
  return outcome === "unknown" && server !== null;
}

function isFailed({ outcome }: EarlierCall): boolean {
  return outcome === null || outcome === "unavailable" || outcome === "unknown";
}

/**
 * Finds the server at which a call can be resumed; null when it is no longer configured or gone, so that
 * the image has to be made by another one.
 */
export async function findResumable(
  pool: ServerPool,
  { server: url }: EarlierCall,
  signal: AbortSignal,
  dependencies: RenderDependencies,
): Promise<PoolServer | null> {
  const server = url === null ? undefined : pool.find(url);
  if (server === undefined) return null;
  return (await checkServer(pool, server, signal, dependencies)) === "gone" ? null : server;
}
