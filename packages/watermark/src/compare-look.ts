import type { Placement } from "./geometry.ts";
import type { Look } from "./look.ts";
import type { Luma } from "./luma.ts";
import { tilesPerSide } from "./tile.ts";

/** How well an image agrees with the look of the image that its mark names, in one position. */
export interface Agreement {
  /** Blocks of the look that are in the image. */
  readonly blocks: number;
  /** Those with enough contrast to be compared. */
  readonly compared: number;
  /** Compared blocks that are alike. */
  readonly alike: number;
  /** Flat blocks of the look in which the image shows something. */
  readonly added: number;
}

/**
 * - `same`: the image shows the marked one or a part of it;
 * - `different`: it shows something else, so that the mark was copied onto it;
 * - `undecided`: too little of it can be compared, or about half of it was replaced.
 */
export type LookJudgement = "same" | "different" | "undecided";

/** Shares of compared blocks that are alike: of copies, and of other pictures in the best position. */
const sameShare = 0.5;
const differentShare = 0.2;
/** Fewer blocks are alike or different by chance. */
const minBlocks = 12;
/** Fewer compared blocks refute nothing by themselves. */
const minCompared = 4;
/** Share of blocks that are added or not alike: captions, frames and stickers cover less. */
const contradictingShare = 0.6;
/** The same, if not even one block is alike. */
const contradictingShareAlone = 1 / 3;
/** Fewer blocks in the image are too small a part of it. */
const minOverlapBlocks = 15;

/**
 * Judges an image by the positions that fit best: one of them confirms a mark, and all of them together
 * refute it.
 */
export function judgeAgreement(positions: readonly Agreement[]): LookJudgement {
  if (positions.some(isSame)) return "same";
  const judged = positions.filter(({ blocks }) => blocks >= minOverlapBlocks);
  const isEnough = judged.some(({ compared, added }) => compared + added >= minBlocks);
  return isEnough && judged.every(contradicts) ? "different" : "undecided";
}

function isSame({ compared, alike }: Agreement): boolean {
  return compared >= minBlocks && alike >= sameShare * compared;
}

function contradicts({ blocks, compared, alike, added }: Agreement): boolean {
  if (compared >= minCompared && alike <= differentShare * compared) return true;
  const share = (added + compared - alike) / blocks;
  return share >= (alike === 0 ? contradictingShareAlone : contradictingShare);
}

/** Radius of the surroundings that brightness is compared with, in cells. */
const surroundings = 4;
/** Deviation of the brightness of surroundings, in levels, below which they count as flat. */
const flatDeviation = 2;
/** Cells along a side of a block. */
const blockSide = 5;
/** Cells from one block to the next; blocks overlap. */
const blockStep = 3;
/** Standard deviation in a block without its gradient, in levels: flatter ones are not compared. */
const minDeviation = 1;
/** Standard deviation in the image from which a block shows something although the look is flat there. */
const addedDeviation = 2;
/** Correlation of blocks that are alike. */
const alikeCorrelation = 0.75;
/** Share of the image, or of the look if that is smaller, that must be compared: a half less its edge. */
const minOverlap = 0.48;
/** Positions that are compared exactly. */
const finalists = 6;
/** Every second cell along each axis is enough to find them. */
const coarseStep = 2;

/**
 * Compares an image with the look of a marked one. The mark tells scale, rotation and the offset
 * within a tile, so that only positions that are whole tiles apart remain.
 *
 * @param searched the image in the size in which the mark was found.
 * @returns the agreement in the positions that fit best.
 */
export function compareLook(searched: Luma, placement: Placement, look: Look): Agreement[] {
  const view = viewOf(searched, placement, look);
  if (view === null) return [];
  const found = listPositions(view).flatMap((position) => {
    const sampled = sample(view, position, coarseStep);
    return sampled === null ? [] : [{ position, score: Math.abs(correlateLocally(sampled)) }];
  });
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, finalists)
    .flatMap(({ position }) => sample(view, position, 1) ?? [])
    .map(compareBlocks);
}

/** An image, seen from the cells of a look. */
interface View {
  /** Brightness, each pixel the mean of an area as large as a cell. */
  readonly blurred: Luma;
  readonly look: Look;
  /** Sides of a cell, in tiles. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** From tiles to pixels of the image. */
  readonly toPixels: Inverse;
  readonly placement: Placement;
  /** Positions with fewer cells in common are not compared. */
  readonly minCount: number;
}

