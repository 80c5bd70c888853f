import { vectorizeRaw, type Config } from "@neplex/vectorizer";
import sharp from "sharp";
import { nearestOf, paintInFewColours, type Colour, type Pixels } from "./reduce-colours.ts";
import { SvgError } from "./sanitize-svg.ts";

/** Longest edges in pixels at which an image is traced: the first with at most `maxSteps`. */
const edges = [1_024, 724, 512, 362, 256];

/**
 * Maximum number of neighbouring pixels of different colours, which bounds the time of tracing and the size of
 * the file: noise has a hundred times as many as a drawing.
 */
const maxSteps = 110_000;

/** VTracer's settings for drawings, with all colours of the pixels that it receives. */
const settings: Config = {
  // Colours, stacked shapes and curves: the enumerations of the types do not exist at run time.
  colorMode: 0,
  hierarchical: 0,
  mode: 2,
  filterSpeckle: 4,
  colorPrecision: 8,
  layerDifference: 0,
  cornerThreshold: 60,
  lengthThreshold: 4,
  maxIterations: 10,
  spliceThreshold: 45,
  pathPrecision: 1,
};

/**
 * Traces an image as shapes of a few colours, stacked from the largest to the smallest. Only for a limited
 * process: tracing is native code.
 *
 * @param colors the maximum number of colours, from 2 to 64.
 * @returns an SVG that is not sanitised, in the size at which the image was traced.
 * @throws SvgError for an image that cannot be traced.
 */
export async function traceImage(image: Uint8Array, colors: number): Promise<string> {
  try {
    const { data, width, height, palette } = await reduce(image, colors);
    return keepPalette(await vectorizeRaw(data, { width, height }, settings), palette);
  } catch (cause) {
    if (cause instanceof SvgError) throw cause;
    throw new SvgError("The image cannot be traced.", { cause });
  }
}

/** Reduces an image to few colours, at the largest of `edges` with at most `maxSteps`. */
async function reduce(image: Uint8Array, colors: number) {
  for (const edge of edges) {
    const { data, info } = await sharp(image)
      .resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true })
      // Removes the noise of a photograph, which would become thousands of specks.
      .median(3)
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixels = { data, width: info.width, height: info.height };
    const palette = paintInFewColours(pixels, colors);
    if (countSteps(pixels) <= maxSteps) return { ...pixels, palette };
  }
  throw new SvgError("The image has too many details to trace. Use one with larger areas.");
}

/** Counts the neighbouring pixels of different colours. */
function countSteps({ data, width, height }: Pixels): number {
  const colours = new Uint32Array(data.buffer, data.byteOffset, width * height);
  let steps = 0;
  for (let index = 0; index < colours.length; index += 1) {
    const isLast = (index + 1) % width === 0;
    if (!isLast && colours[index] !== colours[index + 1]) steps += 1;
    const below = index + width;
    if (below < colours.length && colours[index] !== colours[below]) steps += 1;
  }
  return steps;
}

/** Replaces the colour of each shape, the mean of its pixels, by the nearest one of the palette. */
function keepPalette(svg: string, palette: readonly Colour[]): string {
  return svg.replaceAll(/fill="#([\da-f]{6})"/gi, (_, hex: string) => {
    const colour = Number.parseInt(hex, 16);
    const nearest = nearestOf([colour >> 16, (colour >> 8) & 255, colour & 255], palette);
    return `fill="#${Buffer.from(nearest).toString("hex")}"`;
  });
}
