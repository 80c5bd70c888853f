import type { TileMatrix } from "./geometry.ts";
import type { Luma } from "./luma.ts";

/**
 * Adds up all tiles of an image.
 *
 * @param samples along a side of the tile, a power of two.
 */
export function addTiles(
  { values, width, height }: Luma,
  { xx, xy, yx, yy }: TileMatrix,
  samples: number,
): Float32Array {
  const tile = new Float32Array(samples * samples);
  const last = samples - 1;
  const [stepX, stepY] = [xx * samples, yx * samples];
  // Far from zero, so that truncation rounds down.
  const offset = samples * 1024;
  let at = 0;
  for (let y = 0; y < height; y++) {
    let u = xy * samples * y + offset;
    let v = yy * samples * y + offset;
    for (let x = 0; x < width; x++, at++, u += stepX, v += stepY) {
      tile[(v & last) * samples + (u & last)]! += values[at]!;
    }
  }
  return tile;
}
