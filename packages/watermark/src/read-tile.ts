import { squareOf } from "./fft.ts";
import { matrixOf, symmetries, type Geometry, type TileMatrix } from "./geometry.ts";
import { halve, type Luma } from "./luma.ts";
import { codeLength } from "./code-length.ts";
import { decodePayload, type WatermarkId } from "./payload.ts";
import { maxCycles, tileSamples, waves } from "./tile.ts";
import { operations } from "./operations.ts";
import type { WatermarkKey } from "./watermark-key.ts";

const square = squareOf(tileSamples);
const mask = tileSamples - 1;

/** The Fourier transform of one tile: the mean of all that a geometry cuts an image into. */
interface TileSpectrum {
  readonly re: Float32Array;
  readonly im: Float32Array;
  /** By radius, what brings the noise to a standard deviation of 1. */
  readonly scales: Float64Array;
}

/** The assumptions of a reading: the key of the mark, and the directions of the axes of its tile. */
export interface Assumption {
  readonly key: WatermarkKey;
  /** Index of the key. */
  readonly keyIndex: number;
  readonly symmetry: TileMatrix;
}

/** All that can be assumed of a mark: every key with every symmetry. */
export function listAssumptions(keys: readonly WatermarkKey[]): Assumption[] {
  return keys.flatMap((key, keyIndex) =>
    symmetries.map((symmetry) => ({ key, keyIndex, symmetry })),
  );
}

interface TileReading {
  /** How many standard deviations the pilots exceed noise, at most. */
  readonly score: number;
  /** Null when the pilots are too weak, or no code word fits. */
  readonly read: {
    readonly id: WatermarkId;
    readonly keyIndex: number;
    readonly symmetry: TileMatrix;
    /** Where the tile begins, in tiles. */
    readonly begin: { readonly x: number; readonly y: number };
  } | null;
  /** The assumptions with the strongest pilots. */
  readonly likeliest: readonly Assumption[];
}

/** Adds up all tiles of an image. */
export function foldTiles(luma: Luma, geometry: Geometry): TileSpectrum {
  // Twice as fine at first: rounding positions to the samples of the tile would blur it.
  const samples = 2 * tileSamples;
  const fine = operations.addTiles(luma, matrixOf(geometry), samples);
  const re = new Float32Array(tileSamples * tileSamples);
  for (let y = 0; y < samples; y++) {
    for (let x = 0; x < samples; x++) {
      re[(y >> 1) * tileSamples + (x >> 1)]! += fine[y * samples + x]!;
    }
  }
  return toSpectrum(re);
}

function toSpectrum(re: Float32Array): TileSpectrum {
  const im = new Float32Array(tileSamples * tileSamples);
  operations.transformLines(re, im, tileSamples, square, false);
  return { re, im, scales: noiseScales(re, im) };
}

/** Where a wave is found in the spectrum of a tile whose axes are swapped or reversed. */
function indexOf(x: number, y: number, { xx, xy, yx, yy }: TileMatrix): number {
  const column = (xx * x + xy * y) & mask;
  const row = (yx * x + yy * y) & mask;
  return row * tileSamples + column;
}

const ringCount = maxCycles + 1;

/** For each ring of frequencies, where the waves in it and beside it are, also mirrored. */
const ringWaves = Array.from({ length: ringCount }, (_, ring) =>
  waves
    .filter(({ radius }) => Math.abs(Math.floor(radius) - ring) <= 1)
    .flatMap(({ x, y }) => [indexOf(x, y, symmetries[0]!), indexOf(y, -x, symmetries[0]!)]),
);

/** Used again for each tile. */
const ringPowers = ringWaves.map((indices) => new Float32Array(indices.length));

/** From the median power of each ring and its neighbours: a few strong lines must not count. */
function noiseScales(re: Float32Array, im: Float32Array): Float64Array {
  const scales = new Float64Array(ringCount);
  for (let ring = 0; ring < ringCount; ring++) {
    const indices = ringWaves[ring]!;
    const powers = ringPowers[ring]!;
    for (let wave = 0; wave < powers.length; wave++) {
      const at = indices[wave]!;
      powers[wave] = re[at]! * re[at]! + im[at]! * im[at]!;
    }
    powers.sort();
    const median = powers[powers.length >> 1] ?? 0;
    // Of exponentially distributed power the median is 0.69 of the mean; half of it is each part's.
    scales[ring] = median > 0 ? 1 / Math.sqrt(median / 1.4) : 0;
  }
  return scales;
}

