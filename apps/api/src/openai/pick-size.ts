import { makesExactly, nearestExactSize, type CatalogueEntry } from "@atelier/models";
import { AppError, findName, findRatio, type ModelPixels, type PixelSize } from "@atelier/schemas";

/** The properties of a model that the size depends on. */
type SizedModel = Pick<
  CatalogueEntry,
  "id" | "aspect_ratios" | "default_aspect_ratio" | "default_image_size" | "prices_eur" | "sizes"
>;

/** The size of an image in the terms of this service: exact pixels, or names of the model. */
type PickedSize = PixelSize | { readonly aspect_ratio: string; readonly image_size: string };

/** The largest deviation of the shape: 1792x1024 is 16:9, and 1024x1024 is not. */
const maxStretch = 1.25;

/** The largest deviation of pixels from the ratio that they are meant to have. */
const maxRounding = 0.03;

/** An image has at most this many times the pixels of the size: 1024x1024 for 512x512. */
const maxEnlargement = 4;

/** An image has at least this share of the pixels of the size. */
const minShare = 0.5;

/**
 * Finds the size of a model that is nearest to a size in pixels, which is the same size if the model makes
 * it exactly.
 *
 * @param listed the model's pixels by aspect ratio and image size.
 * @param size such as `1536x1024`, `16:9` or `2K`; the model's defaults for `auto` and when omitted. The distance
 *   of two sizes is their ratio, so that half and twice the size are equally far.
 * @throws AppError `unsupported_image_size` with the path `size` when the model makes nothing like it.
 */
export function pickSize(
  entry: SizedModel,
  listed: readonly ModelPixels[],
  size = "auto",
): PickedSize {
  const { aspect_ratios, default_aspect_ratio, default_image_size, sizes } = entry;
  const pixels = parsePixels(size);
  if (pixels === null) {
    const ratio = findRatio(aspect_ratios, size);
    const image_size = findName(Object.keys(entry.prices_eur), size);
    if (size !== "auto" && ratio === undefined && image_size === undefined) {
      throw noSuchSize(entry, size);
    }
    return {
      aspect_ratio: ratio ?? default_aspect_ratio,
      image_size: image_size ?? default_image_size,
    };
  }
  const { width, height } = pixels;
  const same = listed.find((one) => one.width === width && one.height === height);
  if (same !== undefined) {
    return { aspect_ratio: same.aspect_ratio, image_size: same.image_size };
  }
  const wanted = shapeOf(pixels);
  if (sizes !== null) {
    const nearestSize = nearestExactSize(sizes, pixels);
    const isAlike =
      isShapeAlike(shapeOf(nearestSize), wanted) &&
      isAreaAlike(areaOf(nearestSize), areaOf(pixels));
    if (isAlike) return nearestSize;
    throw noSuchSize(entry, size);
  }
  const aspectRatio = nearest(aspect_ratios, ratioOf, wanted);
  if (aspectRatio !== null && !isShapeAlike(ratioOf(aspectRatio), wanted)) {
    throw noSuchSize(entry, size);
  }
  return {
    aspect_ratio: aspectRatio ?? default_aspect_ratio,
    image_size: pickImageSize(entry, pixels, size) ?? default_image_size,
  };
}

/**
 * Finds the size of an edit: the same size if the model makes it exactly, or the image size with the
 * nearest number of pixels, in the shape of the image. Empty for `auto` and when the size is omitted, so
 * that an edit follows its image, and for a model whose names of sizes state no resolution.
 *
 * @param hasMask a mask keeps the size of the image, so that no exact size is possible.
 * @throws AppError as `pickSize`.
 */
export function pickEditSize(
  entry: SizedModel,
  size = "auto",
  hasMask = false,
): PixelSize | { readonly image_size?: string } {
  const pixels = parsePixels(size);
  if (pixels === null) {
    if (size === "auto") return {};
    const image_size = findName(Object.keys(entry.prices_eur), size);
    // An edit has the shape of its image, so that no ratio is possible.
    if (image_size === undefined) throw noSuchSize({ ...entry, aspect_ratios: [] }, size);
    return { image_size };
  }
  if (!hasMask && makesExactly(entry.sizes, pixels)) return pixels;
  const image_size = pickImageSize(entry, pixels, size);
  return image_size === undefined ? {} : { image_size };
}

function pickImageSize(entry: SizedModel, pixels: PixelSize, size: string): string | undefined {
  const edge = Math.sqrt(areaOf(pixels));
  const imageSize = nearest(Object.keys(entry.prices_eur), edgeOf, edge);
  if (imageSize === null) return undefined;
  if (!isAreaAlike(edgeOf(imageSize) ** 2, areaOf(pixels))) throw noSuchSize(entry, size);
  return imageSize;
}

/** Whether pixels have an aspect ratio, such as 1792x1024 that of 16:9. */
export function hasRatio(pixels: PixelSize, aspectRatio: string): boolean {
  return Math.abs(shapeOf(pixels) / ratioOf(aspectRatio) - 1) <= maxRounding;
}

/** Whether an image size is the one that is nearest to pixels. */
export function hasImageSize(
  { prices_eur }: Pick<SizedModel, "prices_eur">,
  pixels: PixelSize,
  imageSize: string,
): boolean {
  return nearest(Object.keys(prices_eur), edgeOf, Math.sqrt(areaOf(pixels))) === imageSize;
}

function isShapeAlike(ratio: number, wanted: number): boolean {
  return Math.max(ratio / wanted, wanted / ratio) <= maxStretch;
}

function isAreaAlike(area: number, wanted: number): boolean {
  return area <= maxEnlargement * wanted && area >= minShare * wanted;
}

function noSuchSize({ id, aspect_ratios, prices_eur, sizes }: SizedModel, size: string): AppError {
  const names = Object.keys(prices_eur);
  const edges = names.map(edgeOf).filter((edge) => edge > 0);
  const areas = edges.map((edge) => `${edge}x${edge}`).join(", ");
  const pixels =
    sizes === null
      ? `pixels in one of these shapes, with about the area of ${areas}`
      : `edges from ${sizes.min} to ${sizes.max}`;
  const listed = ['"auto"', ...names, ...aspect_ratios].join(", ");
  const message = `${id} makes no image like ${size}. Use ${listed}, or ${pixels}.`;
  return new AppError("unsupported_image_size", message).at("size");
}

/** Reads a size in pixels; null for `auto`, ratios and names. */
export function parsePixels(size: string): PixelSize | null {
  const [, width, height] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size) ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
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

function shapeOf({ width, height }: PixelSize): number {
  return width / height;
}

function areaOf({ width, height }: PixelSize): number {
  return width * height;
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
