import { addedTile } from "./add-tile.ts";
import { sizeAt, type Pixels } from "./luma.ts";
import { operations as fastest } from "./operations.ts";
import { encodePayload, type WatermarkId } from "./payload.ts";
import type { PixelOperations } from "./pixel-operations.ts";
import { measureStrength } from "./strength.ts";
import { chipCount, maxCycles, tilesPerSide, waves } from "./tile.ts";
import type { WatermarkKey } from "./watermark-key.ts";

/** The shortest side, in pixels, of an image that can be marked. */
export const minSide = 256;
/** The least part of an image that must not be transparent. */
const minVisible = 0.25;

/** The image is looked at with this many pixels on its shorter side. */
const analysisSide = 256;
const analysisTile = Math.round(analysisSide / tilesPerSide);
const analysisRadius = 6;
const analysisSamples = 2;
/** The tile's highest value, in standard deviations. */
const maxPeak = 2.4;

/**
 * Each chip is made as strong as the image leaves it necessary: a chip that the image already
 * supports needs less (informed embedding: M. Miller, I. Cox, J. Bloom, "Informed Embedding", ICIP
 * 2000). In units of the mean amplitude.
 */
const hostShare = 0.8;
const [weakest, strongest] = [0.35, 2.2];

export interface EmbedOptions {
  /** Multiplies the strength; 1 is invisible. */
  readonly strength?: number;
  /** Default: the fastest that the processor can run. */
  readonly operations?: PixelOperations;
}

/**
 * Adds a mark to the brightness of the pixels, in place. Pixels that are fully transparent stay as they
 * are.
 *
 * @returns whether the image was marked: its shorter side has at least 256 pixels, and a quarter of
 *   it is visible. Otherwise nothing is changed.
 * @throws RangeError when the id is not 16 hexadecimal digits in lower case.
 */
export function embedWatermark(
  pixels: Pixels,
  id: WatermarkId,
  key: WatermarkKey,
  { strength = 1, operations = fastest }: EmbedOptions = {},
): boolean {
  const chips = chipsOf(id, key);
  if (!canCarry(pixels)) return false;
  const luma = operations.reduceToLuma(pixels, sizeAt(pixels, analysisSide), analysisSamples);
  const { values, gains } = operations.normalise(luma, analysisRadius);
  const map = measureStrength(luma, strength);

  const folded = new Float64Array(analysisTile * analysisTile);
  let gain = 0;
  for (let y = 0, at = 0; y < luma.height; y++) {
    const row = (y % analysisTile) * analysisTile;
    for (let x = 0; x < luma.width; x++, at++) {
      folded[row + (x % analysisTile)]! += values[at]!;
      gain += gains[at]! * map.at(x, y);
    }
  }
  const amplitudes = chooseAmplitudes(chips, projectOnWaves(folded, analysisTile), gain);
  operations.addTile(pixels, drawTile(amplitudes, addedTile), map);
  return true;
}

function canCarry({ data, width, height, channels }: Pixels): boolean {
  if (Math.min(width, height) < minSide) return false;
  if (channels === 3) return true;
  let visible = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) visible++;
  return visible >= minVisible * width * height;
}

/** All chips, in the order of the waves: cosine and sine of each. */
function chipsOf(id: WatermarkId, key: WatermarkKey): Int8Array {
  const payload = encodePayload(id, key);
  const chips = new Int8Array(chipCount);
  key.dataWaves.forEach((wave, index) => {
    chips[2 * wave] = payload[2 * index]!;
    chips[2 * wave + 1] = payload[2 * index + 1]!;
  });
  key.pilotWaves.forEach((wave, index) => {
    chips[2 * wave] = key.pilotChips[2 * index]!;
    chips[2 * wave + 1] = key.pilotChips[2 * index + 1]!;
  });
  return chips;
}

