import { engineParameterNames, type Capability } from "@atelier/schemas";
import type { EngineDefaults } from "../engine-settings.ts";
import type { ProviderKind } from "../provider-settings.ts";

/* Facts about a kind of provider that the catalogue and the adapters share. Descriptions state them themselves. */

const everyModel = () => true;

/** The models whose adapters send an exact size. */
const sizedBy: Partial<Record<ProviderKind, (model: string) => boolean>> = {
  builtin: everyModel,
  "openai-compatible": everyModel,
  sdcpp: everyModel,
  comfyui: everyModel,
  automatic1111: everyModel,
  bfl: (model) => model.startsWith("flux-2-"),
};

const all = [...engineParameterNames, "extra"] as const;

/** The presets and parameters that adapters send; other kinds have none. */
const takenBy: Partial<Record<ProviderKind, readonly (keyof EngineDefaults)[]>> = {
  // LoRAs need a folder of the server.
  "openai-compatible": ["steps", "guidance", "loras", "extra"],
  sdcpp: all,
  automatic1111: all,
  // A workflow has its other settings in its own nodes.
  comfyui: engineParameterNames,
  custom: all,
};

/** Whether the adapter of a kind sends an exact size to a model. */
export function sendsExactSize(kind: ProviderKind, model: string): boolean {
  return sizedBy[kind]?.(model) === true;
}

/** The presets and parameters that the adapter of a kind sends. */
export function parametersTakenBy(kind: ProviderKind): readonly (keyof EngineDefaults)[] {
  return takenBy[kind] ?? [];
}

/** The capabilities of the engine parameters that the adapter of a kind sends. */
export function parameterCapabilities(kind: ProviderKind): Capability[] {
  return engineParameterNames
    .filter((name) => parametersTakenBy(kind).includes(name))
    .map((name) => `parameters.${name}` as const);
}
