import { matrixOf, type Geometry } from "./geometry.ts";
import { maxPower, normalisedPower, spectrumSize, type HalfSpectrum } from "./half-spectrum.ts";
import { tilesPerSide, waves, type Wave } from "./tile.ts";

/**
 * Finds scale, rotation and stretch of a mark from the magnitude of the image's spectrum, which does
 * not depend on where the tile begins: a marked image has more energy on the lattice of the waves
 * than beside it (S. Pereira, T. Pun, "Robust template matching for affine resistant image
 * watermarks", IEEE Trans. Image Process. 9 (2000); here all waves are the template).
 */

/** As `normalisedPower` returns it. */
type Spectrum = Float32Array;

/** Sizes of a tile in units of what it has in a whole image: from half of a canvas to a small crop. */
const [smallest, largest] = [0.42, 2.7];
const scaleStep = 0.006;
const maxAngle = (3.6 * Math.PI) / 180;
const angleStep = (0.4 * Math.PI) / 180;
const maxStretch = 0.08;
const stretchStep = 0.01;
/** Usual ratios of width and height: an image may have been forced from one into another. */
const usualRatios = [1, 5 / 4, 4 / 3, 3 / 2, 16 / 10, 16 / 9, 2, 21 / 9].flatMap((ratio) =>
  ratio === 1 ? [1] : [ratio, 1 / ratio],
);

/** The search begins with the lower waves: they are far enough apart, and forgive a coarse step. */
const coarseRadius = 9.5;
const coarseWaves = createProbe(
  waves.filter(({ radius }) => radius > 2.9 && radius < coarseRadius),
);
/** Bands of sizes, and how many geometries of each are looked at closely and returned. */
const bands = 7;
const candidatesPerBand = 4;
const returnedPerBand = 2;
const othersPerBand = 30;

interface Candidate {
  readonly geometry: Geometry;
  /** How many standard deviations the energy on the lattice exceeds that of noise. */
  readonly score: number;
}

/** Geometries that a mark may have. */
interface Lattices {
  /** Refined, the most likely first. */
  readonly likely: readonly Candidate[];
  /** Further ones, unrefined: where ornaments outdo the mark, only its pilots tell. */
  readonly others: readonly Geometry[];
}

