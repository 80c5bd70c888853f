import type { ProviderRequest } from "../provider.ts";
import { invalidRequest } from "./http/call-ended.ts";
import type { PixelSize } from "@atelier/schemas";

/** The pixel dimensions that a provider produces for an image size such as `1K`. */
export interface PixelArea {
  /** Target area: width × height, in pixels. */
  readonly pixels: number;
  /** Maximum edge length in pixels; elongated images have a smaller area because of it. */
  readonly maxEdge: number;
  /** Both edges are multiples of this many pixels. */
  readonly step: number;
}

/**
 * Computes the pixel size of a request: the exact one that it asks for, or else that of a provider's
 * table of image sizes, for any aspect ratio such as `16:9`.
 *
 * @throws CallEnded `invalid-request` for a size missing from the table or a malformed aspect
 *   ratio.
 */
export function pixelsOf(
  {
    aspectRatio,
    imageSize,
    pixels: exact,
  }: Pick<ProviderRequest, "aspectRatio" | "imageSize" | "pixels">,
  areas: Readonly<Record<string, PixelArea>>,
): PixelSize {
  if (exact !== undefined) return exact;
  const area = Object.hasOwn(areas, imageSize) ? areas[imageSize] : undefined;
  if (area === undefined) throw invalidRequest(`no image size ${imageSize}`);
  const [, across, down] = /^([1-9]\d?):([1-9]\d?)$/.exec(aspectRatio) ?? [];
  if (across === undefined || down === undefined) {
    throw invalidRequest(`no aspect ratio ${aspectRatio}`);
  }
  const ratio = Number(across) / Number(down);
  const { maxEdge, pixels, step } = area;
  const width = Math.sqrt(pixels * ratio);
  const height = Math.sqrt(pixels / ratio);
  const scale = Math.min(1, maxEdge / Math.max(width, height));
  const toStep = (edge: number): number => Math.max(step, Math.round((edge * scale) / step) * step);
  return { width: toStep(width), height: toStep(height) };
}
