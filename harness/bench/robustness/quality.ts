import type { Pixels } from "@atelier/watermark";

export function psnrOf(one: Pixels, other: Pixels): number {
  let sum = 0;
  for (let at = 0; at < one.data.length; at++) {
    sum += ((one.data[at] ?? 0) - (other.data[at] ?? 0)) ** 2;
  }
  return 10 * Math.log10((255 * 255 * one.data.length) / sum);
}

const block = 8;
/** Z. Wang et al., "Image quality assessment: from error visibility to structural similarity" (2004). */
const [lightness, contrast] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

export function ssimOf(one: Pixels, other: Pixels): number {
  let [sum, blocks] = [0, 0];
  for (let top = 0; top + block <= one.height; top += block) {
    for (let left = 0; left + block <= one.width; left += block) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + block; y++) {
        for (let x = left; x < left + block; x++) {
          const at = (y * one.width + x) * 3;
          const p = brightness(one.data, at);
          const q = brightness(other.data, at);
          a += p;
          b += q;
          aa += p * p;
          bb += q * q;
          ab += p * q;
        }
      }
      const count = block * block;
      const [meanA, meanB] = [a / count, b / count];
      const [varA, varB] = [aa / count - meanA ** 2, bb / count - meanB ** 2];
      const covariance = ab / count - meanA * meanB;
      sum +=
        ((2 * meanA * meanB + lightness) * (2 * covariance + contrast)) /
        ((meanA ** 2 + meanB ** 2 + lightness) * (varA + varB + contrast));
      blocks++;
    }
  }
  return sum / blocks;
}

function brightness(data: Pixels["data"], at: number): number {
  return 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
}