interface Inverse {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

function viewOf(searched: Luma, placement: Placement, look: Look): View | null {
  const { xx, xy, yx, yy } = placement;
  const determinant = xx * yy - xy * yx;
  if (!(Math.abs(determinant) > 1e-9)) return null;
  const tilesPerPixel = tilesPerSide / Math.min(look.width, look.height);
  const cellWidth = (tilesPerPixel * look.width) / look.columns;
  const cellHeight = (tilesPerPixel * look.height) / look.rows;
  const cellArea = (cellWidth * cellHeight) / Math.abs(determinant);
  return {
    blurred: blur(searched, Math.sqrt(cellArea) / 2),
    look,
    cellWidth,
    cellHeight,
    toPixels: {
      xx: yy / determinant,
      xy: -xy / determinant,
      yx: -yx / determinant,
      yy: xx / determinant,
    },
    placement,
    minCount:
      minOverlap * Math.min(look.cells.length, (searched.width * searched.height) / cellArea),
  };
}

/** A number of tiles along each axis. */
interface Position {
  readonly x: number;
  readonly y: number;
}

/** All positions in which the image and the look overlap. */
function listPositions({ blurred, placement, look, cellWidth, cellHeight }: View): Position[] {
  const corners = [0, 1].flatMap((across) =>
    [0, 1].map((down) => {
      const [x, y] = [across * blurred.width, down * blurred.height];
      return {
        x: placement.xx * x + placement.xy * y + placement.left,
        y: placement.yx * x + placement.yy * y + placement.top,
      };
    }),
  );
  const range = (values: readonly number[], length: number) => ({
    first: Math.ceil(-Math.max(...values)),
    last: Math.floor(length - Math.min(...values)),
  });
  const across = range(
    corners.map(({ x }) => x),
    cellWidth * look.columns,
  );
  const down = range(
    corners.map(({ y }) => y),
    cellHeight * look.rows,
  );
  const positions: Position[] = [];
  for (let y = down.first; y <= down.last; y++) {
    for (let x = across.first; x <= across.last; x++) positions.push({ x, y });
  }
  return positions;
}

/** Cells of the look with what the image shows there. */
interface Sample {
  readonly columns: number;
  readonly rows: number;
  /** Cells of the look between two of the sample. */
  readonly step: number;
  readonly seen: Float32Array;
  readonly known: Float32Array;
  readonly isInside: Uint8Array;
}

/** @returns null when too few cells are in the image. */
function sample(view: View, position: Position, step: number): Sample | null {
  const { blurred, look, cellWidth, cellHeight, toPixels, placement } = view;
  const { values, width, height } = blurred;
  const columns = Math.ceil(look.columns / step);
  const rows = Math.ceil(look.rows / step);
  const [seen, known] = [new Float32Array(columns * rows), new Float32Array(columns * rows)];
  const isInside = new Uint8Array(columns * rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const v = (row * step + 0.5) * cellHeight - position.y - placement.top;
    for (let column = 0; column < columns; column++) {
      const u = (column * step + 0.5) * cellWidth - position.x - placement.left;
      const x = toPixels.xx * u + toPixels.xy * v - 0.5;
      const y = toPixels.yx * u + toPixels.yy * v - 0.5;
      if (!(x >= 0 && y >= 0 && x < width - 1 && y < height - 1)) continue;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const at = top * width + left;
      const [right, down] = [x - left, y - top];
      const upper = values[at]! + (values[at + 1]! - values[at]!) * right;
      const lower = values[at + width]! + (values[at + width + 1]! - values[at + width]!) * right;
      const cell = row * columns + column;
      seen[cell] = upper + (lower - upper) * down;
      known[cell] = look.cells[row * step * look.columns + column * step]!;
      isInside[cell] = 1;
      count++;
    }
  }
  if (count * step * step < view.minCount) return null;
  return { columns, rows, step, seen, known, isInside };
}

/** Correlation of the brightness of all cells, each compared with its surroundings. */
function correlateLocally(sampled: Sample): number {
  const seen = normaliseLocally(sampled.seen, sampled);
  const known = normaliseLocally(sampled.known, sampled);
  let [seenSquares, knownSquares, products] = [0, 0, 0];
  for (let at = 0; at < seen.length; at++) {
    seenSquares += seen[at]! ** 2;
    knownSquares += known[at]! ** 2;
    products += seen[at]! * known[at]!;
  }
  const norm = Math.sqrt(seenSquares * knownSquares);
  return norm > 0 ? products / norm : 0;
}

/** Deviations from the mean of the surroundings that are inside, in their deviation; 0 outside. */
function normaliseLocally(
  values: Float32Array,
  { columns, rows, step, isInside }: Sample,
): Float32Array {
  const radius = Math.round(surroundings / step);
  const stride = columns + 1;
  const length = stride * (rows + 1);
  const [sums, squares] = [new Float64Array(length), new Float64Array(length)];
  const counts = new Int32Array(length);
  for (let row = 0, at = 0; row < rows; row++) {
    let [sum, square, count] = [0, 0, 0];
    for (let column = 0; column < columns; column++, at++) {
      // Outside, values are 0.
      sum += values[at]!;
      square += values[at]! ** 2;
      count += isInside[at]!;
      const next = (row + 1) * stride + column + 1;
      sums[next] = sums[next - stride]! + sum;
      squares[next] = squares[next - stride]! + square;
      counts[next] = counts[next - stride]! + count;
    }
  }
  const normalised = new Float32Array(values.length);
  for (let row = 0, at = 0; row < rows; row++) {
    const upper = Math.max(0, row - radius) * stride;
    const lower = Math.min(rows, row + radius + 1) * stride;
    for (let column = 0; column < columns; column++, at++) {
      if (isInside[at] === 0) continue;
      const left = Math.max(0, column - radius);
      const right = Math.min(columns, column + radius + 1);
      const within = (table: Float64Array | Int32Array) =>
        table[lower + right]! - table[lower + left]! - table[upper + right]! + table[upper + left]!;
      const count = within(counts);
      const mean = within(sums) / count;
      const variance = Math.max(0, within(squares) / count - mean ** 2);
      normalised[at] = (values[at]! - mean) / Math.sqrt(variance + flatDeviation ** 2);
    }
  }
  return normalised;
}

/** Blocks are compared one by one, so that a replaced part does not outweigh the rest. */
function compareBlocks(sampled: Sample): Agreement {
  const correlations: number[] = [];
  let [blocks, added] = [0, 0];
  for (let top = 0; top + blockSide <= sampled.rows; top += blockStep) {
    for (let left = 0; left + blockSide <= sampled.columns; left += blockStep) {
      const block = compareBlock(sampled, top * sampled.columns + left);
      if (block === null) continue;
      blocks++;
      if (block.knownDeviation >= minDeviation) correlations.push(block.correlation);
      else if (block.seenDeviation > addedDeviation) added++;
    }
  }
  // All are negative in an image with inverted colours.
  const sign = Math.sign(correlations.reduce((sum, one) => sum + one, 0));
  const alike = correlations.filter((one) => sign * one >= alikeCorrelation).length;
  return { blocks, compared: correlations.length, alike, added };
}

/** Distances of the cells of a block from its centre along one axis. */
const offsets = Array.from({ length: blockSide }, (_, index) => index - (blockSide - 1) / 2);
const offsetSquares = blockSide * offsets.reduce((sum, offset) => sum + offset * offset, 0);

/** @returns null for a block that is not inside the image as a whole. */
function compareBlock({ columns, seen, known, isInside }: Sample, corner: number) {
  const cells = offsets.flatMap((_, row) =>
    offsets.map((__, column) => corner + row * columns + column),
  );
  if (!cells.every((at) => isInside[at] === 1)) return null;
  const one = withoutGradient(cells.map((at) => seen[at]!));
  const other = withoutGradient(cells.map((at) => known[at]!));
  let [oneSquares, otherSquares, products] = [0, 0, 0];
  one.forEach((value, at) => {
    oneSquares += value * value;
    otherSquares += other[at]! ** 2;
    products += value * other[at]!;
  });
  const norm = Math.sqrt(oneSquares * otherSquares);
  return {
    correlation: norm > 0 ? products / norm : 0,
    seenDeviation: Math.sqrt(oneSquares / cells.length),
    knownDeviation: Math.sqrt(otherSquares / cells.length),
  };
}

/** The values of a block less their mean and gradient: gradients are alike in many pictures. */
function withoutGradient(values: readonly number[]): number[] {
  let [sum, across, down] = [0, 0, 0];
  values.forEach((value, at) => {
    sum += value;
    across += value * offsets[at % blockSide]!;
    down += value * offsets[Math.floor(at / blockSide)]!;
  });
  const [mean, right, lower] = [sum / values.length, across / offsetSquares, down / offsetSquares];
  return values.map(
    (value, at) =>
      value -
      mean -
      right * offsets[at % blockSide]! -
      lower * offsets[Math.floor(at / blockSide)]!,
  );
}

/** The mean of the square around each pixel; at the edges, of its part in the image. */
function blur({ values, width, height }: Luma, halfSide: number): Luma {
  const radius = Math.max(0, Math.round(halfSide - 0.5));
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0, at = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++, at++) {
      sum += values[at]!;
      const next = (y + 1) * stride + x + 1;
      sums[next] = sums[next - stride]! + sum;
    }
  }
  const blurred = new Float32Array(values.length);
  for (let y = 0, at = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x++, at++) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const sum =
        sums[bottom * stride + right]! -
        sums[bottom * stride + left]! -
        sums[top * stride + right]! +
        sums[top * stride + left]!;
      blurred[at] = sum / ((right - left) * (bottom - top));
    }
  }
  return { values: blurred, width, height };
}