/** No pilot may outweigh several others. */
const maxPilot = 2.5;
/** With less, it is not tried to decode: noise stays below in all but a few images of a thousand. */
const minScore = 4.4;

/** A place with less does not get above `minScore` by moving it a little. */
const minRefinedScore = 3.2;

/** One transform locates two. */
const likeliestCount = 2;

/** Finds where the tile begins, and which assumption holds, by its pilots, and reads the payload. */
export function readTile(spectrum: TileSpectrum, assumptions: readonly Assumption[]): TileReading {
  const places = locate(spectrum, assumptions).toSorted((one, other) => other.score - one.score);
  const likeliest = places.slice(0, likeliestCount).map(({ assumption }) => assumption);
  return { score: places[0]?.score ?? 0, read: readPayload(spectrum, places), likeliest };
}

/** @param places the best first. Of each key, only the best is decoded. */
function readPayload(spectrum: TileSpectrum, places: readonly Place[]): TileReading["read"] {
  const tried = new Set<number>();
  for (const place of places) {
    const { key, keyIndex, symmetry } = place.assumption;
    if (place.score < minScore) break;
    if (tried.has(keyIndex)) continue;
    tried.add(keyIndex);
    const id = decodePayload(receiveChips(spectrum, place), key);
    if (id !== null) return { id, keyIndex, symmetry, begin: { x: place.x, y: place.y } };
  }
  return null;
}

/** A reduced image is enough for tiles that have more than this many of its pixels. */
const minReducedTile = 40;

/**
 * Scores geometries of an image by the pilots of an upright tile, in less time than it is read: the
 * best score of all keys.
 */
export function createPilotScorer(
  luma: Luma,
  assumptions: readonly Assumption[],
): (geometry: Geometry) => number {
  const upright = assumptions.filter(({ symmetry }) => symmetry === symmetries[0]);
  const reduced = halve(luma);
  return (geometry) => {
    const { tileWidth, tileHeight } = geometry;
    const isReducible = Math.min(tileWidth, tileHeight) / 2 > minReducedTile;
    const tile = isReducible
      ? operations.addTiles(
          reduced,
          matrixOf({ ...geometry, tileWidth: tileWidth / 2, tileHeight: tileHeight / 2 }),
          tileSamples,
        )
      : operations.addTiles(luma, matrixOf(geometry), tileSamples);
    const spectrum = toSpectrum(tile);
    return Math.max(...locate(spectrum, upright).map(({ score }) => score));
  };
}

/** For each pilot, the received wave divided by the known one: what is left is the tile's place. */
interface PilotCorrelation {
  readonly pilotWaves: readonly number[];
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly norm: number;
}

function correlatePilots(
  { re, im, scales }: TileSpectrum,
  { key: { pilotWaves, pilotChips }, symmetry }: Assumption,
): PilotCorrelation {
  const correlation = {
    re: new Float64Array(pilotWaves.length),
    im: new Float64Array(pilotWaves.length),
  };
  let energy = 0;
  pilotWaves.forEach((index, pilot) => {
    const { x, y, radius } = waves[index]!;
    const at = indexOf(x, y, symmetry);
    const [receivedRe, receivedIm] = [re[at]!, im[at]!];
    const [knownRe, knownIm] = [pilotChips[2 * pilot]!, pilotChips[2 * pilot + 1]!];
    const scale = scales[Math.floor(radius)]!;
    const size = scale * Math.hypot(receivedRe, receivedIm);
    const weight = size > maxPilot ? (scale * maxPilot) / size : scale;
    const pilotRe = weight * (receivedRe * knownRe + receivedIm * knownIm);
    const pilotIm = weight * (receivedIm * knownRe - receivedRe * knownIm);
    correlation.re[pilot] = pilotRe;
    correlation.im[pilot] = pilotIm;
    energy += pilotRe ** 2 + pilotIm ** 2;
  });
  return { ...correlation, pilotWaves, norm: 1 / Math.sqrt(energy / 2 + 1e-9) };
}

/** Where the tile begins, under an assumption. */
interface Place {
  readonly assumption: Assumption;
  /** Of the tile's beginning, in tiles. */
  readonly x: number;
  readonly y: number;
  /** −1 in an inverted image. */
  readonly sign: 1 | -1;
  readonly score: number;
}

