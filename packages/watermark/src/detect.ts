import { findLattices, type LatticeOptions } from "./find-lattice.ts";
import { placementInWhole, placementOf, type Geometry, type Placement } from "./geometry.ts";
import { transformLuma, whiten } from "./half-spectrum.ts";
import { sizeAt, type Luma, type Pixels } from "./luma.ts";
import type { WatermarkId } from "./payload.ts";
import { operations } from "./operations.ts";
import {
  createPilotScorer,
  foldTiles,
  listAssumptions,
  readTile,
  type Assumption,
} from "./read-tile.ts";
import { tilesPerSide } from "./tile.ts";
import type { WatermarkKey } from "./watermark-key.ts";

/** The shorter side of an image when it is searched. */
export const detectionSide = 512;
const radius = 12;

/** A geometry must stand out this much to be tried. */
const minLatticeScore = 0.8;
/** Pilots this strong are worth a better geometry: those of noise are weaker in two of three readings. */
const promising = 4.6;

export interface Detection {
  readonly id: WatermarkId;
  /** Index of the key that read it. */
  readonly key: number;
  /** How many standard deviations the pilots exceed noise. */
  readonly score: number;
  /** Where the mark lies in the image in the size in which it was searched. */
  readonly placement: Placement;
}

/** Shorter images are enlarged so much that nothing could be read, and larger ratios take too long. */
const minDetectableSide = 96;
const maxRatio = 6;

/** The brightness of an image in the size in which marks are searched. */
export type SearchableImage = Luma;

/**
 * Reduces an image to what a search needs, so that the search can take place elsewhere.
 *
 * @returns null for an image in which no mark can be found: a side is shorter than 96 pixels, or one
 *   is more than 6 times as long as the other.
 */
export function prepareSearch(pixels: Pixels): SearchableImage | null {
  const [shorter, longer] = [pixels.width, pixels.height].toSorted((one, other) => one - other);
  if (shorter! < minDetectableSide || longer! > maxRatio * shorter!) return null;
  return toDetectionSize(pixels);
}

export interface DetectOptions {
  /** Whether to look for parts of images too; otherwise only for whole ones, in a fraction of the time. */
  readonly search?: boolean;
}

/**
 * Finds the marks in an image: of the whole image, also after it was cut, reduced, stretched, turned
 * or mirrored, and of two images that were put side by side.
 *
 * @param keys the installation's, the most recent first.
 * @returns one entry for each id, the most certain first.
 */
export function detectWatermarks(
  pixels: Pixels,
  keys: readonly WatermarkKey[],
  options: DetectOptions = {},
): Detection[] {
  const luma = prepareSearch(pixels);
  return luma === null ? [] : searchWatermarks(luma, keys, options);
}

/** Finds the marks in an image that `prepareSearch` reduced; otherwise like `detectWatermarks`. */
export function searchWatermarks(
  luma: SearchableImage,
  keys: readonly WatermarkKey[],
  { search = true }: DetectOptions = {},
): Detection[] {
  const assumptions = listAssumptions(keys);
  if (!search) {
    const found = readWhole(normalised(luma), assumptions).detection;
    return found === null ? [] : keepDistinct([found]);
  }
  const whole = detectIn(luma, assumptions, thorough);
  const geometry = whole === null ? null : whole.geometry;
  const halves = halvesOf(luma).map((half) => findInHalf(half, geometry, assumptions));
  const found = [whole, ...halves].filter((one) => one !== null);
  // One picture; otherwise there may be more of them.
  const isComplete = whole !== null && halves.every((half) => half?.id === whole.id);
  const quarters = isComplete
    ? []
    : quartersOf(luma).map((quarter) => findInQuarter(quarter, geometry, assumptions));
  return keepDistinct([...found, ...quarters.filter((one) => one !== null)]);
}

function keepDistinct(found: readonly Found[]): Detection[] {
  const sorted = found.toSorted((one, other) => other.score - one.score);
  return sorted
    .filter(({ id }, index) => sorted.findIndex((other) => other.id === id) === index)
    .map(({ id, key, score, placement }) => ({ id, key, score, placement }));
}

