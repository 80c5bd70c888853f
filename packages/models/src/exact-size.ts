import { AppError, type ModelPixels, type PixelSize } from "@atelier/schemas";
import type { CatalogueEntry, ExactSizes } from "./catalogue-entry.ts";
import { nearestAspectRatio } from "./nearest-aspect-ratio.ts";

/** The largest number of sizes that a refusal suggests. */
const maxSuggestions = 3;

/** The aspect ratio and image size that an exact size is planned and charged as. */
export interface ResolvedSize {
  /** The model's aspect ratio that is nearest to the size. */
  readonly aspectRatio: string;
  /** The image size whose price it has. */
  readonly imageSize: string;
}

/** Whether a model makes a size exactly. */
export function makesExactly(sizes: ExactSizes | null, { width, height }: PixelSize): boolean {
  if (sizes === null || width * height > sizes.max_pixels) return false;
  return [width, height].every(
    (edge) => edge % sizes.multiple_of === 0 && edge >= sizes.min && edge <= sizes.max,
  );
}

/**
 * Resolves an exact size. Its price is that of the smallest listed size with at least as many pixels.
 *
 * @param listed the model's pixels by aspect ratio and image size.
 * @throws AppError `unsupported_image_size` with the nearest sizes that the model makes.
 */
export function resolveExactSize(
  entry: Pick<CatalogueEntry, "id" | "sizes" | "aspect_ratios" | "prices_eur">,
  wanted: PixelSize,
  listed: readonly ModelPixels[],
): ResolvedSize {
  if (!makesExactly(entry.sizes, wanted)) throw unsupportedSize(entry, wanted, listed);
  const bySize = listed.toSorted((one, other) => areaOf(one) - areaOf(other));
  const priced = bySize.find((one) => areaOf(one) >= areaOf(wanted)) ?? bySize.at(-1);
  return {
    aspectRatio: nearestAspectRatio(entry.aspect_ratios, wanted),
    // A model of another vendor may have prices only: the last is that of its largest size.
    imageSize: priced?.image_size ?? Object.keys(entry.prices_eur).at(-1) ?? "",
  };
}

function unsupportedSize(
  { id, sizes }: Pick<CatalogueEntry, "id" | "sizes">,
  wanted: PixelSize,
  listed: readonly ModelPixels[],
): AppError {
  const nearest =
    sizes === null ? nearestListed(wanted, listed) : [nearestExactSize(sizes, wanted)];
  const rule =
    sizes === null
      ? "it takes no width and height"
      : `it makes multiples of ${sizes.multiple_of} from ${sizes.min} to ${sizes.max}, with at most ${sizes.max_pixels} pixels`;
  const [first] = nearest;
  const advice =
    sizes !== null && first !== undefined
      ? `Use ${first.width}x${first.height}.`
      : "Use aspect_ratio and image_size, or a model with sizes: GET /v1/models lists them.";
  return new AppError(
    "unsupported_image_size",
    `${id} cannot make ${wanted.width}x${wanted.height}: ${rule}. ${advice}`,
    { details: { nearest } },
  ).at("width");
}

/**
 * Finds the nearest size that a model makes exactly: that of the same shape if the wanted one has too many
 * pixels.
 */
export function nearestExactSize(sizes: ExactSizes, { width, height }: PixelSize): PixelSize {
  const scale = Math.min(1, Math.sqrt(sizes.max_pixels / (width * height)));
  // Rounded down, so that the product stays within the limit.
  const round = scale < 1 ? Math.floor : Math.round;
  const fit = (edge: number) => {
    const stepped = round((edge * scale) / sizes.multiple_of) * sizes.multiple_of;
    return Math.min(sizes.max, Math.max(sizes.min, stepped));
  };
  const size = { width: fit(width), height: fit(height) };
  if (areaOf(size) <= sizes.max_pixels) return size;
  // An edge was raised to the minimum, or both were rounded up: the longer one gives way.
  const longest = (shorter: number) =>
    Math.floor(sizes.max_pixels / shorter / sizes.multiple_of) * sizes.multiple_of;
  return size.width >= size.height
    ? { width: longest(size.height), height: size.height }
    : { width: size.width, height: longest(size.width) };
}

function nearestListed(wanted: PixelSize, listed: readonly ModelPixels[]): PixelSize[] {
  const distance = ({ width, height }: PixelSize) =>
    Math.hypot(Math.log(width / wanted.width), Math.log(height / wanted.height));
  return listed
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, maxSuggestions)
    .map(({ width, height }) => ({ width, height }));
}

function areaOf({ width, height }: PixelSize): number {
  return width * height;
}
