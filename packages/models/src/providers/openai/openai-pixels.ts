import type { PixelSize } from "@atelier/schemas";

/**
 * OpenAI's pixels by aspect ratio and size, landscape or square; portrait ratios are transposed.
 * All follow its rules: multiples of 16, aspect ratio at most 3:1, 655,360 to 8,294,400 pixels, no
 * edge above 3,840. 4K is therefore the largest image that the rules allow.
 *
 * 1:1, 3:2 and 2:3 at 1K are the only sizes that older models support.
 */
const landscape: Readonly<Record<string, Readonly<Record<string, PixelSize>>>> = {
  "1K": {
    "1:1": { width: 1024, height: 1024 },
    "5:4": { width: 1280, height: 1024 },
    "4:3": { width: 1152, height: 864 },
    "3:2": { width: 1536, height: 1024 },
    "16:9": { width: 1536, height: 864 },
    "21:9": { width: 1568, height: 672 },
  },
  "2K": {
    "1:1": { width: 2048, height: 2048 },
    "5:4": { width: 2240, height: 1792 },
    "4:3": { width: 2304, height: 1728 },
    "3:2": { width: 2496, height: 1664 },
    "16:9": { width: 2560, height: 1440 },
    "21:9": { width: 3136, height: 1344 },
  },
  "4K": {
    "1:1": { width: 2880, height: 2880 },
    "5:4": { width: 3200, height: 2560 },
    "4:3": { width: 3264, height: 2448 },
    "3:2": { width: 3504, height: 2336 },
    "16:9": { width: 3840, height: 2160 },
    "21:9": { width: 3808, height: 1632 },
  },
};

/** OpenAI's pixels for an aspect ratio and size; null when unsupported. */
export function openAiPixels(aspectRatio: string, imageSize: string): PixelSize | null {
  const sizes = Object.hasOwn(landscape, imageSize) ? landscape[imageSize] : undefined;
  if (sizes === undefined) return null;
  if (Object.hasOwn(sizes, aspectRatio)) return sizes[aspectRatio] ?? null;
  const turned = aspectRatio.split(":").toReversed().join(":");
  const size = Object.hasOwn(sizes, turned) ? sizes[turned] : undefined;
  return size === undefined ? null : { width: size.height, height: size.width };
}