/** @param geometry of the mark of the whole image, if one was found. */
function findInHalf(
  { luma, left, top }: Part,
  geometry: Geometry | null,
  assumptions: readonly Assumption[],
): Found | null {
  const same = geometry === null ? null : readSame(luma, geometry, assumptions);
  const enlarged = toDetectionSide(luma);
  const scale = same === null ? enlarged.width / luma.width : 1;
  const found = same ?? detectIn(enlarged, assumptions, quick);
  return found && { ...found, placement: placementInWhole(found.placement, { left, top, scale }) };
}

/** A quarter of four pictures, or the part of a photographed picture in which its perspective is slight. */
function findInQuarter(
  { luma, left, top }: Part,
  geometry: Geometry | null,
  assumptions: readonly Assumption[],
): Found | null {
  const same = geometry === null ? null : readSame(luma, geometry, assumptions);
  const found = same ?? detectIn(luma, assumptions, geometry === null ? tilted : quick);
  return (
    found && { ...found, placement: placementInWhole(found.placement, { left, top, scale: 1 }) }
  );
}

function toDetectionSize(pixels: Pixels): Luma {
  const side = Math.min(pixels.width, pixels.height);
  // For images more than twice as large, means of whole pixels are precise enough to start with.
  return side > 2 * detectionSide
    ? toDetectionSide(operations.reduceToLuma(pixels, sizeAt(pixels, 2 * detectionSide)))
    : operations.resizeToLuma(pixels, sizeAt(pixels, detectionSide));
}

function toDetectionSide(luma: Luma): Luma {
  return operations.resizeLuma(luma, sizeAt(luma, detectionSide));
}

/** A part of an image, and where it lies. */
interface Part {
  readonly luma: Luma;
  readonly left: number;
  readonly top: number;
}

/** Along the longer side: two images that were put side by side are often as large. */
function halvesOf(luma: Luma): [Part, Part] {
  const { width, height } = luma;
  const [middle, centre] = [width >> 1, height >> 1];
  return width >= height
    ? [crop(luma, 0, 0, middle, height), crop(luma, middle, 0, width - middle, height)]
    : [crop(luma, 0, 0, width, centre), crop(luma, 0, centre, width, height - centre)];
}

function quartersOf(luma: Luma): Part[] {
  const { width, height } = luma;
  const [middle, centre] = [width >> 1, height >> 1];
  return [
    crop(luma, 0, 0, middle, centre),
    crop(luma, middle, 0, width - middle, centre),
    crop(luma, 0, centre, middle, height - centre),
    crop(luma, middle, centre, width - middle, height - centre),
  ];
}

function crop(
  { values, width: from }: Luma,
  left: number,
  top: number,
  width: number,
  height: number,
): Part {
  const cropped = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const start = (top + y) * from + left;
    cropped.set(values.subarray(start, start + width), y * width);
  }
  return { luma: { values: cropped, width, height }, left, top };
}

/** Reads a part of an image whose tiles lie as those of the whole: most often it is the same mark. */
function readSame(
  part: Luma,
  geometry: Geometry,
  assumptions: readonly Assumption[],
): Found | null {
  return readAt(normalised(part), geometry, assumptions).detection;
}

/** A mark, and where its tiles lie. */
interface Found extends Detection {
  readonly geometry: Geometry;
}

/** How much is tried. */
interface Effort extends LatticeOptions {
  /** Whether an image without its own lines and ornaments is searched too. */
  readonly isThorough: boolean;
  /** Geometries of turned and tilted images that are read. */
  readonly furtherReadings: number;
}
const quick: Effort = {
  isThorough: false,
  searchesTurned: false,
  searchesTilted: false,
  furtherReadings: 0,
};
const tilted: Effort = { ...quick, searchesTilted: true, furtherReadings: 6 };
const thorough: Effort = {
  isThorough: true,
  searchesTurned: true,
  searchesTilted: true,
  furtherReadings: 14,
};

