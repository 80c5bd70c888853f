import { reduceToLuma, type Pixels } from "./luma.ts";

/** Cells of a look, whatever the shape of the image. */
const cellCount = 48 * 48;
/** Pixels that are read along each side of a cell. */
const samplesPerCell = 8;
/** An image with a shorter side carries no mark. */
const minSide = 256;

/** A small picture of an image, to compare copies and parts of it with. */
export interface Look {
  /** Of the image, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Cells along both axes; they are nearly square. */
  readonly columns: number;
  readonly rows: number;
  /** Brightness of each cell, row by row. */
  readonly cells: Uint8Array;
}

/** @returns null for an image with a side below 256 pixels. */
export function takeLook(pixels: Pixels): Look | null {
  const { width, height } = pixels;
  if (Math.min(width, height) < minSide) return null;
  const columns = Math.round(Math.sqrt((cellCount * width) / height));
  const rows = Math.round(cellCount / columns);
  const { values } = reduceToLuma(pixels, { width: columns, height: rows }, samplesPerCell);
  return { width, height, columns, rows, cells: Uint8Array.from(values, Math.round) };
}
