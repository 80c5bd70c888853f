import { pixelSize } from "@atelier/illustrator";
import type { ModelPixels, PixelSize } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import type { ProviderKind, ProviderSettings } from "./provider-settings.ts";
import { areas as automatic1111Areas } from "./providers/automatic1111/automatic1111.ts";
import { flux2Areas } from "./providers/black-forest-labs/black-forest-labs.ts";
import { areas as comfyUiAreas } from "./providers/comfyui/comfyui.ts";
import { listedPixels } from "./providers/described/traits.ts";
import { pixelsOf, type PixelArea } from "./providers/fit-pixels.ts";
import { CallEnded } from "./providers/http/call-ended.ts";
import { areas as openAiCompatibleAreas } from "./providers/openai-compatible/openai-compatible.ts";
import { openAiPixels } from "./providers/openai/openai-pixels.ts";
import { recraftPixels } from "./providers/recraft/recraft-pixels.ts";
import { areas as sdcppAreas } from "./providers/sdcpp/sdcpp.ts";

type FindPixels = (model: string, aspectRatio: string, imageSize: string) => PixelSize | null;

const fromAreas =
  (areas: Readonly<Record<string, PixelArea>>): FindPixels =>
  (_model, aspectRatio, imageSize) =>
    orNull(() => pixelsOf({ aspectRatio, imageSize }, areas));

/** Null for a size that an adapter refuses. */
function orNull(find: () => PixelSize | null): PixelSize | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof CallEnded) return null;
    throw error;
  }
}

const fromFlux2 = fromAreas(flux2Areas);

/** The pixels that adapters request; other vendors choose them. Diagrams have a shape of their own. */
const finders: Partial<Record<ProviderKind, FindPixels>> = {
  builtin: (model, aspectRatio, imageSize) =>
    model === "diagram" ? null : pixelSize(aspectRatio, imageSize),
  openai: (_model, aspectRatio, imageSize) => openAiPixels(aspectRatio, imageSize),
  recraft: recraftPixels,
  bfl: (model, ...size) => (model.startsWith("flux-2-") ? fromFlux2(model, ...size) : null),
  "openai-compatible": fromAreas(openAiCompatibleAreas),
  sdcpp: fromAreas(sdcppAreas),
  comfyui: fromAreas(comfyUiAreas),
  automatic1111: fromAreas(automatic1111Areas),
};

/**
 * Lists the pixels of a model's images, for each of its aspect ratios and sizes.
 *
 * @param protocol of its provider; null if it is not configured.
 * @returns an empty list when the vendor chooses the pixels.
 */
export function listPixels(entry: CatalogueEntry, protocol: Protocol | null): ModelPixels[] {
  const find = protocol === null ? undefined : finderOf(protocol);
  if (find === undefined) return [];
  return Object.keys(entry.prices_eur).flatMap((image_size) =>
    entry.aspect_ratios.flatMap((aspect_ratio) => {
      const size = find(entry.provider_model, aspect_ratio, image_size);
      return size === null ? [] : [{ aspect_ratio, image_size, ...size }];
    }),
  );
}

/** The facts that decide how a provider is called. */
export type Protocol = Pick<ProviderSettings, "kind" | "description">;

function finderOf({ description, kind }: Protocol): FindPixels | undefined {
  if (description === null) return finders[kind];
  return (...wanted) => orNull(() => listedPixels(description, ...wanted));
}
