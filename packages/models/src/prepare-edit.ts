import { AppError, type PixelSize } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "./pixel-turns.ts";
import type { ImageFile, ProviderEdit } from "./provider.ts";

/** Largest number of pixels of an image to edit: those of the largest image that models make. */
export const maxEditPixels = 4_096 * 4_096;

/** Brightness of 255 up to which a pixel counts as black: JPEG masks contain noise. */
const maxBlack = 15;

/** An edit as providers receive it, and the size of its image. */
interface PreparedEdit {
  readonly edit: ProviderEdit;
  readonly width: number;
  readonly height: number;
}

/**
 * Prepares the images of an edit for a provider, and converts the mask to opaque grey: white marks
 * what to change. In a mask with transparency, as clients of OpenAI's API send it, the transparent
 * pixels mark what to change.
 *
 * @param image decoded and encoded again before, as the mask.
 * @param pixels the exact size of the result of an edit without a mask: the image is scaled and cropped
 *   to it. Default: the result has the shape of the image.
 * @throws AppError `reference_invalid` with the path `image` for too many pixels, or `mask` for
 *   another size than that of the image and for a mask that marks nothing.
 */
export async function prepareEdit(
  image: ImageFile,
  mask: ImageFile | null,
  strength: number | null,
  pixels?: PixelSize,
): Promise<PreparedEdit> {
  const size = await sizeOf(image);
  const { width, height } = size;
  if (width * height > maxEditPixels) {
    throw invalid(
      "image",
      "too_many_pixels",
      `The image has ${width}x${height} pixels, and at most ${maxEditPixels} can be edited. Scale it down.`,
    );
  }
  if (pixels !== undefined) {
    return {
      edit: { kind: "edit", image: await cover(image, pixels), mask: null, strength },
      ...pixels,
    };
  }
  return { edit: { kind: "edit", image, mask: await prepareMask(mask, size), strength }, ...size };
}

async function prepareMask(
  mask: ImageFile | null,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array | null> {
  if (mask === null) return null;
  const size = await sizeOf(mask);
  if (size.width !== width || size.height !== height) {
    throw invalid(
      "mask",
      "wrong_size",
      `The mask has ${size.width}x${size.height} pixels and the image ${width}x${height}. Use a mask of the size of the image.`,
    );
  }
  const picture = sharp(mask.bytes);
  const { hasAlpha } = await picture.metadata();
  const isTransparent = hasAlpha && !(await picture.stats()).isOpaque;
  const grey = isTransparent
    ? sharp(mask.bytes).extractChannel("alpha").negate()
    : sharp(mask.bytes).removeAlpha().toColourspace("b-w");
  const prepared = await grey.toColourspace("b-w").png({ compressionLevel: 1 }).toBuffer();
  const [brightness] = (await sharp(prepared).stats()).channels;
  if (brightness === undefined || brightness.max <= maxBlack) {
    throw invalid(
      "mask",
      "nothing_to_change",
      "The mask marks nothing to change. Make the area to change white, or leave the mask out.",
    );
  }
  return prepared;
}

function cover(image: ImageFile, { width, height }: PixelSize): Promise<ImageFile> {
  return inPixelTurn(Math.max(width * height, maxEditPixels / 4), async () => ({
    mediaType: "image/png",
    bytes: await sharp(image.bytes)
      .autoOrient()
      .resize({ width, height, fit: "cover" })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  }));
}

async function sizeOf({ bytes }: ImageFile): Promise<{ width: number; height: number }> {
  const { width, height } = (await sharp(bytes).metadata()).autoOrient;
  return { width, height };
}

function invalid(path: string, reason: string, message: string): AppError {
  return new AppError("reference_invalid", message, { details: { reason } }).at(path);
}
