import type { PixelSize } from "@atelier/schemas";

/**
 * Pixels of Recraft V4 and V4.1 by aspect ratio, landscape or square; portrait ratios are
 * transposed. The Pro models make twice the edge lengths. Source: recraft.ai/docs, "Appendix".
 */
const landscapeV4: Readonly<Record<string, PixelSize>> = {
  "1:1": { width: 1024, height: 1024 },
  "5:4": { width: 1152, height: 896 },
  "4:3": { width: 1216, height: 896 },
  "3:2": { width: 1280, height: 832 },
  "16:9": { width: 1344, height: 768 },
};

/** Pixels of Recraft V3, from the same source. */
const landscapeV3: Readonly<Record<string, PixelSize>> = {
  "1:1": { width: 1024, height: 1024 },
  "5:4": { width: 1280, height: 1024 },
  "4:3": { width: 1365, height: 1024 },
  "3:2": { width: 1536, height: 1024 },
  "16:9": { width: 1820, height: 1024 },
};

/** The pixels of a model for an aspect ratio and size; null when unsupported. */
export function recraftPixels(
  model: string,
  aspectRatio: string,
  imageSize: string,
): PixelSize | null {
  const isPro = /_pro(_|$)/.test(model);
  if (imageSize !== (isPro ? "2K" : "1K")) return null;
  const table = model.startsWith("recraftv3") ? landscapeV3 : landscapeV4;
  const turned = aspectRatio.split(":").toReversed().join(":");
  const isLandscape = Object.hasOwn(table, aspectRatio);
  const size = table[isLandscape ? aspectRatio : turned];
  if (size === undefined || (!isLandscape && !Object.hasOwn(table, turned))) return null;
  const scale = isPro ? 2 : 1;
  const [width, height] = isLandscape ? [size.width, size.height] : [size.height, size.width];
  return { width: width * scale, height: height * scale };
}
