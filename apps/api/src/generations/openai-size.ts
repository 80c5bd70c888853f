import type { CatalogueEntry } from "@atelier/models";

/** What is read of a model. */
type SizedModel = Pick<
  CatalogueEntry,
  "aspect_ratios" | "default_aspect_ratio" | "default_image_size" | "prices_eur"
>;

/**
 * The aspect ratio and image size of a model that are nearest to a size in pixels.
 *
 * @param size such as `1536x1024`; the model's defaults for `auto` and when left out. How far two
 *   sizes are apart is judged by their ratio, so that twice and half as much are equally far.
 */
export function nearestSize(
  entry: SizedModel,
  size = "auto",
): { readonly aspectRatio: string; readonly imageSize: string } {
  const { default_aspect_ratio, default_image_size } = entry;
  if (size === "auto") return { aspectRatio: default_aspect_ratio, imageSize: default_image_size };
  const [width = 1, height = 1] = size.split("x").map(Number);
  const aspectRatio = nearest(entry.aspect_ratios, ratioOf, width / height);
  const imageSize = nearest(Object.keys(entry.prices_eur), edgeOf, Math.sqrt(width * height));
  return {
    aspectRatio: aspectRatio ?? default_aspect_ratio,
    imageSize: imageSize ?? default_image_size,
  };
}

/** Null when none of the names says how much it is. */
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

function ratioOf(aspectRatio: string): number {
  const [across = 0, down = 1] = aspectRatio.split(":").map(Number);
  return across / down;
}

/** The edge of a square image in pixels: `2K` → 2048. 0 for a name of another kind. */
function edgeOf(imageSize: string): number {
  const [, thousands = "0"] = /^(\d+(?:\.\d+)?)K$/i.exec(imageSize) ?? [];
  return Number(thousands) * 1_024;
}
