import type { PixelSize, UpscaleTask } from "@atelier/schemas";
import sharp from "sharp";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderImage, ProviderTool } from "../../provider.ts";

/** The standard deviation of the sharpening mask, in pixels of the image before it was scaled. */
const sharpness = 0.4;

/**
 * Scales an image with Lanczos and sharpens its edges as much as scaling softened them. An image of
 * another shape is cropped to the size.
 */
export async function scaleUp(
  { image }: Extract<ProviderTool, UpscaleTask>,
  { width, height }: PixelSize,
): Promise<ProviderImage> {
  const bytes = await inPixelTurn(width * height, async () => {
    const source = sharp(image.bytes).autoOrient().toColourspace("srgb");
    const { autoOrient } = await source.metadata();
    const factor = Math.max(width / autoOrient.width, height / autoOrient.height);
    return source
      .resize({ width, height, fit: "cover", kernel: "lanczos3" })
      .sharpen({ sigma: Math.max(0.5, sharpness * factor), m1: 0, m2: 1 })
      .png({ compressionLevel: 1 })
      .toBuffer();
  });
  return { bytes, mediaType: "image/png" };
}
