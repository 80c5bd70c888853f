/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const edges: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };
/** All supported aspect ratios. */
export const aspectRatios: readonly string[] = [
  "1:1",
  "4:3",
  "3:4",
  "3:2",
  "2:3",
  "16:9",
  "9:16",
  "21:9",
];

const toEdge = (length: number): number => Math.round(length / 8) * 8;

/**
 * Pixel size of a picture: an area of about 1024², 2048² or 4096², both edges multiples of 8.
 *
 * @returns null if the aspect ratio or the size is not supported.
 */
export function pixelSize(aspectRatio: string, imageSize: string): PixelSize | null {
  const edge = Object.hasOwn(edges, imageSize) ? edges[imageSize] : undefined;
  if (edge === undefined || !aspectRatios.includes(aspectRatio)) return null;
  const [across = 1, down = 1] = aspectRatio.split(":").map(Number);
  return {
    width: toEdge(edge * Math.sqrt(across / down)),
    height: toEdge(edge * Math.sqrt(down / across)),
  };
}

/** The size in units of a picture with exact pixels: their shape, with an area of 1024². */
export function viewOf({ width, height }: PixelSize): PixelSize {
  const ratio = width / height;
  return { width: 1024 * Math.sqrt(ratio), height: 1024 / Math.sqrt(ratio) };
}
