import { aspectRatios, pixelSize } from "@atelier/illustrator/pixel-size";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import { editPixels } from "../../edit-size.ts";
import { nearestAspectRatio } from "../../nearest-aspect-ratio.ts";
import type { ImageFile, ProviderEdit, ProviderImage, ProviderRequest } from "../../provider.ts";
import { fitCanvas } from "../edit/canvas.ts";
import { findMaskBounds } from "../edit/mask-forms.ts";
import { invalidRequest } from "../http/call-ended.ts";
import type { PixelSize } from "@atelier/schemas";

interface Box extends PixelSize {
  readonly left: number;
  readonly top: number;
}

/** The scene to draw into an image. */
type EditedScene = Pick<ProviderRequest, "prompt" | "seed" | "references">;

/** An edit, with the image size of its result. */
type EditRequest = EditedScene & Pick<ProviderRequest, "imageSize" | "pixels">;

const fast = { compressionLevel: 1 } as const;

/**
 * Redraws an image inside a mask: the prompt's scene is drawn into the smallest rectangle around the
 * mask and blended in with a feathered edge. Without a mask, the whole image is redrawn and mixed
 * with the scene. `strength` is the share of the scene; default 1 with a mask, 0.75 without.
 *
 * With a mask, the result has the size of the image. Without one, it has the pixels of the image size
 * in the shape of the image.
 *
 * @throws CallEnded `invalid-request` for an image that cannot be read, a mask of another size, or an
 *   unsupported image size.
 */
export async function redraw(request: EditRequest, edit: ProviderEdit): Promise<ProviderImage> {
  const { imageSize, pixels, ...scene } = request;
  const source = await uprightSize(edit.image);
  const size = edit.mask === null ? (pixels ?? editPixels(imageSize, source)) : source;
  if (size === null) throw invalidRequest(`no image size ${imageSize}`);
  const canvas = await fitCanvas(edit, size);
  const { image, mask } = canvas.edit;
  const box = mask === null ? { left: 0, top: 0, ...size } : await boxAround(mask, size);
  const drawnSize = mask === null && pixels === undefined ? imageSize : sizeToFill(box);
  const strength = edit.strength ?? (mask === null ? 0.75 : 1);
  const bytes = await inPixelTurn(size.width * size.height, async () => {
    const drawn = await sharp(await drawScene(scene, box, drawnSize))
      .resize({ width: box.width, height: box.height, fit: "cover" })
      .ensureAlpha(strength)
      .png(fast)
      .toBuffer();
    return sharp(image.bytes)
      .composite([{ input: drawn, left: box.left, top: box.top }])
      .removeAlpha()
      .png(fast)
      .toBuffer();
  });
  return canvas.restore({ bytes, mediaType: "image/png" });
}

async function uprightSize({ bytes }: ImageFile): Promise<PixelSize> {
  try {
    return (await sharp(bytes).metadata()).autoOrient;
  } catch {
    // fitCanvas explains what is wrong.
    return { width: 1, height: 1 };
  }
}

/** The rectangle around the area to change, with a margin for the feather. */
async function boxAround(mask: Uint8Array, { width, height }: PixelSize): Promise<Box> {
  const bounds = await findMaskBounds(mask);
  if (bounds === null) return { left: 0, top: 0, width, height };
  const margin = 10;
  const left = Math.floor((Math.max(0, bounds.left - margin) / 1_000) * width);
  const top = Math.floor((Math.max(0, bounds.top - margin) / 1_000) * height);
  const right = Math.ceil((Math.min(1_000, bounds.right + margin) / 1_000) * width);
  const bottom = Math.ceil((Math.min(1_000, bounds.bottom + margin) / 1_000) * height);
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** Draws a scene in the aspect ratio closest to a box. */
export async function drawScene(
  { prompt, seed, references }: EditedScene,
  box: PixelSize,
  imageSize: string,
): Promise<Uint8Array> {
  const aspectRatio = nearestAspectRatio(aspectRatios, box);
  const { draw } = await import("@atelier/illustrator");
  return draw({ kind: "scene", prompt, references, seed, aspectRatio, imageSize });
}

/** Finds the smallest image size whose drawing fills a box without enlargement; 4K for larger boxes. */
export function sizeToFill({ width, height }: PixelSize): string {
  const aspectRatio = nearestAspectRatio(aspectRatios, { width, height });
  const fitting = ["1K", "2K"].find((name) => {
    const size = pixelSize(aspectRatio, name);
    return size !== null && size.width >= width && size.height >= height;
  });
  return fitting ?? "4K";
}
