/**
 * Fast Fourier transform of a power-of-two length (Cooley and Tukey, 1965), in place.
 */
interface Fft {
  readonly size: number;
  /** Transforms `size` complex values that begin at an offset. Neither direction is scaled. */
  transform(re: Float64Array, im: Float64Array, offset: number, inverse: boolean): void;
}

export function createFft(size: number): Fft {
  const bits = Math.log2(size);
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) =>
    Math.cos((2 * Math.PI * at) / size),
  );
  const sines = Float64Array.from({ length: size / 2 }, (_, at) =>
    Math.sin((2 * Math.PI * at) / size),
  );
  const reversed = Uint32Array.from({ length: size }, (_, at) => reverseBits(at, bits));

  function transform(re: Float64Array, im: Float64Array, offset: number, inverse: boolean): void {
    for (let at = 0; at < size; at++) {
      const other = reversed[at]!;
      if (other > at) {
        swap(re, offset + at, offset + other);
        swap(im, offset + at, offset + other);
      }
    }
    const direction = inverse ? 1 : -1;
    const end = offset + size;
    for (let length = 2; length <= size; length *= 2) {
      const half = length / 2;
      const stride = size / length;
      for (let block = offset; block < end; block += length) {
        for (let at = 0; at < half; at++) {
          const cos = cosines[at * stride]!;
          const sin = direction * sines[at * stride]!;
          const even = block + at;
          const odd = even + half;
          const oddRe = re[odd]! * cos - im[odd]! * sin;
          const oddIm = re[odd]! * sin + im[odd]! * cos;
          re[odd] = re[even]! - oddRe;
          im[odd] = im[even]! - oddIm;
          re[even] = re[even]! + oddRe;
          im[even] = im[even]! + oddIm;
        }
      }
    }
  }
  return { size, transform };
}

/**
 * Transforms a square array of complex values, in place.
 *
 * @param highestRow rows further than this from row 0, in either direction, are zero: they are skipped.
 */
export function transformSquare(
  fft: Fft,
  re: Float64Array,
  im: Float64Array,
  inverse: boolean,
  highestRow = fft.size,
): void {
  for (let row = 0; row < fft.size; row++) {
    if (Math.min(row, fft.size - row) > highestRow) continue;
    fft.transform(re, im, row * fft.size, inverse);
  }
  transpose(re, fft.size);
  transpose(im, fft.size);
  for (let row = 0; row < fft.size; row++) fft.transform(re, im, row * fft.size, inverse);
  transpose(re, fft.size);
  transpose(im, fft.size);
}

function transpose(values: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = row + 1; column < size; column++) {
      swap(values, row * size + column, column * size + row);
    }
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const value = values[one]!;
  values[one] = values[other]!;
  values[other] = value;
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
