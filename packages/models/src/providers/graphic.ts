import type { GraphicTask } from "@atelier/schemas";
import type { ProviderRequest } from "../provider.ts";

const kinds = {
  icon: "a simple icon with few shapes, centred",
  logo: "a logo: one simple mark, centred",
  illustration: "a flat illustration",
} as const satisfies Record<GraphicTask["graphic"], string>;

/** The prompt of a graphic for a general model; a raw prompt is unchanged. */
export function promptOfGraphic(
  { prompt, rawPrompt = false }: Pick<ProviderRequest, "prompt" | "rawPrompt">,
  { graphic, background }: GraphicTask,
): string {
  if (rawPrompt) return prompt;
  const ground = background === "transparent" ? ", without a background" : "";
  return `${prompt}\n\nDraw it as ${kinds[graphic]}${ground}.`;
}

/** The parts of a colour such as `#1f6feb`, each from 0 to 255. */
export function toRgb(colour: string): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
