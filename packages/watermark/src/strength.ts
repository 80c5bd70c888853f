import type { Luma } from "./luma.ts";

/** Strength of a mark in each part of an image, in levels of brightness (standard deviation). */
export interface StrengthMap {
  /** Cells in a row. */
  readonly width: number;
  /** The strength at a pixel of the analysed image, of the nearest cell. */
  at(x: number, y: number): number;
  /** Cells in a column. */
  readonly height: number;
  /** The strengths of all cells, row by row. */
  readonly cells: Float32Array;
  /** The place of a row of an image with this height, in cells. It is never in the last row of cells. */
  rowAt(y: number, height: number): number;
  /** The strengths of all cells at a row of an image with this height. */
  readRow(y: number, height: number, into: Float32Array): void;
  /** For each column of an image with this width: the cell to its left, and its distance from it. */
  columns(width: number): { readonly column: Uint16Array; readonly fraction: Float32Array };
}

/** Pixels of the analysed image along a side of a cell. */
const cellSide = 4;

/** Strength in flat areas, and maximum strength, in levels of brightness. */
const flat = 0.65;
const maxStrength = 2.62;
/** Levels added for each level of difference between neighbours. */
const perDifference = 0.237;
/** Larger differences are edges: they do not hide more than this. */
const maxDifference = 14;

/**
 * In an image that hides little anywhere, lossy compression would remove a mark of this strength. It is
 * strengthened up to this root mean square (about 50 dB), and by this factor at most: more would be seen in flat areas.
 */
const minOverall = 0.85;
const maxLifted = 2.4;

/** Steps of one level are seen best in the dark, where each is a larger part of the brightness. */
const darkest = 0.8;
const bright = 140;

/** Measures how much each part of an image hides: texture does, flat areas hide little. */
export function measureStrength({ values, width, height }: Luma, factor: number): StrengthMap {
  const cellsAcross = Math.ceil(width / cellSide) + 2;
  const cellsDown = Math.ceil(height / cellSide) + 2;
  const differences = new Float32Array(cellsAcross * cellsDown);
  const brightness = new Float32Array(cellsAcross * cellsDown);
  const counts = new Float32Array(cellsAcross * cellsDown);
  const half = cellSide / 2;
  // Cells are centred on multiples of their side.
  const cellOf = (at: number) => Math.floor((at + half) / cellSide);
  for (let y = 0; y < height - 1; y++) {
    const row = cellOf(y) * cellsAcross;
    for (let x = 0; x < width - 1; x++) {
      const at = y * width + x;
      const value = values[at]!;
      const difference = Math.abs(values[at + 1]! - value) + Math.abs(values[at + width]! - value);
      const cell = row + cellOf(x);
      // Roots: many small differences hide more than a few large ones.
      differences[cell]! += Math.sqrt(Math.min(maxDifference, difference));
      brightness[cell]! += value;
      counts[cell]!++;
    }
  }
  const strengths = new Float32Array(cellsAcross * cellsDown);
  for (let row = 0; row < cellsDown; row++) {
    for (let column = 0; column < cellsAcross; column++) {
      const cell = row * cellsAcross + column;
      const count = counts[cell]!;
      if (count === 0) {
        // Beyond the right and the lower edge.
        strengths[cell] = strengths[column > 0 ? cell - 1 : cell - cellsAcross] ?? flat;
        continue;
      }
      const light = Math.min(1, darkest + ((1 - darkest) * brightness[cell]!) / count / bright);
      const hidden = flat + perDifference * (differences[cell]! / count) ** 2;
      strengths[cell] = Math.min(maxStrength, light * hidden);
    }
  }
  const lift = Math.min(maxLifted, Math.max(1, minOverall / rootMeanSquare(strengths)));
  for (let cell = 0; cell < strengths.length; cell++) strengths[cell]! *= factor * lift;

  const rowAt = (y: number, imageHeight: number) => ((y + 0.5) * height) / imageHeight / cellSide;
  return {
    width: cellsAcross,
    height: cellsDown,
    cells: strengths,
    rowAt,
    at: (x, y) => strengths[cellOf(y) * cellsAcross + cellOf(x)]!,
    readRow(y, imageHeight, into) {
      const position = rowAt(y, imageHeight);
      const upper = Math.floor(position) * cellsAcross;
      const share = position - Math.floor(position);
      for (let column = 0; column < cellsAcross; column++) {
        const above = strengths[upper + column]!;
        into[column] = above + (strengths[upper + cellsAcross + column]! - above) * share;
      }
    },
    columns(imageWidth) {
      const column = new Uint16Array(imageWidth);
      const fraction = new Float32Array(imageWidth);
      for (let x = 0; x < imageWidth; x++) {
        const position = ((x + 0.5) * width) / imageWidth / cellSide;
        column[x] = Math.floor(position);
        fraction[x] = position - Math.floor(position);
      }
      return { column, fraction };
    },
  };
}

function rootMeanSquare(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
