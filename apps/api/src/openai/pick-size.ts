import type { CatalogueEntry } from "@atelier/models";
import type { OpenAIQuality } from "@atelier/schemas";

/** The properties of a model that the size depends on. */
type SizedModel = Pick<
  CatalogueEntry,
  "aspect_ratios" | "default_aspect_ratio" | "default_image_size" | "prices_eur"
>;

/** Image sizes that a quality moves up or down. */
const steps: Readonly<Record<OpenAIQuality, number>> = {
  auto: 0,
  low: -1,
  medium: 0,
  standard: 0,
  high: 1,
  hd: 1,
  xhigh: 2,
  max: 2,
};

/**
 * Finds the aspect ratio and image size of a model that are nearest to a size in pixels and a quality.
 *
 * @param wanted.size such as `1536x1024`; the model's defaults for `auto` and when omitted. The distance
 *   of two sizes is their ratio, so that half and twice the size are equally far.
 * @param wanted.quality moves the image size by one or two steps, as far as the model has larger or
 *   smaller ones.
 */
export function pickSize(
  entry: SizedModel,
  {
    size = "auto",
    quality = "auto",
  }: { readonly size?: string | undefined; readonly quality?: OpenAIQuality | undefined },
): { readonly aspectRatio: string; readonly imageSize: string } {
  const { aspectRatio, imageSize } = nearestSize(entry, size);
  return { aspectRatio, imageSize: moveSize(entry, imageSize, steps[quality]) };
}

/**
 * Finds the image size of an edit, whose aspect ratio is that of its image. Undefined for `auto` and
 * when the size is omitted: it then follows the image.
 */
export function pickEditSize(
  entry: SizedModel,
  wanted: Parameters<typeof pickSize>[1],
): string | undefined {
  const { size = "auto", quality = "auto" } = wanted;
  const isDefault = size === "auto" && steps[quality] === 0;
  return isDefault ? undefined : pickSize(entry, wanted).imageSize;
}

function nearestSize(
  { aspect_ratios, default_aspect_ratio, default_image_size, prices_eur }: SizedModel,
  size: string,
): { readonly aspectRatio: string; readonly imageSize: string } {
  if (size === "auto") return { aspectRatio: default_aspect_ratio, imageSize: default_image_size };
  const [width = 1, height = 1] = size.split("x").map(Number);
  const aspectRatio = nearest(aspect_ratios, ratioOf, width / height);
  const imageSize = nearest(Object.keys(prices_eur), edgeOf, Math.sqrt(width * height));
  return {
    aspectRatio: aspectRatio ?? default_aspect_ratio,
    imageSize: imageSize ?? default_image_size,
  };
}

/** Returns the nearest name; null when no name states a value. */
function nearest(
  names: readonly string[],
  measure: (name: string) => number,
  wanted: number,
): string | null {
  const distance = (name: string) => Math.abs(Math.log(measure(name) / wanted));
  const [first] = names
    .filter((name) => measure(name) > 0)
    .toSorted((a, b) => distance(a) - distance(b));
  return first ?? null;
}

/** Sizes without a resolution in their names keep the order of the catalogue. */
function moveSize({ prices_eur }: SizedModel, imageSize: string, step: number): string {
  const sizes = Object.keys(prices_eur).toSorted((a, b) => edgeOf(a) - edgeOf(b));
  const index = sizes.indexOf(imageSize) + step;
  return sizes[Math.min(Math.max(index, 0), sizes.length - 1)] ?? imageSize;
}

function ratioOf(aspectRatio: string): number {
  const [across = 0, down = 1] = aspectRatio.split(":").map(Number);
  return across / down;
}

/** Edge of a square image in pixels: `2K` → 2048. 0 for other kinds of names. */
function edgeOf(imageSize: string): number {
  const [, thousands = "0"] = /^(\d+(?:\.\d+)?)K$/i.exec(imageSize) ?? [];
  return Number(thousands) * 1_024;
}
