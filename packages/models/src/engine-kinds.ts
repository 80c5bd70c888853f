import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { Protocol } from "./pixels.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { parametersOf } from "./providers/described/traits.ts";
import { parametersTakenBy } from "./providers/kind-traits.ts";

/**
 * Detects presets and parameters that the provider of a model does not take.
 *
 * @param protocol undefined for a provider that is not usable.
 * @throws Error that names the model and the field.
 */
export function assertParametersTaken(
  { client_may_set, defaults, id }: CatalogueEntry,
  protocol: Protocol | undefined,
): void {
  if (protocol === undefined) return;
  const { description, kind } = protocol;
  const taken = description === null ? parametersTakenBy(kind) : parametersOf(description);
  for (const [field, values] of Object.entries({ defaults, client_may_set })) {
    const unknown = Object.keys(values).find((name) => !taken.some((known) => known === name));
    if (unknown === undefined) continue;
    const advice = taken.length === 0 ? "it takes none" : `it takes ${taken.join(", ")}`;
    throw new Error(
      `The catalogue of models cannot be used: ${field}.${unknown} of ${id} is not taken by the provider kind ${kind}; ${advice}.`,
    );
  }
}

/**
 * Detects LoRAs that a server with OpenAI's API cannot apply: without a folder, or more than the one that
 * vLLM-Omni takes per request.
 *
 * @param settings undefined for a provider that is not usable.
 * @throws Error that names the model and what to do.
 */
export function assertLorasTaken(
  { client_may_set, defaults, id, provider }: CatalogueEntry,
  settings: Pick<ProviderSettings, "kind" | "loraFolder"> | undefined,
): void {
  const loras = (defaults.loras?.length ?? 0) + (client_may_set.loras?.max ?? 0);
  if (settings?.kind !== "openai-compatible" || loras === 0) return;
  if (settings.loraFolder === null) {
    throw new Error(
      `The catalogue of models cannot be used: loras of ${id} need lora_folder of the provider "${provider}".`,
    );
  }
  if (loras > 1) {
    throw new Error(
      `The catalogue of models cannot be used: defaults and client_may_set of ${id} allow ${loras} LoRAs per image, and its server takes one.`,
    );
  }
}
