/** Waves, as cycles along x and y. */
export interface WaveList {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Power by column x ≥ 0 and row y of a spectrum; the number of rows is a power of two. */
export interface PowerTable {
  readonly power: Float32Array;
  readonly rows: number;
}

/**
 * For each geometry, the sum of the powers nearest to all waves.
 *
 * @param geometries four numbers each: a wave (x, y) is at column a·x + b·y and row c·x + d·y.
 */
export function sumPowers(
  { power, rows }: PowerTable,
  geometries: Float32Array,
  { x: wavesX, y: wavesY }: WaveList,
): Float32Array {
  const sums = new Float32Array(geometries.length / 4);
  for (let index = 0; index < sums.length; index++) {
    const a = geometries[4 * index]!;
    const b = geometries[4 * index + 1]!;
    const c = geometries[4 * index + 2]!;
    const d = geometries[4 * index + 3]!;
    let sum = 0;
    for (let wave = 0; wave < wavesX.length; wave++) {
      let x = a * wavesX[wave]! + b * wavesY[wave]!;
      let y = c * wavesX[wave]! + d * wavesY[wave]!;
      // The spectrum of real values is symmetric.
      if (x < 0) {
        x = -x;
        y = -y;
      }
      sum += power[Math.trunc(x + 0.5) * rows + (Math.trunc(y + rows + 0.5) & (rows - 1))]!;
    }
    sums[index] = sum;
  }
  return sums;
}
