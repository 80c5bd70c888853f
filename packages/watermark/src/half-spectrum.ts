import type { Luma } from "./luma.ts";
import { operations } from "./operations.ts";

/** Frequencies along each axis; images of up to so many pixels are transformed without loss. */
export const spectrumSize = 1024;
const half = spectrumSize / 2;
/** The spectrum of real values is symmetric, so that columns above this one are not kept. */
const columns = half + 1;
/** The part of an image at each edge where it fades out. */
const taper = 0.08;

/** The spectrum of an image's middle, by column x ≥ 0 and row y. */
export interface HalfSpectrum {
  readonly re: Float32Array;
  readonly im: Float32Array;
  /** Pixels that were transformed. */
  readonly width: number;
  readonly height: number;
  /** Mean power of the noise in each ring of frequencies. */
  readonly noise: Float64Array;
}

/** Used again in each search: to allocate it takes longer than to transform it. */
const scratch = {
  re: new Float32Array(spectrumSize * spectrumSize),
  im: new Float32Array(spectrumSize * spectrumSize),
};
/** Values are kept by column: lines along y are those of the columns x ≥ 0. */
const alongY = { elements: 1, between: spectrumSize, lines: columns };
const alongX = (height: number) => ({ elements: spectrumSize, between: 1, lines: height });

/**
 * Transforms the middle of an image, faded out at the edges. The next call overwrites the result.
 */
export function transformLuma(luma: Luma): HalfSpectrum {
  const width = Math.min(luma.width, spectrumSize);
  const height = Math.min(luma.height, spectrumSize);
  const [left, top] = [(luma.width - width) >> 1, (luma.height - height) >> 1];
  const { re, im } = scratch;
  re.fill(0);
  im.fill(0);
  const fades = Float64Array.from({ length: height }, (_, y) => fadeAt(y, height));
  for (let x = 0; x < width; x++) {
    const fade = fadeAt(x, width);
    for (let y = 0, from = top * luma.width + left + x; y < height; y++, from += luma.width) {
      re[x * spectrumSize + y] = luma.values[from]! * fade * fades[y]!;
    }
  }
  operations.transformLines(re, im, spectrumSize, [alongX(height), alongY], false);
  return { re, im, width, height, noise: noiseOfRings(re, im) };
}

/** Highest power in the result of `normalisedPower`. */
export const maxPower = 4;

/** Power by column and row, in units of the noise of its ring, at most `maxPower`. */
export function normalisedPower({ re, im, noise }: HalfSpectrum): Float32Array {
  const { rings } = readRings();
  // One more column, so that values between columns can be interpolated.
  const power = new Float32Array(spectrumSize * (columns + 1));
  for (let at = 0; at < rings.length; at++) {
    const mean = noise[rings[at]!]!;
    const value = re[at]! * re[at]! + im[at]! * im[at]!;
    power[at] = mean > 0 ? Math.min(maxPower, value / mean) : 0;
  }
  return power;
}

/** The median of exponentially distributed power, in units of its mean. */
const median = Math.LN2;

/**
 * Limits every frequency to the median of its ring, and returns the image of that: lines and ornaments,
 * which concentrate their energy in few frequencies, no longer outweigh a mark. Overwrites the
 * spectrum.
 */
export function whiten({ re, im, width, height, noise }: HalfSpectrum): Luma {
  const { rings } = readRings();
  for (let at = 0; at < rings.length; at++) {
    const limit = Math.sqrt(median * noise[rings[at]!]!);
    const size = Math.hypot(re[at]!, im[at]!);
    const gain = limit > 0 ? 1 / Math.max(size, limit) : 0;
    re[at]! *= gain;
    im[at]! *= gain;
  }
  operations.transformLines(re, im, spectrumSize, [alongY], true);
  for (let x = columns; x < spectrumSize; x++) {
    const [to, from] = [x * spectrumSize, (spectrumSize - x) * spectrumSize];
    for (let y = 0; y < height; y++) {
      re[to + y] = re[from + y]!;
      im[to + y] = -im[from + y]!;
    }
  }
  operations.transformLines(re, im, spectrumSize, [alongX(height)], true);
  const values = new Float32Array(width * height);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) values[y * width + x] = re[x * spectrumSize + y]!;
  }
  return { values, width, height };
}

/** Every third frequency is enough to measure noise: columns have no multiple of three rows. */
const noiseStep = 3;

interface Rings {
  /** The distance of each frequency from zero. */
  readonly rings: Uint16Array;
  /** How many frequencies of each distance measure noise. */
  readonly ringSizes: Uint32Array;
}

let known: Rings | undefined;

/** Counted when an image is first searched, because most programs that load this module search none. */
function readRings(): Rings {
  known ??= countRings();
  return known;
}

function countRings(): Rings {
  const rings = Uint16Array.from({ length: spectrumSize * columns }, (_, at) => {
    const [x, y] = [Math.floor(at / spectrumSize), at % spectrumSize];
    return Math.floor(Math.hypot(x, y < half ? y : y - spectrumSize));
  });
  const ringSizes = new Uint32Array(spectrumSize);
  for (let at = 0; at < rings.length; at += noiseStep) ringSizes[rings[at]!]!++;
  return { rings, ringSizes };
}

/** The mean of exponentially distributed power that is cut off at twice its mean, in units of it. */
const meanWithin = 1 - Math.exp(-2);
const rounds = 3;

/** Means without what stands out: single lines must not make all others look small. */
function noiseOfRings(re: Float32Array, im: Float32Array): Float64Array {
  const { rings, ringSizes } = readRings();
  let means = new Float64Array(spectrumSize).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round <= rounds; round++) {
    const sums = new Float64Array(spectrumSize);
    for (let at = 0; at < rings.length; at += noiseStep) {
      const power = re[at]! * re[at]! + im[at]! * im[at]!;
      sums[rings[at]!]! += Math.min(2 * means[rings[at]!]!, power);
    }
    means = sums.map(
      (sum, ring) => sum / Math.max(1, ringSizes[ring]!) / (round === 0 ? 1 : meanWithin),
    );
  }
  return means;
}

function fadeAt(at: number, length: number): number {
  return Math.min(1, (Math.min(at, length - 1 - at) + 0.5) / (taper * length));
}
