import type { CatalogueEntry } from "@atelier/models";
import { AppError } from "@atelier/schemas";

/** The properties of a model that the size depends on. */
type SizedModel = Pick<
  CatalogueEntry,
  "id" | "aspect_ratios" | "default_aspect_ratio" | "default_image_size" | "prices_eur"
>;

/** The largest deviation of the shape: 1792x1024 is 16:9, and 1024x1024 is not. */
const maxStretch = 1.25;

/** An image has at most this many times the pixels of the size: 1024x1024 for 512x512. */
const maxEnlargement = 4;

/** An image has at least this share of the pixels of the size. */
const minShare = 0.5;

/**
 * Finds the aspect ratio and image size of a model that are nearest to a size in pixels.
 *
 * @param size such as `1536x1024`; the model's defaults for `auto` and when omitted. The distance of two
 *   sizes is their ratio, so that half and twice the size are equally far.
 * @throws AppError `unsupported_image_size` with the path `size` when the model makes nothing like it.
 */
export function pickSize(
  entry: SizedModel,
  size = "auto",
): { readonly aspectRatio: string; readonly imageSize: string } {
  const { aspect_ratios, default_aspect_ratio } = entry;
  const pixels = parsePixels(size);
  if (pixels === null) {
    return { aspectRatio: default_aspect_ratio, imageSize: entry.default_image_size };
  }
  const wanted = pixels.width / pixels.height;
  const aspectRatio = nearest(aspect_ratios, ratioOf, wanted);
  if (aspectRatio !== null) {
    const stretch = ratioOf(aspectRatio) / wanted;
    if (Math.max(stretch, 1 / stretch) > maxStretch) throw noSuchSize(entry, size);
  }
  return {
    aspectRatio: aspectRatio ?? default_aspect_ratio,
    imageSize: pickEditSize(entry, size) ?? entry.default_image_size,
  };
}

/**
 * Finds the image size with the nearest number of pixels; that of an edit, whose aspect ratio is that of
 * its image. Undefined for `auto` and when the size is omitted, so that an edit follows its image, and
 * for a model whose names of sizes state no resolution.
 *
 * @throws AppError as `pickSize`.
 */
export function pickEditSize(entry: SizedModel, size = "auto"): string | undefined {
  const pixels = parsePixels(size);
  if (pixels === null) return undefined;
  const edge = Math.sqrt(pixels.width * pixels.height);
  const imageSize = nearest(Object.keys(entry.prices_eur), edgeOf, edge);
  if (imageSize === null) return undefined;
  const share = (edgeOf(imageSize) / edge) ** 2;
  if (share > maxEnlargement || share < minShare) throw noSuchSize(entry, size);
  return imageSize;
}

function noSuchSize({ id, aspect_ratios, prices_eur }: SizedModel, size: string): AppError {
  const edges = Object.keys(prices_eur)
    .map(edgeOf)
    .filter((edge) => edge > 0);
  const areas = edges.map((edge) => `${edge}x${edge}`).join(", ");
  const message = `${id} makes no image like ${size}. Use "auto", or a size with about the pixels of ${areas} and an aspect ratio of ${aspect_ratios.join(", ")}.`;
  return new AppError("unsupported_image_size", message).at("size");
}

function parsePixels(size: string): { readonly width: number; readonly height: number } | null {
  if (size === "auto") return null;
  const [width = 1, height = 1] = size.split("x").map(Number);
  return { width, height };
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

function ratioOf(aspectRatio: string): number {
  const [across = 0, down = 1] = aspectRatio.split(":").map(Number);
  return across / down;
}

/** Edge of a square image in pixels: `2K` → 2048. 0 for other kinds of names. */
function edgeOf(imageSize: string): number {
  const [, thousands = "0"] = /^(\d+(?:\.\d+)?)K$/i.exec(imageSize) ?? [];
  return Number(thousands) * 1_024;
}
