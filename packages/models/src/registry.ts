import type { Provider } from "./provider.ts";
import type { ProviderTools } from "./providers/kind.ts";
import { kindOf, type ProviderSettings } from "./providers/kinds.ts";

/**
 * Creates the adapter of a provider, named after the provider; null for a custom provider, whose
 * adapter is passed to the worker in code.
 *
 * @throws Error when a file of its settings, such as a workflow, is not usable.
 */
export async function createProvider(
  settings: ProviderSettings,
  tools: ProviderTools,
): Promise<Provider | null> {
  const adapter = await kindOf(settings).create(settings, tools);
  return adapter === null ? null : { ...adapter, name: settings.name };
}

/** The parts that an engine has to load for a call. */
export interface EngineNeeds {
  /** The model, or what selects it; constant for an engine with one model. */
  readonly model: string;
  /** LoRAs that are loaded in addition, in a canonical form; empty for none. */
  readonly loras: string;
}

/**
 * Determines what a server of a provider loads for a call, so that calls with the same needs go to the
 * same server.
 */
export function describeNeeds(
  settings: ProviderSettings,
  model: string,
  loras: readonly { readonly name: string }[] = [],
): EngineNeeds {
  return {
    model: kindOf(settings).loads(model, settings.own),
    loras: [...new Set(loras.map((lora) => lora.name))].toSorted().join(", "),
  };
}
