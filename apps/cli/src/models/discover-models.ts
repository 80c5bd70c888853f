import type { Environment } from "@atelier/configuration";
import { discoverModels, type ProviderSettings } from "@atelier/models";
import type { Answer } from "../answer.ts";
import { loadConfiguredProviders } from "./load-models.ts";

/** Options of `models discover`. */
export interface DiscoverFlags {
  /** EUR. */
  readonly price: string;
  /** URL of the one of several servers to ask. */
  readonly server?: string;
  /** In seconds. */
  readonly timeout: number;
}

/**
 * Asks the server of a provider for its models, and prints entries for the `models` of the provider.
 *
 * @throws StartError for a file of providers that cannot be used.
 * @throws Error for an unknown provider, and for a server that does not say what it has.
 */
export async function discover(
  environment: Environment,
  name: string,
  { price, server, timeout }: DiscoverFlags,
): Promise<Answer> {
  const settings = await findProvider(environment, name);
  const signal = AbortSignal.timeout(timeout * 1_000);
  const models = await discoverModels(settings, { priceEur: price, server, signal });
  return {
    json: { models },
    text: JSON.stringify(models, null, 2),
    note: `Paste this as "models" of "${name}" into PROVIDERS_FILE. Check prices_eur, and remove what clients must not set from client_may_set.`,
  };
}

async function findProvider(environment: Environment, name: string): Promise<ProviderSettings> {
  // The catalogue is not loaded: it may be what the printed entries complete.
  const { usable, unusable } = await loadConfiguredProviders(environment);
  const found = usable.find((provider) => provider.name === name);
  if (found !== undefined) return found;
  const reason = unusable.find((provider) => provider.name === name)?.reason;
  if (reason !== undefined) throw new Error(`The provider "${name}" cannot be used: ${reason}.`);
  const others = usable
    .filter(({ baseUrl, servers }) => baseUrl !== null || servers !== null)
    .map((provider) => provider.name);
  throw new Error(
    others.length === 0
      ? `There is no provider "${name}". Add it with its kind and base_url to PROVIDERS_FILE.`
      : `There is no provider "${name}" in PROVIDERS_FILE. It has ${others.join(", ")}.`,
  );
}
