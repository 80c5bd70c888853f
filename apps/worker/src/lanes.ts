import { ConfigError } from "@atelier/configuration";
import {
  createProvider,
  type Provider,
  type ProviderSettings,
  type ProviderTools,
} from "@atelier/models";
import type { WorkerConfig } from "./config.ts";

/** A provider, and how it is called. */
export interface Lane extends Pick<ProviderSettings, "rateLimit" | "breaker"> {
  readonly provider: Provider;
  /** Images under way at the same time in this process. */
  readonly concurrency: number;
  /** The longest that one call may take. */
  readonly timeoutMs: number;
}

/** By their names, which are those of their providers. */
export type Lanes = ReadonlyMap<string, Lane>;

/**
 * The lanes of all providers that this process has an adapter for: a custom one is served by the
 * workers that were given its adapter.
 */
export async function createLanes(
  providers: readonly ProviderSettings[],
  customProviders: readonly Provider[],
  tools: ProviderTools,
  config: WorkerConfig,
): Promise<Lanes> {
  const lanes = new Map<string, Lane>();
  for (const settings of providers) {
    const { name, kind, rateLimit, breaker } = settings;
    const timeoutMs = settings.timeoutMs ?? config.PROVIDER_TIMEOUT_SECONDS * 1_000;
    const provider =
      kind === "custom"
        ? customProviders.find((custom) => custom.name === name)
        : // Adapters have a limit of their own, which would end a call that may take longer.
          await createProvider({ ...settings, timeoutMs }, tools);
    if (provider == null) continue;
    const concurrency = settings.concurrency ?? config.WORKER_CONCURRENCY;
    lanes.set(name, { provider, concurrency, timeoutMs, rateLimit, breaker });
  }
  return lanes;
}

/**
 * The lane with a name.
 *
 * @throws Error when this process has no adapter for its provider.
 */
export function laneOf(lanes: Lanes, name: string): Lane {
  const lane = lanes.get(name);
  if (lane === undefined) throw new Error(`this worker has no provider "${name}"`);
  return lane;
}

/**
 * The names of the lanes that are served: those that `WORKER_LANES` names, or all.
 *
 * @throws ConfigError for a name that no lane has.
 */
export function chooseLanes(wanted: string | undefined, lanes: Lanes): readonly string[] {
  const known = [...lanes.keys()];
  if (wanted === undefined) return known;
  const names = wanted.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !lanes.has(name));
  if (unknown !== undefined) {
    throw new ConfigError(
      `WORKER_LANES: there is no lane "${unknown}". Known: ${known.join(", ")}.`,
    );
  }
  return names;
}
