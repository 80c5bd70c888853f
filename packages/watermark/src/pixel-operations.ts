import { addTile } from "./add-tile.ts";
import { addTiles } from "./add-tiles.ts";
import { transformLines, type Lines } from "./fft.ts";
import type { TileMatrix } from "./geometry.ts";
import { reduceToLuma, resizeLuma, toLuma, type Luma, type Pixels, type Size } from "./luma.ts";
import { normalise, type Normalised } from "./normalise.ts";
import type { StrengthMap } from "./strength.ts";
import { sumPowers, type PowerTable, type WaveList } from "./sum-powers.ts";

/** The operations on each pixel of an image or on each frequency of its spectrum. */
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
  /** See `addTiles` of add-tiles.ts. */
  addTiles(luma: Luma, matrix: TileMatrix, samples: number): Float32Array;
  /** See `transformLines` of fft.ts. */
  transformLines(
    re: Float32Array,
    im: Float32Array,
    size: number,
    passes: readonly Lines[],
    inverse: boolean,
  ): void;
  /** See `sumPowers` of sum-powers.ts. */
  sumPowers(table: PowerTable, geometries: Float32Array, waves: WaveList): Float32Array;
}

/** For processors that cannot run the module; their results define what the module has to return. */
export const scriptOperations: PixelOperations = {
  reduceToLuma,
  resizeToLuma: (pixels, size) => resizeLuma(toLuma(pixels), size),
  resizeLuma,
  normalise,
  addTile,
  addTiles,
  transformLines,
  sumPowers,
};
