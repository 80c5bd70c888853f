import type { OutpaintTask, PixelSize } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderImage, ProviderRequest, ProviderTool } from "../../provider.ts";
import { enlarge, putBack } from "../edit/enlarge.ts";
import { drawScene, sizeToFill } from "./edit.ts";
import type { HoleFiller } from "./fill/hole-filler.ts";

/** The width of the transition from the image to the scene: a share of the narrowest margin, in pixels. */
const transition = { share: 0.2, max: 48 };

/**
 * Extends an image: the area around it continues the image, and with a prompt becomes the scene that it
 * names with the distance. The pixels of the image are kept.
 */
export async function extend(
  { prompt, references, seed }: ProviderRequest,
  { image, margins }: Extract<ProviderTool, OutpaintTask>,
  filler: HoleFiller,
): Promise<ProviderImage> {
  const enlarged = await enlarge(image, margins);
  const continued = await filler.fill(enlarged.image.bytes, enlarged.mask);
  const { width, height } = await sharp(continued).metadata();
  if (prompt === "") {
    return putBack({ bytes: continued, mediaType: "image/png" }, image, margins);
  }
  const size = { width, height };
  const narrowest = Math.min(...Object.values(margins).filter((margin) => margin > 0));
  const sigma = Math.max(0.5, Math.min(transition.max, narrowest * transition.share));
  const bytes = await inPixelTurn(width * height, async () => {
    const drawn = await drawScene({ prompt, references, seed }, size, sizeToFill(size));
    return blend(continued, await cover(drawn, size), await shares(enlarged.mask, sigma), size);
  });
  return putBack({ bytes, mediaType: "image/png" }, image, margins);
}

function cover(drawn: Uint8Array, size: PixelSize): Promise<Buffer> {
  return sharp(drawn)
    .resize({ ...size, fit: "cover" })
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** How much each pixel shows of the scene: nothing at the image, and everything away from it. */
function shares(mask: Uint8Array, sigma: number): Promise<Buffer> {
  return (
    sharp(mask)
      .toColourspace("b-w")
      .blur(sigma)
      // Half at the edge of the image becomes nothing.
      .linear(2, -255)
      .raw()
      .toBuffer()
  );
}

async function blend(
  below: Uint8Array,
  scene: Buffer,
  alpha: Buffer,
  size: PixelSize,
): Promise<Buffer> {
  const over = await sharp(scene, { raw: { ...size, channels: 3 } })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(below)
    .composite([{ input: over }])
    .png({ compressionLevel: 1 })
    .toBuffer();
}
