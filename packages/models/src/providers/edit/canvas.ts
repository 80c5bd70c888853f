import sharp from "sharp";
import type { ProviderEdit, ProviderImage } from "../../provider.ts";
import { inPixelTurn } from "../../pixel-turns.ts";
import { invalidRequest, unknown } from "../http/call-ended.ts";
import type { PixelSize } from "@atelier/schemas";

/** A rectangle in pixels. */
interface Box extends PixelSize {
  readonly left: number;
  readonly top: number;
}

/** An edit whose images have exactly the size of the image that the provider makes. */
interface EditCanvas {
  /** The image as an opaque PNG, the mask as a grey PNG, and the markup, all of the canvas' size. */
  readonly edit: ProviderEdit;
  /**
   * Converts the provider's image back to the shape of the edited one. With a mask, it has exactly
   * the size of the edited image, whose pixels outside of the mask are kept.
   *
   * @throws CallEnded `unknown` for a damaged image.
   */
  restore(image: ProviderImage): Promise<ProviderImage>;
}

/** Fast; the image is encoded again when it is marked. */
const png = { compressionLevel: 1 } as const;

/**
 * Fits an edit onto the pixels that a provider makes. The image is scaled to fit inside and centred;
 * its edge pixels fill the rest, which the mask protects.
 *
 * @throws CallEnded `invalid-request` for an image that cannot be read, or a mask or markup of another
 *   size.
 */
export async function fitCanvas(edit: ProviderEdit, canvas: PixelSize): Promise<EditCanvas> {
  const source = await sizeOf(edit.image.bytes);
  const box = fitBox(source, canvas);
  const margins = {
    left: box.left,
    top: box.top,
    right: canvas.width - box.left - box.width,
    bottom: canvas.height - box.top - box.height,
  };
  const size = { width: box.width, height: box.height, fit: "fill" as const };
  const pixels = Math.max(source.width * source.height, canvas.width * canvas.height);
  const fitted = await inPixelTurn(pixels, async () => ({
    ...edit,
    image: { bytes: await fitImage(), mediaType: "image/png" as const },
    mask: edit.mask === null ? null : await fitMask(edit.mask),
    ...(edit.markup != null && { markup: await fitMarkup(edit.markup) }),
  }));
  return {
    edit: fitted,
    async restore(result) {
      try {
        const restored = await inPixelTurn(pixels, async () => {
          const cropped = await cropResult(result, box, canvas);
          return edit.mask === null ? cropped : keepUnmasked(edit, edit.mask, cropped, source);
        });
        const isManifestLost = restored.bytes !== result.bytes && mayHaveManifest(result.bytes);
        return isManifestLost ? { ...restored, original: result.bytes } : restored;
      } catch {
        throw unknown("the pixels of the image cannot be read");
      }
    },
  };

  function fitImage(): Promise<Buffer> {
    return sharp(edit.image.bytes)
      .autoOrient()
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .resize(size)
      .extend({ ...margins, extendWith: "copy" })
      .png(png)
      .toBuffer();
  }

  async function fitMask(mask: Uint8Array): Promise<Uint8Array> {
    await assertSourceSize("mask", mask);
    return sharp(mask)
      .removeAlpha()
      .toColourspace("b-w")
      .resize(size)
      .extend({ ...margins, background: "#000" })
      .png(png)
      .toBuffer();
  }

  async function fitMarkup(markup: Uint8Array): Promise<Uint8Array> {
    await assertSourceSize("markup", markup);
    return sharp(markup)
      .ensureAlpha()
      .toColourspace("srgb")
      .resize(size)
      .extend({ ...margins, background: "#0000" })
      .png(png)
      .toBuffer();
  }

  async function assertSourceSize(name: string, bytes: Uint8Array): Promise<void> {
    const { width, height } = await sizeOf(bytes);
    if (width === source.width && height === source.height) return;
    throw invalidRequest(
      `the ${name} has ${width}x${height} pixels, and the image ${source.width}x${source.height}`,
    );
  }
}

/** Whether a file may have a C2PA manifest: the label of every manifest store is `c2pa` (C2PA 2.4, 11.1.4). */
export function mayHaveManifest(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("c2pa");
}

/** The largest centred box with the shape of `source` inside a canvas. */
function fitBox(source: PixelSize, canvas: PixelSize): Box {
  const scale = Math.min(canvas.width / source.width, canvas.height / source.height);
  const width = Math.max(1, Math.min(canvas.width, Math.round(source.width * scale)));
  const height = Math.max(1, Math.min(canvas.height, Math.round(source.height * scale)));
  return {
    left: Math.floor((canvas.width - width) / 2),
    top: Math.floor((canvas.height - height) / 2),
    width,
    height,
  };
}

/** Cuts out the part of the result that shows the edited image. */
async function cropResult(
  result: ProviderImage,
  box: Box,
  canvas: PixelSize,
): Promise<ProviderImage> {
  if (box.width === canvas.width && box.height === canvas.height) return result;
  // Some models deviate slightly from the size that was asked for.
  const { width, height } = await sizeOf(result.bytes);
  const left = Math.round((box.left * width) / canvas.width);
  const top = Math.round((box.top * height) / canvas.height);
  const bytes = await sharp(result.bytes)
    .autoOrient()
    .extract({
      left,
      top,
      width: Math.max(1, Math.min(width - left, Math.round((box.width * width) / canvas.width))),
      height: Math.max(
        1,
        Math.min(height - top, Math.round((box.height * height) / canvas.height)),
      ),
    })
    .png(png)
    .toBuffer();
  return { ...result, bytes, mediaType: "image/png" };
}

/**
 * Composites a result over the edited image through the mask with a feathered edge: far inside the
 * mask it is the result, far outside exactly the edited image.
 */
async function keepUnmasked(
  edit: ProviderEdit,
  mask: Uint8Array,
  result: ProviderImage,
  source: PixelSize,
): Promise<ProviderImage> {
  const alpha = await sharp(mask)
    .removeAlpha()
    .toColourspace("b-w")
    .blur(featherSigma(source))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const changed = await sharp(result.bytes)
    .autoOrient()
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .resize({ ...source, fit: "fill" })
    .joinChannel(alpha.data, { raw: { ...source, channels: 1 } })
    .png(png)
    .toBuffer();
  const bytes = await sharp(edit.image.bytes)
    .autoOrient()
    .toColourspace("srgb")
    .composite([{ input: changed }])
    .png(png)
    .toBuffer();
  const { hasAlpha } = await sharp(bytes).metadata();
  return { bytes, mediaType: "image/png", hasAlpha };
}

/** Standard deviation of the feather in pixels: the edge fades over about six of them. */
function featherSigma({ width, height }: PixelSize): number {
  return Math.min(8, Math.max(0.5, Math.min(width, height) / 256));
}

async function sizeOf(bytes: Uint8Array): Promise<PixelSize> {
  try {
    return (await sharp(bytes).metadata()).autoOrient;
  } catch {
    throw invalidRequest("the image to edit cannot be read");
  }
}
