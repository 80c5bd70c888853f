import { illustrate } from "./illustrate.ts";
import { ornament } from "./pattern/ornament.ts";
import { pixelSize, viewOf, type PixelSize } from "./pixel-size.ts";
import { rasterise } from "./rasterise.ts";
import type { ReferenceWords } from "./read-request.ts";

/** A request for a picture. The same request gives the same bytes on every machine. */
export interface DrawRequest {
  /** `scene`: people, places and things. `pattern`: an ornament, which ignores references. */
  readonly kind: "scene" | "pattern";
  readonly prompt: string;
  /** Descriptions of the characters and places that the prompt names. */
  readonly references: readonly ReferenceWords[];
  readonly seed: number;
  /** For example `16:9`. */
  readonly aspectRatio: string;
  /** `1K`, `2K` or `4K`. */
  readonly imageSize: string;
  /** The exact size, instead of the one of both. */
  readonly pixels?: PixelSize;
}

/**
 * Draws a prompt with rules, without network access, a model or fonts.
 *
 * @returns an opaque PNG without metadata.
 * @throws RangeError when `pixelSize` has no size for the aspect ratio and image size, and no exact one is
 *   given.
 */
export async function draw(request: DrawRequest): Promise<Uint8Array> {
  const { kind, prompt, references, seed, aspectRatio, imageSize } = request;
  const { pixels } = request;
  const view = pixels === undefined ? pixelSize(aspectRatio, "1K") : viewOf(pixels);
  const size = pixels ?? pixelSize(aspectRatio, imageSize);
  if (view === null || size === null) {
    throw new RangeError(`cannot draw ${imageSize} at ${aspectRatio}`);
  }
  const svg =
    kind === "scene"
      ? illustrate(prompt, references, seed, view, size)
      : ornament(prompt, seed, view, size);
  return rasterise(svg, size);
}
