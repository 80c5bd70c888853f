import { automatic1111 } from "./automatic1111/kind.ts";
import { blackForestLabs } from "./black-forest-labs/kind.ts";
import { builtin } from "./builtin/kind.ts";
import { comfyui } from "./comfyui/kind.ts";
import { custom } from "./custom/kind.ts";
import { described } from "./described/kind.ts";
import { gemini } from "./gemini/kind.ts";
import type { CommonSettings, Kind } from "./kind.ts";
import { openaiCompatible } from "./openai-compatible/kind.ts";
import { openai } from "./openai/kind.ts";
import { recraft } from "./recraft/kind.ts";
import { sdcpp } from "./sdcpp/kind.ts";
import { stability } from "./stability/kind.ts";

/** All kinds of providers, by the name that the operator's file has for them. */
export const kinds = {
  openai,
  gemini,
  bfl: blackForestLabs,
  stability,
  recraft,
  "openai-compatible": openaiCompatible,
  sdcpp,
  comfyui,
  automatic1111,
  http: described,
  builtin,
  custom,
} as const;

/** The protocol that a provider speaks. */
export type ProviderKind = keyof typeof kinds;

/** A usable provider, with the settings that its adapter and its lane need. */
export interface ProviderSettings extends CommonSettings {
  readonly kind: ProviderKind;
}

/** The kind of a provider, which understands the `own` settings of its providers. */
export function kindOf({ kind }: Pick<ProviderSettings, "kind">): Kind {
  return kinds[kind];
}
