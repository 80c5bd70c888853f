/** The parts that an engine has loaded, or that a call needs. */
export interface EngineLoad {
  readonly model: string;
  /** LoRAs that are loaded in addition, in a canonical form; empty for none. */
  readonly loras: string;
}

/** The parts that a server loads before it makes an image. */
export type Loads = "nothing" | "loras" | "model";

/** Measured durations of a server for one model, in milliseconds; null before they are known. */
export interface EngineSpeed {
  readonly imageMs: number | null;
  readonly loadMs: number | null;
  readonly lorasMs: number | null;
}

/** A call that has a place at a server, in work or waiting. */
interface PlacedCall extends EngineLoad {
  readonly loads: Loads;
  /** Since the start of the call, in milliseconds; 0 while it waits. */
  readonly runningMs: number;
}

/** A server that may make an image, as known to all workers. */
export interface ServerState {
  readonly url: string;
  readonly weight: number;
  /** The parts that the last started call has loaded; null if unknown. */
  readonly loaded: EngineLoad | null;
  /** In the order in which they start. */
  readonly calls: readonly PlacedCall[];
  /** Jobs of other clients in its queue. */
  readonly jobsOfOthers: number;
  /** Time for which it asked not to be called, in milliseconds. */
  readonly busyMs: number;
  readonly speeds: ReadonlyMap<string, EngineSpeed>;
}

interface ChosenServer {
  readonly url: string;
  readonly loads: Loads;
  /** Expected time until the image is made, in milliseconds. */
  readonly expectedMs: number;
}

/**
 * Assumed until a server has made an image of the model without loading. Loading is assumed to take long:
 * an unnecessary load costs more than an image that waits.
 */
const unmeasured = { imageMs: 5_000, loadMs: 60_000, lorasMs: 5_000 } as const;

/**
 * Chooses the server with the least expected time until the image is made, divided by its weight. Pure.
 *
 * - Loading a model counts twice when it replaces the only copy of another one: without that, two servers
 *   would exchange two models whenever their queues differ.
 * - Images that wait for a worker count for the servers that have their model: a server without the model
 *   loads it when that is faster for all of them.
 *
 * @param backlog images that wait for a worker, by model.
 * @returns null without a server.
 */
export function chooseServer(
  servers: readonly ServerState[],
  needs: EngineLoad,
  backlog: Backlog = new Map(),
): ChosenServer | null {
  const estimate = createEstimate(servers);
  const [best] = servers
    .map((server) => {
      const loads = loadsOf(needs, lastLoadOf(server));
      const loadMs = loadMsOf(server, needs.model, loads, estimate);
      const expectedMs =
        waitOf(server, estimate) + estimate(server, needs.model, "imageMs") + loadMs;
      // A model that no other server has must be loaded again for its next image.
      const replacesCopy = loads === "model" && isOnlyCopy(server, servers);
      const reloadMs = replacesCopy ? loadMs : 0;
      const homeMs = backlogOf(server, servers, backlog, estimate);
      // A server that gives up the only copy of another model relieves none of those that have this one.
      const awayMs = replacesCopy ? shareOf(needs.model, server, servers, backlog, estimate) : 0;
      const cost = (expectedMs + reloadMs + homeMs + awayMs) / server.weight;
      return { url: server.url, loads, expectedMs, cost, server };
    })
    .toSorted((a, b) => a.cost - b.cost || a.server.calls.length - b.server.calls.length);
  if (best === undefined) return null;
  return { url: best.url, loads: best.loads, expectedMs: best.expectedMs };
}

/** Returns the parts that a server has loaded after all calls that it has accepted. */
function lastLoadOf({ calls, loaded }: ServerState): EngineLoad | null {
  return calls.at(-1) ?? loaded;
}

function countCopies(servers: readonly ServerState[], model: string): number {
  return servers.filter((server) => lastLoadOf(server)?.model === model).length;
}

/** Whether no other server has the model that a server has loaded. */
function isOnlyCopy(server: ServerState, servers: readonly ServerState[]): boolean {
  const model = lastLoadOf(server)?.model;
  return model !== undefined && countCopies(servers, model) === 1;
}

type Backlog = ReadonlyMap<string, number>;

/** Time for the server's share of the images that wait for a worker, in milliseconds. */
function backlogOf(
  server: ServerState,
  servers: readonly ServerState[],
  backlog: Backlog,
  estimate: Estimate,
): number {
  const model = lastLoadOf(server)?.model;
  return model === undefined ? 0 : shareOf(model, server, servers, backlog, estimate);
}

/** Time for one server's share of the waiting images of a model, in milliseconds. */
function shareOf(
  model: string,
  server: ServerState,
  servers: readonly ServerState[],
  backlog: Backlog,
  estimate: Estimate,
): number {
  const images = (backlog.get(model) ?? 0) / Math.max(1, countCopies(servers, model));
  return images * estimate(server, model, "imageMs");
}

function loadsOf(needs: EngineLoad, loaded: EngineLoad | null): Loads {
  if (loaded === null || loaded.model !== needs.model) return "model";
  return loaded.loras === needs.loras ? "nothing" : "loras";
}

type Estimate = (server: ServerState, model: string, which: keyof EngineSpeed) => number;

/**
 * Durations of a server for a model that are not measured yet are those of the model at other servers, or
 * those of other models. Assumed and measured durations must not be compared as long as it can be avoided.
 */
function createEstimate(servers: readonly ServerState[]): Estimate {
  const measured = (model: string | null, which: keyof EngineSpeed) =>
    servers.flatMap((server) =>
      [...server.speeds.keys()]
        .filter((name) => model === null || name === model)
        .flatMap((name) => measuredOf(server, name, which) ?? []),
    );
  return (server, model, which) =>
    measuredOf(server, model, which) ??
    meanOf(measured(model, which)) ??
    meanOf(measured(null, which)) ??
    unmeasured[which];
}

function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Null also for a load that was measured together with its image, of which the part is not known yet. */
function measuredOf({ speeds }: ServerState, model: string, which: keyof EngineSpeed) {
  const speed = speeds.get(model);
  return speed === undefined || speed.imageMs === null ? null : speed[which];
}

function loadMsOf(server: ServerState, model: string, loads: Loads, estimate: Estimate): number {
  if (loads === "nothing") return 0;
  return estimate(server, model, loads === "model" ? "loadMs" : "lorasMs");
}

/** Time until the server has made what it has accepted, in milliseconds. */
function waitOf(server: ServerState, estimate: Estimate): number {
  const { busyMs, calls, jobsOfOthers } = server;
  const remaining = calls.map(({ loads, model, runningMs }, index) => {
    const totalMs = estimate(server, model, "imageMs") + loadMsOf(server, model, loads, estimate);
    // The others started waiting in the server when their call began.
    return index === 0 ? Math.max(0, totalMs - runningMs) : totalMs;
  });
  const model = calls[0]?.model ?? server.loaded?.model ?? "";
  const ofOthersMs = jobsOfOthers * estimate(server, model, "imageMs");
  return Math.max(busyMs, ofOthersMs + remaining.reduce((sum, ms) => sum + ms, 0));
}
