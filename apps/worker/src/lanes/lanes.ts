import { ConfigError } from "@atelier/configuration";
import {
  createProvider,
  testLane,
  type Provider,
  type ProviderSettings,
  type ProviderTools,
} from "@atelier/models";
import type { PixelSize } from "@atelier/schemas";
import type { WorkerConfig } from "../config.ts";
import { createServerPool, type ServerPool } from "../servers/server-pool.ts";

/** A provider with its call limits. */
export interface Lane extends Pick<ProviderSettings, "rateLimit" | "breaker"> {
  readonly provider: Provider;
  /** Several servers of the operator behind the provider; null for one, and for vendors. */
  readonly pool: ServerPool | null;
  /** Concurrent renders in this process. */
  readonly concurrency: number;
  /** Timeout of one call as configured, in milliseconds; null to choose it by the size of the image. */
  readonly timeoutMs: number | null;
}

/**
 * Timeouts without a setting, in milliseconds. Vendors have been observed to take 60 to 250 s for images
 * in high quality, and longer for those of 2K and above.
 */
const usualTimeoutMs = 300_000;
const largeTimeoutMs = 540_000;

/** Above all sizes that vendors name 1K, and below all that they name 2K. */
const largePixels = 2_000_000;

/**
 * Returns the timeout of a call in milliseconds.
 *
 * @param image.pixels null when the vendor chooses them.
 */
export function timeoutOf(
  { timeoutMs }: Pick<Lane, "timeoutMs">,
  image: { readonly imageSize: string; readonly pixels: PixelSize | null },
): number {
  return timeoutMs ?? (isLarge(image) ? largeTimeoutMs : usualTimeoutMs);
}

function isLarge({ imageSize, pixels }: Parameters<typeof timeoutOf>[1]): boolean {
  const [, thousands = "0"] = /^(\d{1,4})K$/i.exec(imageSize) ?? [];
  return Number(thousands) >= 2 || (pixels !== null && pixels.width * pixels.height >= largePixels);
}

/** Lanes by name; a lane has the name of its provider. */
export type Lanes = ReadonlyMap<string, Lane>;

/**
 * Creates the lanes of all providers that this process has an adapter for. Custom providers are
 * served only by workers that have their adapter.
 *
 * @param onError called when the host name of servers cannot be resolved.
 */
export async function createLanes(
  providers: readonly ProviderSettings[],
  customProviders: readonly Provider[],
  tools: ProviderTools,
  config: WorkerConfig,
  onError: (error: unknown) => void = () => undefined,
): Promise<Lanes> {
  const lanes = new Map<string, Lane>();
  for (const settings of providers) {
    const { name, kind, rateLimit, breaker, servers } = settings;
    const seconds = config.PROVIDER_TIMEOUT_SECONDS;
    const timeoutMs = settings.timeoutMs ?? (seconds === undefined ? null : seconds * 1_000);
    // Overrides the adapter's own timeout, which could abort the call earlier.
    const limited = { ...settings, timeoutMs: timeoutMs ?? largeTimeoutMs };
    const provider =
      kind === "custom"
        ? customProviders.find((custom) => custom.name === name)
        : await createProvider(limited, tools);
    if (provider == null) continue;
    const pool = servers === null ? null : await createServerPool(limited, tools, { onError });
    // One worker alone can use all servers.
    const places = pool?.servers().reduce((sum, server) => sum + server.concurrency, 0) ?? 0;
    const concurrency = settings.concurrency ?? Math.max(config.WORKER_CONCURRENCY, places);
    lanes.set(name, { provider, pool, concurrency, timeoutMs, rateLimit, breaker });
  }
  return lanes;
}

/**
 * Returns the lane with a name.
 *
 * @throws Error when this process has no adapter for its provider.
 */
export function laneOf(lanes: Lanes, name: string): Lane {
  const lane = lanes.get(name);
  if (lane === undefined) throw new Error(`this worker has no provider "${name}"`);
  return lane;
}

/**
 * Returns the names of the lanes to serve: those in `WORKER_LANES`, or all. `builtin` includes the
 * lanes of its diagrams and of test jobs.
 *
 * @throws ConfigError for an unknown lane.
 */
export function chooseLanes(wanted: string | undefined, lanes: Lanes): readonly string[] {
  const known = [...lanes.keys()];
  if (wanted === undefined) return known;
  const names = wanted.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !lanes.has(name));
  if (unknown !== undefined) {
    throw new ConfigError(
      `WORKER_LANES: unknown lane "${unknown}". Known lanes: ${known.join(", ")}.`,
    );
  }
  const others = ["builtin-diagrams", testLane].filter((name) => lanes.has(name));
  return [...new Set(names.includes("builtin") ? [...names, ...others] : names)];
}
