/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The largest number of pixels that models change: those of the largest image that they make. */
export const maxEditPixels = 4_096 * 4_096;

/** The largest number of pixels of a result. */
export const maxResultPixels = 40_000_000;

/** The longest edge of a WebP, which every image is delivered as. */
export const maxResultEdge = 16_383;

/** The pixels that an image can be extended by at each side. */
export const maxMargin = 8_192;

/** Whether a result may have a size. */
export function isResultSize({ width, height }: PixelSize): boolean {
  return width * height <= maxResultPixels && Math.max(width, height) <= maxResultEdge;
}

/** The size in which a received image is used: that of at most `maxEditPixels`, in its shape. */
export function scaleToEdit({ width, height }: PixelSize): PixelSize {
  const factor = Math.min(1, Math.sqrt(maxEditPixels / (width * height)));
  return {
    width: Math.max(1, Math.floor(width * factor)),
    height: Math.max(1, Math.floor(height * factor)),
  };
}

/** Whether a received image is scaled down before it is used. */
export function isScaledToEdit({ width, height }: PixelSize): boolean {
  return width * height > maxEditPixels;
}
