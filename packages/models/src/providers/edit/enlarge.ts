import type { Margins } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ImageFile, ProviderImage } from "../../provider.ts";

const png = { compressionLevel: 1 } as const;

/** An image with an area around it, and the mask of the area. */
interface EnlargedImage {
  /** The edge pixels of the image fill the area. */
  readonly image: ImageFile;
  /** An opaque grey PNG; white marks the area. */
  readonly mask: Buffer;
}

/**
 * Adds an area around an image.
 *
 * @param image upright.
 * @throws Error for an image that cannot be read.
 */
export async function enlarge(image: ImageFile, margins: Margins): Promise<EnlargedImage> {
  const { width, height } = await sharp(image.bytes).metadata();
  return inPixelTurn(pixelsWith(margins, { width, height }), async () => ({
    image: {
      bytes: await sharp(image.bytes)
        .extend({ ...margins, extendWith: "copy" })
        .png(png)
        .toBuffer(),
      mediaType: "image/png",
    },
    mask: await sharp({ create: { width, height, channels: 3, background: "#000" } })
      .extend({ ...margins, background: "#fff" })
      .toColourspace("b-w")
      .png(png)
      .toBuffer(),
  }));
}

/**
 * Puts an image back into its place in an enlarged one: its pixels are exactly what they were.
 *
 * @param result of the size of the enlarged image.
 */
export async function putBack(
  result: ProviderImage,
  image: ImageFile,
  margins: Margins,
): Promise<ProviderImage> {
  const { width, height, hasAlpha } = await sharp(image.bytes).metadata();
  const bytes = await inPixelTurn(pixelsWith(margins, { width, height }), async () => {
    const { data, info } = await sharp({
      create: { width, height, channels: 3, background: "#000" },
    })
      .extend({ ...margins, background: "#fff" })
      .toColourspace("b-w")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const around = await sharp(result.bytes)
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .joinChannel(data, { raw: { width: info.width, height: info.height, channels: 1 } })
      .png(png)
      .toBuffer();
    const whole = sharp(image.bytes)
      .toColourspace("srgb")
      .extend({ ...margins, background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .composite([{ input: around }]);
    return (hasAlpha ? whole : whole.removeAlpha()).png(png).toBuffer();
  });
  return { ...result, bytes, mediaType: "image/png", hasAlpha };
}

function pixelsWith(
  { top, right, bottom, left }: Margins,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  return (width + left + right) * (height + top + bottom);
}