/** For each assumption, the place that agrees best with the pilots. */
function locate(spectrum: TileSpectrum, assumptions: readonly Assumption[]): Place[] {
  const places: Place[] = [];
  for (let index = 0; index < assumptions.length; index += 2) {
    const [one, other] = [assumptions[index]!, assumptions[index + 1]];
    const first = correlatePilots(spectrum, one);
    const second = other && correlatePilots(spectrum, other);
    const { re, im } = agreementOf(first, second);
    places.push({ assumption: one, ...findPlace(re, first) });
    if (other && second) places.push({ assumption: other, ...findPlace(im, second) });
  }
  return places;
}

/**
 * How well each place agrees with one or two correlations: the first in the real and the second in the
 * imaginary part. One transform computes both, because each alone is real when its waves are given
 * with their opposites.
 */
function agreementOf(
  first: PilotCorrelation,
  second: PilotCorrelation | undefined,
): { readonly re: Float32Array; readonly im: Float32Array } {
  const re = new Float32Array(tileSamples * tileSamples);
  const im = new Float32Array(tileSamples * tileSamples);
  first.pilotWaves.forEach((index, pilot) => {
    const [at, opposite] = indicesOf(index);
    re[at]! += first.re[pilot]!;
    im[at]! += first.im[pilot]!;
    re[opposite]! += first.re[pilot]!;
    im[opposite]! -= first.im[pilot]!;
  });
  second?.pilotWaves.forEach((index, pilot) => {
    const [at, opposite] = indicesOf(index);
    re[at]! -= second.im[pilot]!;
    im[at]! += second.re[pilot]!;
    re[opposite]! += second.im[pilot]!;
    im[opposite]! += second.re[pilot]!;
  });
  operations.transformLines(re, im, tileSamples, square, true);
  return { re, im };
}

/** Where a wave and its opposite are found in the spectrum of an upright tile. */
function indicesOf(wave: number): [number, number] {
  const { x, y } = waves[wave]!;
  return [indexOf(x, y, symmetries[0]!), indexOf(-x, -y, symmetries[0]!)];
}

function findPlace(
  agreement: Float32Array,
  correlation: PilotCorrelation,
): Omit<Place, "assumption"> {
  let peak = 0;
  for (let at = 1; at < agreement.length; at++) {
    if (Math.abs(agreement[at]!) > Math.abs(agreement[peak]!)) peak = at;
  }
  // In an inverted image, all waves are opposite.
  const sign: Place["sign"] = agreement[peak]! < 0 ? -1 : 1;

  const { pilotWaves, re, im } = correlation;
  const at = (x: number, y: number) => {
    let sum = 0;
    for (let pilot = 0; pilot < pilotWaves.length; pilot++) {
      const wave = waves[pilotWaves[pilot]!]!;
      const phase = 2 * Math.PI * (wave.x * x + wave.y * y);
      sum += re[pilot]! * Math.cos(phase) - im[pilot]! * Math.sin(phase);
    }
    return { x, y, sign, score: sign * sum * correlation.norm };
  };
  let best = at((peak % tileSamples) / tileSamples, Math.floor(peak / tileSamples) / tileSamples);
  if (best.score < minRefinedScore) return best;
  for (const step of [1 / 192, 1 / 512]) {
    const { x, y } = best;
    for (const right of [-step, 0, step]) {
      for (const down of [-step, 0, step]) {
        const next = at(x + right, y + down);
        if (next.score > best.score) best = next;
      }
    }
  }
  return best;
}

function receiveChips(
  { re, im, scales }: TileSpectrum,
  { x: left, y: top, sign, assumption }: Place,
): Float64Array {
  const { key, symmetry } = assumption;
  const chips = new Float64Array(codeLength);
  key.dataWaves.forEach((index, place) => {
    const { x, y, radius } = waves[index]!;
    const at = indexOf(x, y, symmetry);
    const phase = 2 * Math.PI * (left * x + top * y);
    const [cos, sin] = [Math.cos(phase), Math.sin(phase)];
    const scale = sign * scales[Math.floor(radius)]!;
    chips[2 * place] = scale * (re[at]! * cos - im[at]! * sin);
    chips[2 * place + 1] = scale * (re[at]! * sin + im[at]! * cos);
  });
  return chips;
}
