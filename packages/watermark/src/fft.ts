/** Lines of complex values in two arrays. */
export interface Lines {
  /** How far the elements of a line are apart, and the beginnings of lines. */
  readonly elements: number;
  readonly between: number;
  readonly lines: number;
}

/** The tables of a transform of a length, a power of two. */
interface FftTables {
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
  /** The place of each element with its bits reversed. */
  readonly reversed: Int32Array;
}

const tables = new Map<number, FftTables>();

export function fftTables(size: number): FftTables {
  const known = tables.get(size);
  if (known !== undefined) return known;
  const angle = (at: number) => (2 * Math.PI * at) / size;
  const bits = Math.log2(size);
  const created = {
    cosines: Float32Array.from({ length: size / 2 }, (_, at) => Math.cos(angle(at))),
    sines: Float32Array.from({ length: size / 2 }, (_, at) => Math.sin(angle(at))),
    reversed: Int32Array.from({ length: size }, (_, at) => reverseBits(at, bits)),
  };
  tables.set(size, created);
  return created;
}

/**
 * Fast Fourier transform of lines of a power-of-two length (Cooley and Tukey, 1965), in place. Neither
 * direction is scaled.
 *
 * @param passes one after the other, on the same values.
 */
export function transformLines(
  re: Float32Array,
  im: Float32Array,
  size: number,
  passes: readonly Lines[],
  inverse: boolean,
): void {
  const { reversed } = fftTables(size);
  const line = { re: new Float64Array(size), im: new Float64Array(size) };
  for (const { elements, between, lines } of passes) {
    for (let first = 0; first < lines * between; first += between) {
      for (let at = 0; at < size; at++) {
        const from = first + reversed[at]! * elements;
        line.re[at] = re[from]!;
        line.im[at] = im[from]!;
      }
      transformLine(line.re, line.im, inverse);
      for (let at = 0; at < size; at++) {
        re[first + at * elements] = line.re[at]!;
        im[first + at * elements] = line.im[at]!;
      }
    }
  }
}

/** @param re its elements are in the order of their reversed bits. */
function transformLine(re: Float64Array, im: Float64Array, inverse: boolean): void {
  const size = re.length;
  const { cosines, sines } = fftTables(size);
  const direction = inverse ? 1 : -1;
  for (let length = 2; length <= size; length *= 2) {
    const half = length / 2;
    const stride = size / length;
    for (let block = 0; block < size; block += length) {
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

/** The passes of a square of values, row by row: rows first, then columns. */
export function squareOf(size: number): Lines[] {
  return [
    { elements: 1, between: size, lines: size },
    { elements: size, between: 1, lines: size },
  ];
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
