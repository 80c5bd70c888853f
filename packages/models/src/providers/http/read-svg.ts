import { rasterizeSvg, sanitizeSvg, SvgError } from "@atelier/svg";
import type { ProviderImage } from "../../provider.ts";
import { unknown } from "./call-ended.ts";
import type { PixelSize } from "./read-image.ts";

/**
 * Reads an SVG that a provider made: sanitises it and draws it.
 *
 * @param size of the drawing in pixels.
 * @throws CallEnded `unknown` when it is not an SVG that can be sanitised: it was made and lost.
 */
export async function readSvg(
  bytes: Uint8Array,
  size: PixelSize,
): Promise<{ readonly image: ProviderImage; readonly svg: string }> {
  try {
    const svg = sanitizeSvg(new TextDecoder("utf-8", { fatal: true }).decode(bytes), size);
    const png = await rasterizeSvg(svg, size);
    return { image: { bytes: png, mediaType: "image/png", hasAlpha: true }, svg };
  } catch (error) {
    if (error instanceof SvgError) throw unknown(error.message);
    if (error instanceof TypeError) throw unknown("the SVG is not UTF-8");
    throw error;
  }
}
