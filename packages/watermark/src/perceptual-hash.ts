import type { Luma, Pixels } from "./luma.ts";
import { operations } from "./operations.ts";

const side = 64;
/** Cosine terms along each axis, without the constant one. */
const terms = 16;
const perceptualHashBits = terms * terms;

/**
 * A fingerprint of what an image looks like: 256 bits that stay nearly the same when it is encoded
 * again, reduced, or changed in colour and contrast, and that change when it is cut or turned. Made
 * like PDQ (Meta, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm", 2019):
 * the signs of the lowest cosine terms of the brightness, against their median.
 *
 * @returns 64 hexadecimal digits.
 */
export function perceptualHash(pixels: Pixels): string {
  const { values } = toSquare(pixels);
  const columns = new Float64Array(terms * side);
  for (let term = 0; term < terms; term++) {
    for (let y = 0; y < side; y++) {
      let sum = 0;
      for (let x = 0; x < side; x++) sum += cosines[term * side + x]! * values[y * side + x]!;
      columns[term * side + y] = sum;
    }
  }
  const spectrum = new Float64Array(perceptualHashBits);
  for (let down = 0; down < terms; down++) {
    for (let across = 0; across < terms; across++) {
      let sum = 0;
      for (let y = 0; y < side; y++) sum += cosines[down * side + y]! * columns[across * side + y]!;
      spectrum[down * terms + across] = sum;
    }
  }
  const sorted = spectrum.toSorted();
  const median = (sorted[perceptualHashBits / 2 - 1]! + sorted[perceptualHashBits / 2]!) / 2;
  let digits = "";
  for (let at = 0; at < perceptualHashBits; at += 4) {
    let digit = 0;
    for (let bit = 0; bit < 4; bit++) digit = 2 * digit + Number(spectrum[at + bit]! > median);
    digits += digit.toString(16);
  }
  return digits;
}

/** The number of bits, of 256, in which two hashes differ. */
export function hashDistance(one: string, other: string): number {
  let difference = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let distance = 0;
  for (; difference > 0n; difference >>= 32n)
    distance += countBits(Number(difference & 0xffffffffn));
  return distance;
}

/** The number of ones in 32 bits (H. Warren, "Hacker's Delight", section 5-1). */
function countBits(value: number): number {
  let count = value - ((value >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  count = (count + (count >>> 4)) & 0x0f0f0f0f;
  return Math.imul(count, 0x01010101) >>> 24;
}

const cosines = Float64Array.from({ length: terms * side }, (_, index) => {
  const [term, at] = [Math.floor(index / side) + 1, index % side];
  return Math.cos((Math.PI * term * (at + 0.5)) / side);
});

function toSquare(pixels: Pixels): Luma {
  const size = { width: side, height: side };
  const { width, height } = pixels;
  // Means of whole pixels are exact enough where each cell has many.
  return Math.min(width, height) >= 8 * side
    ? operations.resizeLuma(
        operations.reduceToLuma(pixels, { width: 4 * side, height: 4 * side }, 4),
        size,
      )
    : operations.resizeToLuma(pixels, size);
}
