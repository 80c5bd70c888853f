/** Pixels worked on at a time in this process: those of two of the largest images that models make. */
const maxPixels = 2 * 4_096 * 4_096;

interface Waiting {
  readonly pixels: number;
  readonly start: () => void;
}

let pixelsInWork = 0;
const waiting: Waiting[] = [];

/**
 * Waits until the images that are worked on in this process leave room, first come, first served, so
 * that a burst of large images does not take a gigabyte: each pixel takes some 14 bytes. Many
 * images of 1K are worked on at once, and two of 4K. Calls must not be nested.
 *
 * @param pixels of the image; more than the limit count as the limit.
 */
export async function inPixelTurn<Result>(
  pixels: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const counted = Math.min(pixels, maxPixels);
  await new Promise<void>((resolve) => {
    waiting.push({ pixels: counted, start: resolve });
    startNext();
  });
  try {
    return await work();
  } finally {
    pixelsInWork -= counted;
    startNext();
  }
}

function startNext(): void {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    if (pixelsInWork + next.pixels > maxPixels) return;
    waiting.shift();
    pixelsInWork += next.pixels;
    next.start();
  }
}
