import type { Luma } from "./luma.ts";

/** Standard deviation, in levels of brightness, below which an area counts as flat. */
export const flatDeviation = 2.5;
/** No pixel may count for more than this many standard deviations: edges are not signal. */
export const maxDeviation = 2.5;

export interface Normalised {
  /** Brightness less its local mean, in units of its local deviation. */
  readonly values: Float32Array;
  /** Change of each value when its pixel changes by one level. */
  readonly gains: Float32Array;
}

/**
 * Takes out what the image itself looks like, as far as its surroundings tell: the local mean and the
 * local contrast. What is left of a mark weighs more in calm areas.
 *
 * @param radius of the surroundings, in pixels.
 */
export function normalise({ values, width, height }: Luma, radius: number): Normalised {
  const means = boxMean(values, width, height, radius);
  const differences = new Float32Array(values.length);
  const squares = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const difference = values[at]! - means[at]!;
    differences[at] = difference;
    squares[at] = difference * difference;
  }
  const variances = boxMean(squares, width, height, contrastRadius(radius));
  for (let at = 0; at < values.length; at++) {
    const gain = 1 / (Math.sqrt(Math.max(0, variances[at]!)) + flatDeviation);
    variances[at] = gain;
    differences[at] = Math.min(maxDeviation, Math.max(-maxDeviation, differences[at]! * gain));
  }
  return { values: differences, gains: variances };
}

/** Contrast is measured closer than the mean. */
export function contrastRadius(radius: number): number {
  return Math.max(2, Math.round(radius / 2));
}

/** The mean of the square around each pixel, in constant time per pixel. */
function boxMean(
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += values[row + x]!;
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += values[row + x + radius]!;
      if (x - radius > 0) sum -= values[row + x - radius - 1]!;
      rows[row + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
    }
  }
  const sums = new Float64Array(width);
  const means = new Float32Array(values.length);
  const add = (y: number, sign: number) => {
    for (let x = 0; x < width; x++) sums[x]! += sign * rows[y * width + x]!;
  };
  for (let y = 0; y < Math.min(radius, height); y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) add(y + radius, 1);
    if (y - radius > 0) add(y - radius - 1, -1);
    const count = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1;
    for (let x = 0; x < width; x++) means[y * width + x] = sums[x]! / count;
  }
  return means;
}
