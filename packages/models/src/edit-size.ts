import { pixelSize } from "@atelier/illustrator/pixel-size";
import { AppError, type PixelSize } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";

/** Built-in models round edges to multiples of 8, so that their images deviate by this share of pixels. */
const rounding = 0.01;

/** Longest edge in pixels of a WebP. */
const maxEdge = 16_383;

/**
 * Computes the pixels of a built-in edit without a mask: those of the image size, in the shape of the
 * edited image. An image that has them already keeps its exact size. A shape whose longer edge would exceed
 * that of the file formats has fewer pixels.
 *
 * @returns null for an unsupported image size.
 */
export function editPixels(imageSize: string, source: PixelSize): PixelSize | null {
  const square = pixelSize("1:1", imageSize);
  if (square === null) return null;
  const edge = square.width;
  const area = edge * edge;
  if (Math.abs((source.width * source.height) / area - 1) <= rounding) return source;
  const isWide = source.width >= source.height;
  const ratio = isWide ? source.width / source.height : source.height / source.width;
  const wantedShort = Math.round(edge / Math.sqrt(ratio));
  const long = Math.min(maxEdge, Math.round(Math.max(1, wantedShort) * ratio));
  const short = Math.max(1, Math.round(long / ratio));
  return isWide ? { width: long, height: short } : { width: short, height: long };
}

/** The part of a model that the size of its edits depends on. */
type EditingModel = Pick<CatalogueEntry, "id" | "procedural" | "prices_eur" | "default_image_size">;

/**
 * Finds the smallest image size of a built-in model that has at least the pixels of an image, or its
 * largest.
 *
 * @returns null for a model of a vendor: its image size states the pixels that the vendor makes, which
 *   are its price, also when the result is scaled to the image.
 */
export function smallestEditSize(
  { procedural, prices_eur }: Pick<EditingModel, "procedural" | "prices_eur">,
  { width, height }: PixelSize,
): string | null {
  if (!procedural) return null;
  const sizes = sortSizes(prices_eur);
  const holding = sizes.find(({ edge }) => edge * edge * (1 + rounding) >= width * height);
  return (holding ?? sizes.at(-1))?.name ?? null;
}

/** Lists the image sizes by their edges, smallest first. */
function sortSizes(prices: EditingModel["prices_eur"]) {
  return Object.keys(prices)
    .map((name) => ({ name, edge: pixelSize("1:1", name)?.width ?? 0 }))
    .filter(({ edge }) => edge > 0)
    .toSorted((one, other) => one.edge - other.edge);
}

/** Finds the smallest image size that makes the same pixels: files limit those of an extreme shape. */
function smallestOfSamePixels(
  { prices_eur }: EditingModel,
  source: PixelSize,
  imageSize: string,
): string {
  const wanted = editPixels(imageSize, source);
  const same = sortSizes(prices_eur).find(({ name }) => {
    const made = editPixels(name, source);
    return made?.width === wanted?.width && made?.height === wanted?.height;
  });
  return same?.name ?? imageSize;
}

/**
 * Chooses the image size of an edit when the size of its image is known.
 *
 * @param requested the image size of the request, if it has one; a smaller one that makes the same pixels is
 *   chosen instead, which costs less.
 * @throws AppError `unsupported_image_size` for another size than that of the image when a mask keeps
 *   it.
 */
export function chooseEditSize(
  entry: EditingModel,
  source: PixelSize,
  { requested, hasMask }: { readonly requested: string | undefined; readonly hasMask: boolean },
): string {
  const smallest = smallestEditSize(entry, source);
  if (smallest === null) return requested ?? entry.default_image_size;
  if (hasMask && requested !== undefined && requested !== smallest) {
    throw new AppError(
      "unsupported_image_size",
      `With a mask, the result keeps the ${source.width}x${source.height} pixels of the image, which are ${smallest} and not ${requested}. Use ${smallest}, or omit the mask to get another size.`,
      { details: { supported: [smallest] } },
    ).at("image_size");
  }
  if (requested === undefined || hasMask) return smallest;
  return smallestOfSamePixels(entry, source, requested);
}
