import { mulberry32 } from "@atelier/kit";
import type { VariationsTask } from "@atelier/schemas";
import sharp from "sharp";
import { editPixels } from "../../edit-size.ts";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderImage, ProviderRequest, ProviderTool } from "../../provider.ts";
import { invalidRequest } from "../http/call-ended.ts";

const defaultStrength = 0.5;

/**
 * Varies an image by its seed: the frame, the light and the colours, and with half the strength or more also
 * left and right. It has the pixels of the image size in the shape of the image.
 *
 * @throws CallEnded `invalid-request` for an unsupported image size.
 */
export async function vary(
  { imageSize, seed }: Pick<ProviderRequest, "imageSize" | "seed">,
  { image, strength: requested }: Extract<ProviderTool, VariationsTask>,
): Promise<ProviderImage> {
  const strength = requested ?? defaultStrength;
  const { width, height } = await sharp(image.bytes).metadata();
  const size = editPixels(imageSize, { width, height });
  if (size === null) throw invalidRequest(`no image size ${imageSize}`);
  const random = mulberry32(seed);
  // From -1 to 1, times the strength.
  const change = (most: number) => (random() * 2 - 1) * most * strength;
  const zoom = 1 - Math.abs(change(0.3));
  const frame = {
    width: Math.max(1, Math.round(width * zoom)),
    height: Math.max(1, Math.round(height * zoom)),
  };
  const left = Math.round((width - frame.width) * random());
  const top = Math.round((height - frame.height) * random());
  const light = {
    brightness: 1 + change(0.2),
    saturation: 1 + change(0.4),
    hue: Math.round(change(40) + 360) % 360,
  };
  const warmth = change(0.15);
  const isMirrored = random() < 0.5 && strength >= 0.5;
  const bytes = await inPixelTurn(Math.max(width * height, size.width * size.height), () =>
    sharp(image.bytes)
      .toColourspace("srgb")
      .flatten({ background: "#fff" })
      .extract({ left, top, ...frame })
      .resize({ ...size, fit: "fill" })
      .flop(isMirrored)
      .modulate(light)
      .linear([1 + warmth, 1, 1 - warmth], [0, 0, 0])
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  return { bytes, mediaType: "image/png" };
}
