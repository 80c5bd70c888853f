/** Pixels of 8 bits in sRGB, row by row; three channels, or four with alpha that is not premultiplied. */
export interface Pixels {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

/** Brightness from 0 to 255, row by row. */
export interface Luma {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rec. 601 weights in 1/256; transparent pixels are laid on white. */
const [red, green, blue] = [77, 150, 29];

/** The size of an image whose shorter side has this length, in whole pixels. */
export function sizeAt({ width, height }: Size, shorterSide: number): Size {
  const scale = shorterSide / Math.min(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/**
 * Reduces an image: each pixel of the result is the mean of pixels whose centres lie in it, of all of
 * them or of a regular sample.
 *
 * @param samples at least so many pixels are read along each side of a pixel of the result, where
 *   there are as many.
 */
export function reduceToLuma(
  { data, width, height, channels }: Pixels,
  size: Size,
  samples = Number.POSITIVE_INFINITY,
): Luma {
  const values = new Float32Array(size.width * size.height);
  const step = Math.max(1, Math.floor(width / size.width / samples));
  const firstColumns = firstOf(width, size.width);
  const firstRows = firstOf(height, size.height);
  for (let row = 0; row < size.height; row++) {
    const target = row * size.width;
    let rowsRead = 0;
    for (let y = firstRows[row]!; y < firstRows[row + 1]!; y += step) {
      rowsRead++;
      for (let column = 0; column < size.width; column++) {
        const end = (y * width + firstColumns[column + 1]!) * channels;
        let sum = 0;
        let count = 0;
        for (
          let at = (y * width + firstColumns[column]!) * channels;
          at < end;
          at += step * channels
        ) {
          let value = red * data[at]! + green * data[at + 1]! + blue * data[at + 2]!;
          if (channels === 4) {
            const alpha = data[at + 3]!;
            if (alpha < 255) value = (value * alpha) / 255 + 256 * (255 - alpha);
          }
          sum += value;
          count++;
        }
        values[target + column]! += sum / count;
      }
    }
    const scale = 1 / (256 * rowsRead);
    for (let at = target; at < target + size.width; at++) values[at]! *= scale;
  }
  return { values, ...size };
}

/** For each pixel of the result, and beyond the last, the first pixel whose centre lies in it. */
export function firstOf(from: number, to: number): Int32Array {
  return Int32Array.from({ length: to + 1 }, (_, index) => Math.ceil((index * from) / to - 0.5));
}

/** The brightness of each pixel. */
export function toLuma(pixels: Pixels): Luma {
  return reduceToLuma(pixels, pixels);
}

/** Enlarges or reduces with a triangle filter as wide as the larger of both pixel sizes. */
export function resizeLuma({ values, width, height }: Luma, size: Size): Luma {
  if (size.width === width && size.height === height) return { values, width, height };
  const across = new Float32Array(size.width * height);
  const horizontal = triangleFilter(width, size.width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < size.width; x++) {
      const { first, weights } = horizontal[x]!;
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap++) {
        sum += weights[tap]! * values[y * width + first + tap]!;
      }
      across[y * size.width + x] = sum;
    }
  }
  const resized = new Float32Array(size.width * size.height);
  triangleFilter(height, size.height).forEach(({ first, weights }, y) => {
    for (let tap = 0; tap < weights.length; tap++) {
      const weight = weights[tap]!;
      const from = (first + tap) * size.width;
      const to = y * size.width;
      for (let x = 0; x < size.width; x++) resized[to + x]! += weight * across[from + x]!;
    }
  });
  return { values: resized, ...size };
}

interface Taps {
  readonly first: number;
  readonly weights: Float32Array;
}

function triangleFilter(from: number, to: number): Taps[] {
  const scale = from / to;
  const radius = Math.max(1, scale);
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * scale - 0.5;
    const first = Math.max(0, Math.ceil(centre - radius));
    const last = Math.min(from - 1, Math.floor(centre + radius));
    const weights = Float32Array.from({ length: last - first + 1 }, (__, tap) =>
      Math.max(0, 1 - Math.abs(first + tap - centre) / radius),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

/** The weights of `resizeLuma` in tables: each pixel of the result has the same number of taps. */
export interface TriangleWeights {
  readonly taps: number;
  /** For each pixel of the result, the pixel of its first tap. */
  readonly first: Int32Array;
  readonly weights: Float32Array;
}

export function triangleWeights(from: number, to: number): TriangleWeights {
  const filter = triangleFilter(from, to);
  const taps = Math.max(...filter.map(({ weights }) => weights.length));
  const first = new Int32Array(to);
  const table = new Float32Array(to * taps);
  filter.forEach((pixel, index) => {
    first[index] = Math.min(from - taps, pixel.first);
    table.set(pixel.weights, index * taps + pixel.first - first[index]);
  });
  return { taps, first, weights: table };
}

/** Reduces an image to half its size by means of four pixels; an odd last row or column is dropped. */
export function halve({ values, width, height }: Luma): Luma {
  const size = { width: width >> 1, height: height >> 1 };
  const halved = new Float32Array(size.width * size.height);
  for (let y = 0, at = 0; y < size.height; y++) {
    const upper = 2 * y * width;
    for (let x = 0; x < size.width; x++, at++) {
      const from = upper + 2 * x;
      halved[at] =
        (values[from]! + values[from + 1]! + values[from + width]! + values[from + width + 1]!) / 4;
    }
  }
  return { values: halved, ...size };
}
