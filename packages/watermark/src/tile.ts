/**
 * The mark is one tile of waves, repeated over the whole image (a periodic watermark: M. Kutter,
 * "Watermarking resistant to translation, rotation and scaling", SPIE 1998). Each wave completes a
 * whole number of cycles in the tile, so that the spectrum of a marked image has peaks on a lattice.
 * The lattice tells scale and rotation, whatever the tile says.
 */

/** Sides of the tile in the shorter side of an image. Not a whole number: ornaments repeat in those. */
export const tilesPerSide = 512 / 68;

/** Samples along a side of the tile when it is read. */
export const tileSamples = 64;

/** Cycles per tile. Lower waves drown in the image, higher ones do not survive reduction. */
const lowest = 2.5;
const highest = 14;

/** The largest number of cycles along one axis. */
export const maxCycles = Math.floor(highest);

/** A wave of the tile: cycles along x and y. Of each pair of opposite waves only one is listed. */
export interface Wave {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export const waves: readonly Wave[] = listWaves();

/** Each wave carries one chip in its cosine and one in its sine. */
export const chipCount = 2 * waves.length;

function listWaves(): Wave[] {
  const found: Wave[] = [];
  for (let y = 0; y <= maxCycles; y++) {
    for (let x = y === 0 ? 1 : -maxCycles; x <= maxCycles; x++) {
      const radius = Math.hypot(x, y);
      if (radius >= lowest && radius <= highest) found.push({ x, y, radius });
    }
  }
  return found;
}
