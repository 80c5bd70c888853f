import type { Pixels } from "./luma.ts";
import type { StrengthMap } from "./strength.ts";
import { tilesPerSide } from "./tile.ts";

/** Samples along a side of the tile that is added. */
export const addedTile = 136;

/**
 * How much each colour changes for a change of brightness by 1. Green makes most of the brightness and
 * blue little, so that less change is needed than with equal shares (0.9 dB).
 */
export const [redShare, greenShare, blueShare] = [0.85, 1.15, 0.62];

/** Adds the tile, repeated and stretched over the image, as strongly as the map says. */
export function addTile(
  { data, width, height, channels }: Pixels,
  tile: Float32Array,
  map: StrengthMap,
) {
  const target = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  const side = Math.min(width, height);
  const tileScale = (addedTile * tilesPerSide) / side;
  const columns = new Uint16Array(width);
  const fractions = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const position = ((x + 0.5) * tileScale - 0.5 + addedTile) % addedTile;
    columns[x] = Math.floor(position);
    fractions[x] = position - Math.floor(position);
  }
  // One more sample than the tile has: the first one again.
  const tileRow = new Float32Array(addedTile + 1);
  const { column: mapColumn, fraction: mapFraction } = map.columns(width);
  const mapRow = new Float32Array(map.width);
  for (let y = 0, at = 0; y < height; y++) {
    const position = ((y + 0.5) * tileScale - 0.5 + addedTile) % addedTile;
    const upper = Math.floor(position) * addedTile;
    const lower = ((Math.floor(position) + 1) % addedTile) * addedTile;
    const share = position - Math.floor(position);
    for (let x = 0; x < addedTile; x++) {
      tileRow[x] = tile[upper + x]! + (tile[lower + x]! - tile[upper + x]!) * share;
    }
    tileRow[addedTile] = tileRow[0]!;
    map.readRow(y, height, mapRow);
    for (let x = 0; x < width; x++, at += channels) {
      if (channels === 4 && target[at + 3] === 0) continue;
      const column = columns[x]!;
      const wave = tileRow[column]! + (tileRow[column + 1]! - tileRow[column]!) * fractions[x]!;
      const cell = mapColumn[x]!;
      const strength = mapRow[cell]! + (mapRow[cell + 1]! - mapRow[cell]!) * mapFraction[x]!;
      const change = wave * strength;
      // The array rounds to the nearest integer, and clamps.
      target[at] = target[at]! + redShare * change;
      target[at + 1] = target[at + 1]! + greenShare * change;
      target[at + 2] = target[at + 2]! + blueShare * change;
    }
  }
}
