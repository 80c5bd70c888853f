import { pixelSize } from "@atelier/illustrator/pixel-size";
import { inPixelTurn } from "../../pixel-turns.ts";
import type { ProviderRequest } from "../../provider.ts";
import { invalidRequest } from "../http/call-ended.ts";

/**
 * Draws the picture of a prompt and its references.
 *
 * @throws CallEnded `invalid-request` for an unsupported size.
 */
export async function drawPicture(
  request: ProviderRequest,
  kind: "scene" | "pattern",
): Promise<Uint8Array> {
  const { aspectRatio, imageSize, pixels } = request;
  const size = pixels ?? pixelSize(aspectRatio, imageSize);
  if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  const { draw } = await import("@atelier/illustrator");
  return inPixelTurn(size.width * size.height, () => draw({ ...request, kind }));
}
