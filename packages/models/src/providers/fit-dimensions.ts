import sharp from "sharp";
import type { ImageFile } from "../provider.ts";

/** The limits of a vendor for an image. */
interface Dimensions {
  /** Pixels of the shorter edge. Default: no limit. */
  readonly minEdge?: number | undefined;
  /** Default: no limit. */
  readonly maxPixels?: number | undefined;
}

/**
 * Fits an image into the dimensions that a vendor takes: a larger one is scaled down and a smaller one up.
 * A narrow strip, for which no scale fits both, is put on white.
 */
export async function fitDimensions(
  image: ImageFile,
  { maxPixels = Number.POSITIVE_INFINITY, minEdge = 1 }: Dimensions,
): Promise<ImageFile> {
  if (minEdge === 1 && maxPixels === Number.POSITIVE_INFINITY) return image;
  const { width, height } = (await sharp(image.bytes).metadata()).autoOrient;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const longest = maxPixels / minEdge / long;
  const scale =
    short < minEdge
      ? Math.min(minEdge / short, longest)
      : Math.min(1, Math.sqrt(maxPixels / (short * long)), longest);
  if (scale === 1) return image;
  const fitted = {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
  const bytes = await sharp(image.bytes)
    .autoOrient()
    .resize({ ...fitted, fit: "fill" })
    .resize({
      width: Math.max(minEdge, fitted.width),
      height: Math.max(minEdge, fitted.height),
      fit: "contain",
      background: "#fff",
    })
    .flatten({ background: "#fff" })
    .png()
    .toBuffer();
  return { bytes, mediaType: "image/png" };
}
