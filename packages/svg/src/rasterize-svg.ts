import sharp from "sharp";
import { sanitizeSvg, SvgError } from "./sanitize-svg.ts";

/**
 * Draws an SVG as a PNG with alpha, in this process and without limits of time and memory: only for
 * SVG of this service. The SVG is sanitised first. Others are drawn by `createSvgDrawer`.
 *
 * @param size of the PNG in pixels; the drawing keeps its shape and is centred.
 * @throws SvgError when it cannot be sanitised or drawn.
 */
export async function rasterizeSvg(
  text: string,
  size: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const svg = sanitizeSvg(text, size);
  try {
    return await sharp(Buffer.from(svg))
      .resize({ ...size, fit: "fill" })
      .ensureAlpha()
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch (cause) {
    throw new SvgError("The SVG cannot be drawn.", { cause });
  }
}