function chooseAmplitudes(chips: Int8Array, host: Float64Array, gain: number): Float64Array {
  // Waves of this amplitude add up to a tile whose values have a variance of 1.
  const mean = Math.sqrt(1 / (2 * chipCount));
  const amplitudes = Float64Array.from(chips, (chip, index) => {
    const support = (host[index]! * chip) / (gain * mean);
    return chip * Math.min(strongest, Math.max(weakest, 1 - hostShare * support));
  });
  const energy = amplitudes.reduce((sum, amplitude) => sum + amplitude * amplitude, 0);
  const scale = mean * Math.sqrt(chipCount / energy);
  return amplitudes.map((amplitude) => amplitude * scale);
}

/** Cosines and sines of −maxCycles … maxCycles cycles over a tile, computed once per tile size. */
interface WaveTable {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

const axisWaves = 2 * maxCycles + 1;
const tables = new Map<number, WaveTable>();

function tableFor(samples: number): WaveTable {
  const known = tables.get(samples);
  if (known !== undefined) return known;
  const angle = (index: number) =>
    (2 * Math.PI * (Math.floor(index / samples) - maxCycles) * ((index % samples) + 0.5)) / samples;
  const length = axisWaves * samples;
  const table = {
    cos: Float64Array.from({ length }, (_, index) => Math.cos(angle(index))),
    sin: Float64Array.from({ length }, (_, index) => Math.sin(angle(index))),
  };
  tables.set(samples, table);
  return table;
}

/** The discrete Fourier transform of a tile at the waves: real and imaginary part of each. */
function projectOnWaves(tile: Float64Array, samples: number): Float64Array {
  const { cos, sin } = tableFor(samples);
  const re = new Float64Array(axisWaves * samples);
  const im = new Float64Array(axisWaves * samples);
  for (let wave = 0; wave < axisWaves; wave++) {
    for (let y = 0; y < samples; y++) {
      let sumRe = 0;
      let sumIm = 0;
      for (let x = 0; x < samples; x++) {
        const value = tile[y * samples + x]!;
        sumRe += value * cos[wave * samples + x]!;
        sumIm -= value * sin[wave * samples + x]!;
      }
      re[wave * samples + y] = sumRe;
      im[wave * samples + y] = sumIm;
    }
  }
  const projected = new Float64Array(chipCount);
  for (const [index, wave] of waves.entries()) {
    const across = (wave.x + maxCycles) * samples;
    const down = (wave.y + maxCycles) * samples;
    let sumRe = 0;
    let sumIm = 0;
    for (let y = 0; y < samples; y++) {
      const c = cos[down + y]!;
      const s = sin[down + y]!;
      sumRe += re[across + y]! * c + im[across + y]! * s;
      sumIm += im[across + y]! * c - re[across + y]! * s;
    }
    projected[2 * index] = sumRe;
    projected[2 * index + 1] = sumIm;
  }
  return projected;
}

/** The tile whose Fourier transform at the waves has these real and imaginary parts. */
function drawTile(amplitudes: Float64Array, samples: number): Float32Array {
  const { cos, sin } = tableFor(samples);
  const rowRe = new Float64Array((maxCycles + 1) * samples);
  const rowIm = new Float64Array((maxCycles + 1) * samples);
  for (const [index, wave] of waves.entries()) {
    const re = amplitudes[2 * index]!;
    const im = amplitudes[2 * index + 1]!;
    const across = (wave.x + maxCycles) * samples;
    const row = wave.y * samples;
    for (let x = 0; x < samples; x++) {
      const c = cos[across + x]!;
      const s = sin[across + x]!;
      rowRe[row + x]! += re * c - im * s;
      rowIm[row + x]! += re * s + im * c;
    }
  }
  const tile = new Float32Array(samples * samples);
  for (let cycles = 0; cycles <= maxCycles; cycles++) {
    const down = (cycles + maxCycles) * samples;
    for (let y = 0; y < samples; y++) {
      const c = 2 * cos[down + y]!;
      const s = 2 * sin[down + y]!;
      for (let x = 0; x < samples; x++) {
        tile[y * samples + x]! +=
          rowRe[cycles * samples + x]! * c - rowIm[cycles * samples + x]! * s;
      }
    }
  }
  // Rare peaks would be seen first, and carry little.
  return tile.map((value) => Math.min(maxPeak, Math.max(-maxPeak, value)));
}
