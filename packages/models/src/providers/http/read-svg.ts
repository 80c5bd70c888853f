import { LimitError } from "@atelier/kit/limited-process";
import { SvgError, type SvgDrawer } from "@atelier/svg";
import type { ProviderImage } from "../../provider.ts";
import { unknown } from "./call-ended.ts";
import type { PixelSize } from "@atelier/schemas";

/**
 * Reads an SVG that a provider made: sanitises it and draws it.
 *
 * @param size of the drawing in pixels.
 * @param drawer draws in a limited process: the file is not trusted.
 * @throws CallEnded `unknown` when it is not an SVG that can be sanitised and drawn within the limits:
 *   it was made and lost.
 */
export async function readSvg(
  bytes: Uint8Array,
  size: PixelSize,
  drawer: SvgDrawer,
): Promise<{ readonly image: ProviderImage; readonly svg: string }> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const { svg, png } = await drawer.draw(text, size);
    return { image: { bytes: png, mediaType: "image/png", hasAlpha: true }, svg };
  } catch (error) {
    if (error instanceof SvgError || error instanceof LimitError) throw unknown(error.message);
    if (error instanceof TypeError) throw unknown("the SVG is not UTF-8");
    throw error;
  }
}
