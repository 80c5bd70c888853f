import { newId } from "@atelier/database";
import type { BreakerLimits } from "@atelier/generations/claims";
import { claimChecks, forgetLoad, recordJobs } from "@atelier/generations/servers";
import type { ServerCheck } from "@atelier/models";
import { startLoop, type Loop } from "@atelier/process";
import type { RenderDependencies } from "../dependencies.ts";
import type { PoolServer, ServerPool } from "./server-pool.ts";

/** Interval of the checks of a server, by one worker of the fleet. */
const checkIntervalMs = 5_000;

/** Longer than the interval, so that a server that stays away stays out of use. */
const goneMs = 15_000;

type HealthDependencies = Pick<
  RenderDependencies,
  "database" | "lanes" | "servedLanes" | "laneHealth" | "logger"
>;

interface PoolWithLimits {
  readonly pool: ServerPool;
  readonly breaker: BreakerLimits | null;
}

/**
 * Asks a server whether it works. One that is gone gets no calls for some seconds, for all workers, and
 * this worker's calls to it end at once.
 */
export async function checkServer(
  pool: ServerPool,
  { provider, url }: PoolServer,
  signal: AbortSignal,
  { database, laneHealth, logger }: Pick<HealthDependencies, "database" | "laneHealth" | "logger">,
): Promise<ServerCheck["kind"]> {
  const checked = (await provider.check?.(signal)) ?? ({ kind: "ok", jobs: null } as const);
  if (checked.kind === "ok") {
    if (checked.jobs !== null) await recordJobs(database, url, checked.jobs);
    return "ok";
  }
  if (signal.aborted) return checked.kind;
  logger.warn({ server: url, reason: checked.message }, `server ${checked.kind}`);
  if (checked.kind === "gone") {
    const limits = { failures: 1, coolDownMs: goneMs };
    const reason = `gone: ${checked.message}`;
    await laneHealth.recordFailure({ lane: url, renderId: newId(), reason, limits, callMs: 0 });
    await forgetLoad(database, url);
    pool.endCalls(url);
  }
  return checked.kind;
}

/** Checks the servers of all pools that this worker serves. Without a pool, no statement is run. */
export function startServerChecks(dependencies: HealthDependencies): Loop | null {
  const { database, laneHealth, lanes, logger, servedLanes } = dependencies;
  const pools = servedLanes.flatMap((lane): PoolWithLimits[] => {
    const { breaker = null, pool = null } = lanes.get(lane) ?? {};
    return pool === null ? [] : [{ pool, breaker }];
  });
  if (pools.length === 0) return null;

  async function checkOne(
    { breaker, pool }: PoolWithLimits,
    server: PoolServer,
    stopped: AbortSignal,
  ): Promise<void> {
    const state = await checkServer(pool, server, stopped, dependencies);
    if (state !== "silent" || breaker === null || stopped.aborted) return;
    // Like a failed image, so that a server that hangs is not called until each call has timed out.
    const failure = { lane: server.url, renderId: newId(), reason: "silent", callMs: 0 };
    await laneHealth.recordFailure({ ...failure, limits: breaker });
  }

  async function checkPool(served: PoolWithLimits, stopped: AbortSignal): Promise<void> {
    const { pool } = served;
    await pool.resolve();
    const urls = pool.servers().map(({ url }) => url);
    const claimed = await claimChecks(database, urls, checkIntervalMs * 0.9);
    // Another worker found it gone: end the calls of this one.
    const failed = urls.filter((url) => laneHealth.stateOf(url).kind === "open");
    await Promise.all(
      [...new Set([...claimed, ...failed])].map(async (url) => {
        const server = pool.find(url);
        if (server === undefined) return;
        await checkOne(served, server, stopped).catch((err: unknown) =>
          logger.warn({ err, server: url }, "server not checked"),
        );
      }),
    );
  }

  const checkPools = (stopped: AbortSignal) =>
    Promise.all(
      pools.map((served) =>
        checkPool(served, stopped).catch((err: unknown) =>
          logger.warn({ err }, "servers of a provider not checked"),
        ),
      ),
    );
  return startLoop(checkPools, {
    firstDelayMs: checkIntervalMs * Math.random(),
    delayMs: () => checkIntervalMs,
    onError: (err) => logger.warn({ err }, "servers not checked"),
  });
}
