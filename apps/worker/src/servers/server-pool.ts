import { lookup } from "node:dns/promises";
import {
  createProvider,
  describeNeeds,
  type EngineNeeds,
  type Provider,
  type ProviderSettings,
  type ProviderTools,
  type ServerSettings,
} from "@atelier/models";

/** A server of a pool, with an adapter of its own. */
export interface PoolServer extends Omit<ServerSettings, "isEveryAddress"> {
  readonly provider: Provider;
  /** Aborts when the server is found to be gone, and with it the jobs in its memory. */
  readonly gone: AbortSignal;
}

/** The servers behind one provider, as this process knows them. */
export interface ServerPool {
  servers(): readonly PoolServer[];
  find(url: string): PoolServer | undefined;
  /** The parts that a server has to load for a model and LoRAs. */
  needsOf(model: string, loras?: readonly { readonly name: string }[]): EngineNeeds;
  /** Ends the calls of this process to a server that is gone. */
  endCalls(url: string): void;
  /** Resolves host names again. A name that cannot be resolved keeps its servers. */
  resolve(): Promise<void>;
}

interface PoolOptions {
  readonly onError: (error: unknown) => void;
  /** Returns the addresses of a host name. Default: the system's resolver. */
  readonly resolveName?: (host: string) => Promise<readonly string[]>;
}

/**
 * Creates the servers of a provider with `base_urls`.
 *
 * @throws Error when a file of the settings, such as a workflow, is not usable.
 */
export async function createServerPool(
  settings: ProviderSettings,
  tools: ProviderTools,
  { onError, resolveName = resolveWithSystem }: PoolOptions,
): Promise<ServerPool> {
  const configured = settings.servers ?? [];
  const known = new Map<string, PoolServer & { readonly control: AbortController }>();

  async function open(server: ServerSettings, url: string) {
    const provider = await createProvider({ ...settings, baseUrl: url }, tools);
    if (provider === null) throw new Error(`the kind of provider ${settings.name} has no servers`);
    const control = new AbortController();
    const { concurrency, tags, weight } = server;
    return { url, concurrency, tags, weight, provider, control, gone: control.signal };
  }

  /** URLs of a configured server; null while its name cannot be resolved. */
  async function urlsOf({ isEveryAddress, url }: ServerSettings): Promise<string[] | null> {
    if (!isEveryAddress) return [url];
    try {
      const addresses = await resolveName(new URL(url).hostname);
      return addresses.map((address) => withHost(url, address));
    } catch (error) {
      onError(error);
      return null;
    }
  }

  /** URLs by configured server. */
  const urls = new Map<ServerSettings, readonly string[]>();

  async function resolve(): Promise<void> {
    for (const server of configured) {
      const found = await urlsOf(server);
      if (found === null) continue;
      urls.set(server, found);
      for (const url of found) {
        if (!known.has(url)) known.set(url, await open(server, url));
      }
    }
    const current = new Set([...urls.values()].flat());
    for (const url of known.keys()) if (!current.has(url)) known.delete(url);
  }
  await resolve();

  return {
    servers: () => [...known.values()],
    find: (url) => known.get(url),
    needsOf: (model, loras) => describeNeeds(settings, model, loras),
    endCalls(url) {
      const server = known.get(url);
      if (server === undefined) return;
      const control = new AbortController();
      known.set(url, { ...server, control, gone: control.signal });
      // Not a TimeoutError, on which an adapter cancels the job at the server.
      server.control.abort(new Error("the server is gone"));
    },
    resolve,
  };
}

async function resolveWithSystem(host: string): Promise<readonly string[]> {
  const addresses = await lookup(host, { all: true });
  return addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href.replace(/(?<!\/)\/+$/, "");
}
