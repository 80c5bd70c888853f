import { matrixOf, type Geometry } from "./geometry.ts";
import { maxPower, normalisedPower, spectrumSize, type HalfSpectrum } from "./half-spectrum.ts";
import { operations } from "./operations.ts";
import type { PowerTable, WaveList } from "./sum-powers.ts";
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
const [smallest, largest] = [0.42, 3.1];
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
const bands = 8;
const candidatesPerBand = 4;
const returnedPerBand = 2;
const othersPerBand = 30;
/** Of turned and of tilted images, where more geometries compete. */
const furtherPerBand = 3;
const tiltedPerBand = 8;

/** In photographs of a picture: the lower waves alone allow for larger steps. */
const tiltRadius = 6.5;
const tiltWaves = createProbe(waves.filter(({ radius }) => radius > 2.9 && radius < tiltRadius));
const tilt = {
  scales: [Math.log(0.78), Math.log(1.4), 0.01],
  angles: [-0.09, 0.09, 0.011],
  stretches: [-0.08, 0.08, 0.02],
  skews: [-0.06, 0.06, 0.015],
} as const;

interface Candidate {
  readonly geometry: Geometry;
  /** How many standard deviations the energy on the lattice exceeds that of noise. */
  readonly score: number;
}

/** Geometries that a mark may have. */
interface Lattices {
  /** Refined, the most likely first. */
  readonly likely: readonly Candidate[];
  /** Refined ones of images that were turned by any angle, or photographed at an angle. */
  readonly further: readonly Candidate[];
  /** Further ones, unrefined: where ornaments outdo the mark, only its pilots tell. */
  readonly others: readonly Geometry[];
}

/** How much is searched. */
export interface LatticeOptions {
  /** Any rotation, instead of a few degrees. */
  readonly searchesTurned: boolean;
  /** Small skews and stretches together with small rotations. */
  readonly searchesTilted: boolean;
}

/** Finds geometries that a mark may have, by the spectrum of its normalised brightness. */
export function findLattices(
  image: HalfSpectrum,
  { width, height }: Size,
  { searchesTurned, searchesTilted }: LatticeOptions,
): Lattices {
  const table = { power: normalisedPower(image), rows: spectrumSize };
  const tile = Math.min(width, height) / tilesPerSide;
  const expected = usualGeometries(width, height);
  const found = [
    ...searchGrid(table, coarseWaves, upright(), tile, minCoarseScore),
    ...scoreAll(table, coarseWaves, expected),
  ];
  const refinedOf = (candidates: Candidate[], count: number) =>
    pickPerBand(candidates, tile, count).map((candidate) => refine(table.power, candidate));
  const refined = refinedOf(found, candidatesPerBand);
  const others = pickPerBand(found, tile, othersPerBand).map(({ geometry }) => geometry);
  const further = [
    ...(searchesTurned
      ? refinedOf(searchGrid(table, coarseWaves, turned(), tile, minFurtherScore), furtherPerBand)
      : []),
    ...(searchesTilted
      ? refinedOf(searchGrid(table, tiltWaves, tilted(), tile, minFurtherScore), tiltedPerBand)
      : []),
  ];
  const byScore = (one: Candidate, other: Candidate) => other.score - one.score;
  return {
    likely: pickPerBand(refined, tile, returnedPerBand).sort(byScore),
    further: further.sort(byScore),
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
    skew: 0,
  }));
}

/** Geometries of tiles of about one pixel, the smaller sizes first: equally many of each size. */
interface Grid {
  readonly sizes: readonly number[];
  readonly geometries: readonly Geometry[];
  /** See `sumPowers`. */
  readonly matrices: Float32Array;
}

function createGrid(sizes: readonly number[], listOf: (size: number) => Geometry[]): () => Grid {
  let created: Grid | null = null;
  return () => {
    if (created === null) {
      const geometries = sizes.flatMap(listOf);
      created = { sizes, geometries, matrices: matricesOf(geometries) };
    }
    return created;
  };
}

function matricesOf(geometries: readonly Geometry[]): Float32Array {
  const matrices = new Float32Array(4 * geometries.length);
  for (const [index, geometry] of geometries.entries()) {
    const { xx, xy, yx, yy } = matrixOf(geometry);
    matrices.set([xx, yx, xy, yy], 4 * index);
  }
  return matrices;
}

const allSizes = rangeOf([Math.log(smallest), Math.log(largest), scaleStep]).map(Math.exp);

/** Of a few degrees, or slightly stretched. */
const upright = createGrid(allSizes, (size) => [
  ...rangeOf([-maxAngle, maxAngle, angleStep]).map((angle) => squareTile(size, angle)),
  ...rangeOf([stretchStep, maxStretch, stretchStep]).flatMap((stretch) => {
    const [more, less] = [size * Math.exp(stretch / 2), size * Math.exp(-stretch / 2)];
    return [
      { tileWidth: more, tileHeight: less, angle: 0, skew: 0 },
      { tileWidth: less, tileHeight: more, angle: 0, skew: 0 },
    ];
  }),
]);