function detectIn(luma: Luma, assumptions: readonly Assumption[], effort: Effort): Found | null {
  const searched = normalised(luma);
  const whole = readWhole(searched, assumptions);
  if (whole.detection !== null) return whole.detection;
  const spectrum = transformLuma(searched);
  const { likely, further, others } = findLattices(spectrum, searched, effort);
  for (const { geometry, score } of [...likely, ...further.slice(0, effort.furtherReadings)]) {
    if (score < minLatticeScore) continue;
    const { detection } = readNear(searched, geometry, assumptions);
    if (detection !== null) return detection;
  }
  return effort.isThorough ? detectInWhite(whiten(spectrum), others, assumptions) : null;
}

/** Geometries with the strongest pilots that are read. */
const readGeometries = 10;

/** Tries further geometries in an image without its own lines and ornaments. */
function detectInWhite(
  luma: Luma,
  geometries: readonly Geometry[],
  assumptions: readonly Assumption[],
): Found | null {
  const whole = readWhole(luma, assumptions);
  if (whole.detection !== null) return whole.detection;
  const scorePilots = createPilotScorer(luma, assumptions);
  const scored = geometries.map((geometry) => ({ geometry, score: scorePilots(geometry) }));
  scored.sort((one, other) => other.score - one.score);
  for (const { geometry } of scored.slice(0, readGeometries)) {
    const { detection } = readNear(luma, geometry, assumptions);
    if (detection !== null) return detection;
  }
  return null;
}

function normalised(luma: Luma): Luma {
  return { ...luma, values: operations.normalise(luma, radius).values };
}

/** Reads an image as a whole one, in whatever size: nothing needs to be searched. */
function readWhole(luma: Luma, assumptions: readonly Assumption[]): Attempt {
  const tile = Math.min(luma.width, luma.height) / tilesPerSide;
  return readAt(luma, { tileWidth: tile, tileHeight: tile, angle: 0, skew: 0 }, assumptions);
}

interface Attempt {
  readonly score: number;
  readonly detection: Found | null;
  readonly likeliest: readonly Assumption[];
}

function readAt(luma: Luma, geometry: Geometry, assumptions: readonly Assumption[]): Attempt {
  const { score, read, likeliest } = readTile(foldTiles(luma, geometry), assumptions);
  const detection = read && {
    id: read.id,
    key: read.keyIndex,
    score,
    geometry,
    placement: placementOf(geometry, read.symmetry, read.begin),
  };
  return { score, detection, likeliest };
}

/**
 * Tries a geometry, and while the pilots look promising, those next to it, under the likeliest
 * assumptions.
 */
function readNear(luma: Luma, geometry: Geometry, assumptions: readonly Assumption[]): Attempt {
  let best = { geometry, ...readAt(luma, geometry, assumptions) };
  const { likeliest } = best;
  if (best.detection !== null || best.score < promising) return best;
  for (const step of [0.0008, 0.0004]) {
    const { geometry: from } = best;
    const { tileWidth, tileHeight, angle, skew } = from;
    const [wider, narrower] = [tileWidth * (1 + step), tileWidth * (1 - step)];
    const [higher, lower] = [tileHeight * (1 + step), tileHeight * (1 - step)];
    const near: Geometry[] = [
      { ...from, tileWidth: wider, tileHeight: higher },
      { ...from, tileWidth: narrower, tileHeight: lower },
      { ...from, angle: angle + step },
      { ...from, angle: angle - step },
      { ...from, tileWidth: wider, tileHeight: lower },
      { ...from, tileWidth: narrower, tileHeight: higher },
      ...(skew === 0 ? [] : [step, -step].map((by) => ({ ...from, skew: skew + by }))),
    ];
    for (const next of near) {
      const attempt = readAt(luma, next, likeliest);
      if (attempt.score > best.score || attempt.detection !== null) {
        best = { geometry: next, ...attempt };
        if (best.detection !== null) return best;
      }
    }
  }
  return best;
}
