import { outlineText } from "@atelier/diagrams";
import { pixelSize } from "@atelier/illustrator/pixel-size";
import type { GraphicTask } from "@atelier/schemas";
import { rasterizeSvg, sanitizeSvg } from "@atelier/svg";
import type { ProviderImage, ProviderRequest } from "../../provider.ts";
import { invalidRequest } from "../http/call-ended.ts";

/**
 * Draws an icon, a logo or an illustration as SVG and as PNG with alpha.
 *
 * @throws CallEnded `invalid-request` for an unsupported size.
 */
export async function drawMark(
  { aspectRatio, imageSize, prompt, seed }: ProviderRequest,
  { graphic, palette, background }: GraphicTask,
): Promise<{ readonly image: ProviderImage; readonly svg: string }> {
  const size = pixelSize(aspectRatio, imageSize);
  if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  const { drawGraphic } = await import("@atelier/illustrator");
  const drawn = drawGraphic({ kind: graphic, prompt, seed, palette, background, aspectRatio });
  const svg = outlineText(sanitizeSvg(drawn));
  const bytes = await rasterizeSvg(svg, size);
  return { image: { bytes, mediaType: "image/png", hasAlpha: true }, svg };
}
