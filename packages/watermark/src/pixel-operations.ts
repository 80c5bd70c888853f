import { addTile } from "./add-tile.ts";
import { reduceToLuma, resizeLuma, toLuma, type Luma, type Pixels, type Size } from "./luma.ts";
import { normalise, type Normalised } from "./normalise.ts";
import type { StrengthMap } from "./strength.ts";

/** What is done with each pixel of an image. */
export interface PixelOperations {
  /** See `reduceToLuma` of luma.ts. */
  reduceToLuma(pixels: Pixels, size: Size, samples?: number): Luma;
  /** The brightness of an image in another size, by a triangle filter. */
  resizeToLuma(pixels: Pixels, size: Size): Luma;
  /** See `resizeLuma` of luma.ts. */
  resizeLuma(luma: Luma, size: Size): Luma;
  /** See `normalise` of normalise.ts. */
  normalise(luma: Luma, radius: number): Normalised;
  /** See `addTile` of add-tile.ts. */
  addTile(pixels: Pixels, tile: Float32Array, map: StrengthMap): void;
}

/** For processors that cannot run the module; their results define what the module has to return. */
export const scriptOperations: PixelOperations = {
  reduceToLuma,
  resizeToLuma: (pixels, size) => resizeLuma(toLuma(pixels), size),
  resizeLuma,
  normalise,
  addTile,
};
