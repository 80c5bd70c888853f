import type { Claim } from "@atelier/generations/claims";
import { givePlaceBack, takePlace, type PlaceRequest } from "@atelier/generations/servers";
import { hasTags } from "@atelier/models";
import type { RenderDependencies } from "../dependencies.ts";
import { circuitOpenFailure, longestProbeMs } from "../lanes/lane-circuit.ts";
import { laneOf } from "../lanes/lanes.ts";
import { StaleClaim } from "../render/failures.ts";
import { checkServer } from "./server-health.ts";
import type { PoolServer, ServerPool } from "./server-pool.ts";

/** A claim that needs a server of a pool. */
export interface ServerRequest extends Omit<PlaceRequest, "candidates" | "backlog"> {
  readonly claim: Claim;
  readonly pool: ServerPool;
  /** Servers at which calls for this image failed; used only if there is no other. */
  readonly avoid: ReadonlySet<string>;
}

/** Wait before servers are looked for again when a host name has no address, in milliseconds. */
const unresolvedMs = 5_000;

/**
 * Takes a place at the server with the least expected wait and waits for its turn.
 *
 * @throws TryFailed when every server is down; StaleClaim when another worker took over; the signal's
 *   reason.
 */
export async function takeServer(
  { avoid, claim, pool, ...request }: ServerRequest,
  signal: AbortSignal,
  dependencies: RenderDependencies,
): Promise<PoolServer> {
  const { catalogue, database, laneHealth, waitingCalls } = dependencies;
  /** Found down in this try, or probed by another worker. */
  const excluded = new Set<string>();

  function listCandidates(): readonly PoolServer[] {
    const entry = catalogue.entryOf(claim.model);
    const usable = pool
      .servers()
      .filter((server) => entry === null || hasTags(server, entry))
      .filter(({ url }) => !excluded.has(url) && laneHealth.stateOf(url).kind !== "open");
    const preferred = usable.filter(({ url }) => !avoid.has(url));
    return preferred.length > 0 ? preferred : usable;
  }

  /** Permits one probe of a server that was down: a check first, so that it costs no image. */
  async function admit(server: PoolServer): Promise<boolean> {
    if (laneHealth.stateOf(server.url).kind === "closed") return true;
    if ((await laneHealth.permitCall(server.url, longestProbeMs)) !== null) return false;
    return (await checkServer(pool, server, signal, dependencies)) === "ok";
  }

  async function countBacklog(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { images, lane, model } of await dependencies.backlog()) {
      if (lane !== claim.lane) continue;
      const loaded = pool.needsOf(catalogue.entryOf(model)?.provider_model ?? model).model;
      counts.set(loaded, (counts.get(loaded) ?? 0) + images);
    }
    return counts;
  }

  try {
    for (;;) {
      signal.throwIfAborted();
      const candidates = listCandidates();
      if (candidates.length === 0) throw await noServer(claim, pool, dependencies);
      const backlog = await countBacklog();
      const place = await takePlace(database, { ...request, candidates, backlog });
      if (place === null) throw new StaleClaim();
      const next = place.isStarted
        ? "start"
        : await waitingCalls.wait(claim.renderId, { url: place.url, candidates }, signal);
      const server = pool.find(place.url);
      if (next === "move" || server === undefined) continue;
      if (await admit(server)) return server;
      excluded.add(server.url);
    }
  } catch (error) {
    await givePlaceBack(database, claim, { isImage: false, busyMs: 0 }).catch(() => undefined);
    throw error;
  }
}

/** Opens the circuit of the lane when none of its servers works, so that requests use a fallback. */
async function noServer(
  { lane, renderId }: Claim,
  pool: ServerPool,
  { laneHealth, lanes }: RenderDependencies,
): Promise<Error> {
  const waits = pool.servers().map(({ url }) => {
    const state = laneHealth.stateOf(url);
    return state.kind === "open" ? state.retryAfterMs : 0;
  });
  const waitMs = Math.max(1_000, waits.length === 0 ? unresolvedMs : Math.min(...waits));
  const isAllDown = waits.every((ms) => ms > 0);
  if (isAllDown && laneOf(lanes, lane).breaker !== null) {
    const limits = { failures: 1, coolDownMs: waitMs };
    const reason = "all servers are down";
    await laneHealth.recordFailure({ lane, renderId, reason, limits, callMs: 0 });
  }
  return circuitOpenFailure(lane, waitMs, null);
}
