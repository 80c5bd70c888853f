/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The largest number of pixels that models change: those of the largest image that they make. */
export const maxEditPixels = 4_096 * 4_096;

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
