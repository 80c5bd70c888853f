import { AppError, maxEditPixels, type PixelSize, type ToolTask } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "./pixel-turns.ts";
import type { ImageFile, ProviderEdit, ProviderTool } from "./provider.ts";
import { sizeOfResult } from "./tool-size.ts";

/** Brightness of 255 up to which a pixel counts as black: JPEG masks contain noise. */
const maxBlack = 15;

/** An edit as providers receive it, and the size of its image. */
interface PreparedEdit {
  readonly edit: ProviderEdit;
  readonly width: number;
  readonly height: number;
}

/** The images of an edit, decoded and encoded again before. */
interface EditImages {
  readonly image: ImageFile;
  readonly mask?: ImageFile | null;
  readonly markup?: ImageFile | null;
}

/**
 * Prepares the images of an edit for a provider, and converts the mask to opaque grey: white marks
 * what to change. In a mask with transparency, as clients of OpenAI's API send it, the transparent
 * pixels mark what to change.
 *
 * @param pixels the exact size of the result of an edit without a mask: the image and its markup are
 *   scaled and cropped to it. Default: the result has the shape of the image.
 * @throws AppError `reference_invalid` with the path `image` for too many pixels; `mask` or `markup` for
 *   another size than that of the image; `mask` for one that marks nothing; `markup` for one that is
 *   opaque or empty.
 */
export async function prepareEdit(
  { image, mask = null, markup = null }: EditImages,
  strength: number | null,
  pixels?: PixelSize,
): Promise<PreparedEdit> {
  const size = await sizeOf(image);
  assertEditable(size);
  if (markup !== null) await assertMarkup(markup, size);
  const fit = async (file: ImageFile) => (pixels === undefined ? file : cover(file, pixels));
  const edit: ProviderEdit = {
    kind: "edit",
    image: await fit(image),
    mask: pixels === undefined ? await prepareMask(mask, size) : null,
    ...(markup !== null && { markup: (await fit(markup)).bytes }),
    strength,
  };
  return { edit, ...(pixels ?? size) };
}

/** A tool's task as providers receive it, and the exact size of its result. */
interface PreparedTool {
  readonly task: ProviderTool;
  /** Of the result, or of a result of its shape. */
  readonly shape: PixelSize;
  /** Absent when the model chooses the size. */
  readonly pixels?: PixelSize;
}

/**
 * Prepares the image of a tool, and its mask if it has one, for a provider.
 *
 * @param image decoded and encoded again before.
 * @throws AppError `reference_invalid` with the path `image` for too many pixels, or `mask` for another
 *   size than that of the image and for a mask that marks nothing; `unsupported_image_size` for a result
 *   that no tool makes.
 */
export async function prepareTool(
  task: ToolTask,
  image: ImageFile,
  mask: ImageFile | null,
): Promise<PreparedTool> {
  const size = await sizeOf(image);
  assertEditable(size);
  const pixels = sizeOfResult(task, size);
  return {
    task: { ...task, image, mask: await prepareMask(mask, size) },
    shape: pixels ?? size,
    ...(pixels !== null && { pixels }),
  };
}

/** @throws AppError `reference_invalid` with the path `image` for too many pixels. */
export function assertEditable({ width, height }: PixelSize): void {
  if (width * height <= maxEditPixels) return;
  throw invalid(
    "image",
    "too_many_pixels",
    `The image has ${width}x${height} pixels, and at most ${maxEditPixels} can be edited. Scale it down.`,
  );
}

/** Refuses markup that a model could not tell from the image, or that shows nothing. */
async function assertMarkup(markup: ImageFile, image: PixelSize): Promise<void> {
  await assertSize("markup", markup, image);
  const { hasAlpha } = await sharp(markup.bytes).metadata();
  const alpha = hasAlpha
    ? (await sharp(markup.bytes).extractChannel("alpha").stats()).channels[0]
    : undefined;
  if (alpha === undefined || alpha.min === 255) {
    throw invalid(
      "markup",
      "opaque",
      "The markup is opaque and would hide the image. Make it transparent where nothing is drawn.",
    );
  }
  if (alpha.max === 0) {
    throw invalid("markup", "empty", "The markup shows nothing. Draw a hint, or leave it out.");
  }
}

async function prepareMask(mask: ImageFile | null, image: PixelSize): Promise<Uint8Array | null> {
  if (mask === null) return null;
  await assertSize("mask", mask, image);
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

async function assertSize(
  name: "mask" | "markup",
  file: ImageFile,
  { width, height }: PixelSize,
): Promise<void> {
  const size = await sizeOf(file);
  if (size.width === width && size.height === height) return;
  throw invalid(
    name,
    "wrong_size",
    `The ${name} has ${size.width}x${size.height} pixels and the image ${width}x${height}. Use a ${name} of the size of the image.`,
  );
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
