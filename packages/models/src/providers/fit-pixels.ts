import type { ProviderRequest } from "../provider.ts";
import { invalidRequest } from "./http/call-ended.ts";
import type { PixelSize } from "./http/read-image.ts";

/** What a provider makes of an image size such as `1K`. */
export interface PixelArea {
  /** Width × height, in pixels, that a picture comes near to. */
  readonly pixels: number;
  /** The longest edge that the provider takes, in pixels: a long picture has fewer pixels for it. */
  readonly maxEdge: number;
  /** What both edges are multiples of, in pixels. */
  readonly step: number;
}

/**
 * The pixels of a request, by a provider's table of image sizes; any aspect ratio such as `16:9`.
 *
 * @throws CallEnded `invalid-request` for a size that is not in the table, or no aspect ratio.
 */
export function pixelsOf(
  { aspectRatio, imageSize }: Pick<ProviderRequest, "aspectRatio" | "imageSize">,
  areas: Readonly<Record<string, PixelArea>>,
): PixelSize {
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
