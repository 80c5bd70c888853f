import {
  AppError,
  isResultSize,
  maxResultEdge,
  maxResultPixels,
  type OutpaintTask,
  type PixelSize,
  type ToolTask,
  type UpscaleTask,
} from "@atelier/schemas";

/** The factors that requests may name. */
const minScale = 2;
const maxScale = 4;
/** Rounding of edges to whole pixels. */
const tolerance = 1e-6;

/**
 * Computes the exact size of a tool's result.
 *
 * @param source the size of the image.
 * @returns null for a tool whose result has the model's own size.
 * @throws AppError `unsupported_image_size` for a result that is smaller than the image, more than 4 times
 *   as wide or high, or larger than any result may be.
 */
export function sizeOfResult(task: ToolTask, source: PixelSize): PixelSize | null {
  switch (task.kind) {
    case "upscale":
      return sizeOfScaled(task, source);
    case "outpaint":
      return sizeOfExtended(task, source);
    case "erase":
    case "remove-background":
    case "vectorize":
      return source;
    case "variations":
      return null;
  }
}

function sizeOfExtended({ margins }: OutpaintTask, source: PixelSize): PixelSize {
  const { top, right, bottom, left } = margins;
  const size = { width: source.width + left + right, height: source.height + top + bottom };
  if (isResultSize(size)) return size;
  const [side] = (["top", "right", "bottom", "left"] as const).toSorted(
    (one, other) => margins[other] - margins[one],
  );
  throw unsupported(
    `The image has ${describe(source)} pixels, and the result would have ${describe(size)}. Add fewer: a result has at most ${maxResultPixels} pixels, and edges of at most ${maxResultEdge}.`,
    side ?? "top",
  );
}

function sizeOfScaled({ scale }: UpscaleTask, source: PixelSize): PixelSize {
  if (typeof scale === "number") {
    const size = {
      width: Math.round(source.width * scale),
      height: Math.round(source.height * scale),
    };
    if (isResultSize(size)) return size;
    const largest = floor(largestFactor(source));
    const advice =
      largest < minScale ? "Scale a smaller image up" : `Use a factor of at most ${largest}`;
    throw unsupported(
      `The image has ${describe(source)} pixels; ${scale} times its edges are more than the ${maxResultPixels} pixels that a result may have. ${advice}.`,
      "factor",
    );
  }
  const factor = Math.max(scale.width / source.width, scale.height / source.height);
  if (isResultSize(scale) && factor >= 1 - tolerance && factor <= maxScale + tolerance)
    return scale;
  const possible = Math.max(1, Math.min(factor, maxScale, largestFactor(source)));
  const nearest = {
    width: Math.floor(source.width * possible + tolerance),
    height: Math.floor(source.height * possible + tolerance),
  };
  throw unsupported(
    `The image has ${describe(source)} pixels and cannot be scaled up to ${describe(scale)}: a result has 1 to ${maxScale} times its edges, and at most ${maxResultPixels} pixels. Use ${describe(nearest)}.`,
    "width",
    [nearest],
  );
}

/** The factor that makes the largest result of an image. */
function largestFactor({ width, height }: PixelSize): number {
  return Math.min(
    Math.sqrt(maxResultPixels / (width * height)),
    maxResultEdge / Math.max(width, height),
  );
}

function unsupported(message: string, path: string, nearest: readonly PixelSize[] = []): AppError {
  return new AppError("unsupported_image_size", message, { details: { nearest } }).at(path);
}

function describe({ width, height }: PixelSize): string {
  return `${width}x${height}`;
}

function floor(factor: number): number {
  return Math.floor(factor * 100) / 100;
}
