import { createHash } from "node:crypto";
import {
  createWatermarkKey,
  detectWatermarks,
  embedWatermark,
  type Pixels,
} from "@atelier/watermark";
import { attacks } from "./attacks.ts";
import { toPixels, toSharp, type Picture } from "./pictures.ts";

/** Reading with another key is statistically independent, so each negative counts once per key. */
const keyCount = 16;
const keys = Array.from({ length: keyCount }, (_, index) =>
  createWatermarkKey(Buffer.from(`benchmark of the watermark ${index}`)),
);
const [key] = keys as [(typeof keys)[number]];

export interface Marked {
  readonly name: string;
  readonly kind: Picture["kind"];
  /** In dB, over all channels. */
  readonly psnr: number;
  /** Structural similarity of the luminance, mean over blocks of 8 × 8. */
  readonly ssim: number;
  /** Names of the attacks that the mark survived. */
  readonly found: readonly string[];
  /** Detected ids that were never embedded. */
  readonly wrong: number;
  readonly detectionMs: number;
}

/** Marks a picture and reads the mark after each attack. */
export async function measureMarked(picture: Picture, strength: number): Promise<Marked> {
  const original = await picture.load();
  const pixels = { ...original, data: Buffer.from(original.data) };
  const id = createHash("sha256").update(picture.name).digest("hex").slice(0, 16);
  embedWatermark(pixels, id, key, { strength });
  const found: string[] = [];
  let wrong = 0;
  let cpuMs = 0;
  for (const { name, apply } of attacks) {
    const attacked = await apply(pixels);
    const started = process.cpuUsage();
    const detections = detectWatermarks(attacked, [key]);
    cpuMs += cpuSince(started);
    if (detections.some((one) => one.id === id)) found.push(name);
    wrong += detections.filter((one) => one.id !== id).length;
  }
  return {
    name: picture.name,
    kind: picture.kind,
    psnr: psnrOf(original, pixels),
    ssim: ssimOf(original, pixels),
    found,
    wrong,
    detectionMs: cpuMs / attacks.length,
  };
}

/** @returns the number of marks read from an unmarked image, over all keys. */
export function countFalsePositives(pixels: Pixels): number {
  return detectWatermarks(pixels, keys).length;
}

export const readingsPerNegative = keyCount;

export interface Timing {
  readonly side: number;
  /** CPU time, median, in ms. */
  readonly embedMs: number;
  readonly pngMs: number;
  readonly detectMs: number;
}

/** Measures CPU times for a square image: the median of five runs after two warm-up runs. */
export async function measureTimes(picture: Picture, side: number): Promise<Timing> {
  const source = await picture.load();
  const original = await toPixels(toSharp(source).resize(side, side, { fit: "fill" }));
  const times = { embed: [] as number[], png: [] as number[], detect: [] as number[] };
  for (let round = 0; round < 7; round++) {
    const pixels = { ...original, data: Buffer.from(original.data) };
    let started = process.cpuUsage();
    embedWatermark(pixels, "0123456789abcdef", key);
    times.embed.push(cpuSince(started));
    started = process.cpuUsage();
    await toSharp(pixels).png({ compressionLevel: 1 }).toBuffer();
    times.png.push(cpuSince(started));
    started = process.cpuUsage();
    detectWatermarks(pixels, [key]);
    times.detect.push(cpuSince(started));
  }
  return {
    side,
    embedMs: medianOf(times.embed.slice(2)),
    pngMs: medianOf(times.png.slice(2)),
    detectMs: medianOf(times.detect.slice(2)),
  };
}

function cpuSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

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