/** Of all other angles: an eighth of a turn to both sides, since turns by a quarter are symmetries. */
const turned = createGrid(allSizes, (size) =>
  rangeOf([maxAngle + angleStep, Math.PI / 4 + angleStep, angleStep]).flatMap((angle) => [
    squareTile(size, angle),
    squareTile(size, -angle),
  ]),
);

const tilted = createGrid(rangeOf(tilt.scales).map(Math.exp), (size) =>
  rangeOf(tilt.stretches).flatMap((stretch) => {
    const tileWidth = size * Math.exp(stretch / 2);
    const tileHeight = size * Math.exp(-stretch / 2);
    return rangeOf(tilt.angles).flatMap((angle) =>
      rangeOf(tilt.skews).map((skew) => ({ tileWidth, tileHeight, angle, skew })),
    );
  }),
);

function squareTile(size: number, angle: number): Geometry {
  return { tileWidth: size, tileHeight: size, angle, skew: 0 };
}

function rangeOf([first, last, step]: readonly [number, number, number]): number[] {
  const count = Math.floor((last - first) / step + 1e-6) + 1;
  return Array.from({ length: count }, (_, index) => first + index * step);
}

const minCoarseScore = 1;
/** Among so many more geometries, the best of noise score higher. */
const minFurtherScore = 2.2;

/** Scores a grid of geometries, enlarged to the size of a tile, by the power nearest to each wave. */
function searchGrid(
  table: PowerTable,
  probe: Probe,
  grid: Grid,
  tile: number,
  minScore: number,
): Candidate[] {
  const { sizes, geometries, matrices } = grid;
  // Stretched tiles are a little narrower.
  const firstSize = sizes.findIndex((size) =>
    isVisible(squareTile(0.95 * size * tile, 0), probe.radius),
  );
  if (firstSize < 0) return [];
  const first = firstSize * (geometries.length / sizes.length);
  const enlarged = { x: probe.x.map((x) => x / tile), y: probe.y.map((y) => y / tile) };
  const sums = operations.sumPowers(table, matrices.subarray(4 * first), enlarged);
  const found: Candidate[] = [];
  for (let index = 0; index < sums.length; index++) {
    const score = standardised(sums[index]!, probe.x.length);
    if (score <= minScore) continue;
    const { tileWidth, tileHeight, angle, skew } = geometries[first + index]!;
    const geometry = { tileWidth: tileWidth * tile, tileHeight: tileHeight * tile, angle, skew };
    found.push({ geometry, score });
  }
  return found;
}

function scoreAll(table: PowerTable, probe: Probe, geometries: readonly Geometry[]): Candidate[] {
  const visible = geometries.filter((geometry) => isVisible(geometry, probe.radius));
  return [...operations.sumPowers(table, matricesOf(visible), probe)]
    .map((sum, index) => ({ geometry: visible[index]!, score: standardised(sum, probe.x.length) }))
    .filter(({ score }) => score > minCoarseScore);
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
    Math.abs(one.angle - other.angle) < 0.009 &&
    Math.abs(one.skew - other.skew) < 0.009
  );
}

/** Climbs to the best geometry nearby, in smaller and smaller steps. */
function refine(spectrum: Spectrum, { geometry }: Candidate): Candidate {
  const probe = createProbe(waves.filter(({ radius }) => isVisible(geometry, radius)));
  let best = { geometry, score: fineScore(spectrum, geometry, probe) };
  for (const step of geometry.skew === 0 ? [0.002, 0.001, 0.0005] : [0.005, 0.002, 0.001, 0.0005]) {
    for (let round = 0; round < 3; round++) {
      const before = best;
      for (const [width, height, turn, shift] of geometry.skew === 0 ? directions : allDirections) {
        const { tileWidth, tileHeight, angle, skew } = best.geometry;
        const next = {
          tileWidth: tileWidth * (1 + width * step),
          tileHeight: tileHeight * (1 + height * step),
          angle: angle + turn * step,
          skew: skew + shift * step,
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
  [1, 1, 0, 0],
  [-1, -1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, -1, 0],
  [1, -1, 0, 0],
  [-1, 1, 0, 0],
] as const;
const allDirections = [...directions, [0, 0, 0, 1], [0, 0, 0, -1]] as const;

/** Whether waves of this radius are still below the highest frequency that pixels can show. */
function isVisible({ tileWidth, tileHeight }: Geometry, radius: number): boolean {
  return radius / Math.min(tileWidth, tileHeight) < 0.48;
}

/** Waves whose power is added up. */
interface Probe extends WaveList {
  /** Of the highest wave. */
  readonly radius: number;
}

function createProbe(list: readonly Wave[]): Probe {
  return {
    x: Float32Array.from(list, ({ x }) => x * spectrumSize),
    y: Float32Array.from(list, ({ y }) => y * spectrumSize),
    radius: Math.max(0, ...list.map(({ radius }) => radius)),
  };
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
