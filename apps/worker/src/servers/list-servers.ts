import type { LaneHealth } from "@atelier/generations/claims";
import type { Lanes } from "../lanes/lanes.ts";

/** The lanes of a worker. */
interface ServedLanes {
  readonly lanes: Lanes;
  readonly servedLanes: readonly string[];
}

/** URLs of the servers of all pools that this worker serves. */
export function listServers({ lanes, servedLanes }: ServedLanes): readonly string[] {
  const servers = servedLanes.flatMap((lane) => lanes.get(lane)?.pool?.servers() ?? []);
  return [...new Set(servers.map(({ url }) => url))];
}

/** Those of them whose circuits are open. */
export function listServersDown({
  laneHealth,
  ...served
}: ServedLanes & { readonly laneHealth: Pick<LaneHealth, "stateOf"> }): readonly string[] {
  return listServers(served).filter((url) => laneHealth.stateOf(url).kind === "open");
}