/** Finds geometries that a mark may have, by the spectrum of its normalised brightness. */
export function findLattices(image: HalfSpectrum, { width, height }: Size): Lattices {
  const spectrum = normalisedPower(image);
  const tile = Math.min(width, height) / tilesPerSide;
  const expected = usualGeometries(width, height);
  const found = searchCoarsely(spectrum, tile, expected);
  const refined = pickPerBand(found, tile, candidatesPerBand).map((candidate) =>
    refine(spectrum, candidate),
  );
  const others = pickPerBand(found, tile, othersPerBand).map(({ geometry }) => geometry);
  return {
    likely: pickPerBand(refined, tile, returnedPerBand).sort(
      (one, other) => other.score - one.score,
    ),
    others: [...expected, ...others],
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Those of whole images that were forced from a usual ratio into this one. */
function usualGeometries(width: number, height: number): Geometry[] {
  return usualRatios.map((ratio) => ({
    tileWidth: width / (tilesPerSide * Math.max(1, ratio)),
    tileHeight: height / (tilesPerSide * Math.max(1, 1 / ratio)),
    angle: 0,
  }));
}

const minCoarseScore = 1;

function searchCoarsely(spectrum: Spectrum, tile: number, usual: readonly Geometry[]): Candidate[] {
  const found: Candidate[] = [];
  const consider = (tileWidth: number, tileHeight: number, angle: number) => {
    const geometry = { tileWidth, tileHeight, angle };
    const score = coarseScore(spectrum, geometry);
    if (score > minCoarseScore) found.push({ geometry, score });
  };
  for (let log = Math.log(smallest); log <= Math.log(largest); log += scaleStep) {
    const size = tile * Math.exp(log);
    for (let angle = -maxAngle; angle <= maxAngle; angle += angleStep) consider(size, size, angle);
    for (let stretch = stretchStep; stretch <= maxStretch; stretch += stretchStep) {
      const [more, less] = [size * Math.exp(stretch / 2), size * Math.exp(-stretch / 2)];
      consider(more, less, 0);
      consider(less, more, 0);
    }
  }
  for (const { tileWidth, tileHeight, angle } of usual) consider(tileWidth, tileHeight, angle);
  return found;
}

/** The best of each band of sizes: a repeated texture may outdo the mark in all sizes near its own. */
function pickPerBand(candidates: Candidate[], tile: number, count: number): Candidate[] {
  candidates.sort((one, other) => other.score - one.score);
  const picked = Array.from({ length: bands }, (): Candidate[] => []);
  for (const candidate of candidates) {
    const { tileWidth, tileHeight } = candidate.geometry;
    const log = Math.log(Math.sqrt(tileWidth * tileHeight) / tile / smallest);
    const index = Math.floor((bands * log) / Math.log(largest / smallest));
    const band = picked[Math.min(bands - 1, Math.max(0, index))]!;
    if (band.length === count) continue;
    if (!band.some((other) => isNear(candidate.geometry, other.geometry))) band.push(candidate);
  }
  return picked.flat();
}

function isNear(one: Geometry, other: Geometry): boolean {
  return (
    Math.abs(Math.log(one.tileWidth / other.tileWidth)) < 0.008 &&
    Math.abs(Math.log(one.tileHeight / other.tileHeight)) < 0.008 &&
    Math.abs(one.angle - other.angle) < 0.009
  );
}

/** Climbs to the best geometry nearby, in smaller and smaller steps. */
function refine(spectrum: Spectrum, { geometry }: Candidate): Candidate {
  const probe = createProbe(waves.filter(({ radius }) => isVisible(geometry, radius)));
  let best = { geometry, score: fineScore(spectrum, geometry, probe) };
  for (const step of [0.002, 0.001, 0.0005]) {
    for (let round = 0; round < 3; round++) {
      const before = best;
      for (const [width, height, turn] of directions) {
        const { tileWidth, tileHeight, angle } = best.geometry;
        const next = {
          tileWidth: tileWidth * (1 + width * step),
          tileHeight: tileHeight * (1 + height * step),
          angle: angle + turn * step,
        };
        const score = fineScore(spectrum, next, probe);
        if (score > best.score) best = { geometry: next, score };
      }
      if (best === before) break;
    }
  }
  return best;
}

const directions = [
  [1, 1, 0],
  [-1, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
  [1, -1, 0],
  [-1, 1, 0],
] as const;

/** Whether waves of this radius are still below the highest frequency that pixels can show. */
function isVisible({ tileWidth, tileHeight }: Geometry, radius: number): boolean {
  return radius / Math.min(tileWidth, tileHeight) < 0.48;
}

/** Waves whose power is added up. */
interface Probe {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

function createProbe(list: readonly Wave[]): Probe {
  return {
    x: Float64Array.from(list, ({ x }) => x * spectrumSize),
    y: Float64Array.from(list, ({ y }) => y * spectrumSize),
  };
}

/** Reads the nearest power of each wave. */
function coarseScore(power: Spectrum, geometry: Geometry): number {
  if (!isVisible(geometry, coarseRadius)) return 0;
  const { xx, xy, yx, yy } = matrixOf(geometry);
  const { x: waveX, y: waveY } = coarseWaves;
  let sum = 0;
  for (let wave = 0; wave < waveX.length; wave++) {
    const x = xx * waveX[wave]! + yx * waveY[wave]!;
    const y = xy * waveX[wave]! + yy * waveY[wave]!;
    // The spectrum of real values is symmetric: only x ≥ 0 is kept.
    const column = Math.round(x < 0 ? -x : x);
    const row = Math.round(x < 0 ? -y : y) & (spectrumSize - 1);
    sum += power[column * spectrumSize + row]!;
  }
  return standardised(sum, waveX.length);
}

/** Interpolates the power of each wave. */
function fineScore(power: Spectrum, geometry: Geometry, probe: Probe): number {
  const { xx, xy, yx, yy } = matrixOf(geometry);
  const count = probe.x.length;
  if (count === 0) return 0;
  let sum = 0;
  for (let wave = 0; wave < count; wave++) {
    const x = xx * probe.x[wave]! + yx * probe.y[wave]!;
    const y = xy * probe.x[wave]! + yy * probe.y[wave]!;
    sum += x < 0 ? interpolate(power, -x, -y) : interpolate(power, x, y);
  }
  return standardised(sum, count);
}

/** Mean of exponentially distributed power that is cut off at `maxPower`. */
const noisePower = 1 - Math.exp(-maxPower);

function standardised(sum: number, count: number): number {
  return (sum / count - noisePower) * Math.sqrt(count);
}

function interpolate(power: Spectrum, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  const first = left * spectrumSize;
  const second = first + spectrumSize;
  const upper = top & (spectrumSize - 1);
  const lower = (top + 1) & (spectrumSize - 1);
  return (
    (power[first + upper]! * (1 - right) + power[second + upper]! * right) * (1 - down) +
    (power[first + lower]! * (1 - right) + power[second + lower]! * right) * down
  );
}
