import { kindOf, kinds, type ProviderSettings } from "../providers/kinds.ts";
import { describeEntries, type DiscoveredEntry } from "./describe-entry.ts";
import { createReadServer } from "./read-server.ts";

/**
 * Asks an own server which models, samplers and LoRAs it has, and describes them as entries of the
 * catalogue.
 *
 * @param server the one of several servers to ask. Default: the first.
 * @param priceEur price of one image, for the operator to change.
 * @throws Error that says what is wrong and what to do: the server does not respond, refuses the key,
 *   responds in another format, or is of a kind that cannot be asked.
 */
export async function discoverModels(
  settings: ProviderSettings,
  {
    priceEur,
    server,
    signal,
  }: {
    readonly priceEur: string;
    readonly server?: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<DiscoveredEntry[]> {
  const { apiKey, kind, name, own } = settings;
  const { discovery } = kindOf(settings);
  if (discovery === null) throw notAsked(name, kind);
  const baseUrl = chooseServer(settings, server);
  const read = createReadServer({
    provider: name,
    baseUrl,
    credentials: apiKey === null ? {} : { authorization: discovery.authorize(apiKey) },
    signal,
  });
  const found = await discovery.find(read, own);
  if (found.length === 0) {
    throw new Error(`The server of "${name}" has no models. Load one, and try again.`);
  }
  return describeEntries(found, name, priceEur);
}

/** The address of a provider's server. */
function chooseServer(
  { baseUrl, kind, name, servers }: ProviderSettings,
  wanted: string | undefined,
): string {
  const urls = servers?.map(({ url }) => url) ?? [baseUrl].filter((url) => url !== null);
  const [first] = urls;
  if (first === undefined) throw notAsked(name, kind);
  if (wanted === undefined) return first;
  const found = urls.find((url) => url === wanted.replace(/(?<!\/)\/+$/, ""));
  if (found !== undefined) return found;
  throw new Error(`"${name}" has no server ${wanted}. It has ${urls.join(", ")}.`);
}

function notAsked(name: string, kind: string): Error {
  const asked = Object.entries(kinds).flatMap(([other, { discovery }]) =>
    discovery === null ? [] : [other],
  );
  return new Error(
    `"${name}" is of the kind ${kind}, which cannot be asked. Only own servers can: ${asked.slice(0, -1).join(", ")} and ${asked.at(-1)}.`,
  );
}
