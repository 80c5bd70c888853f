export { detectWatermarks, detectionSide, prepareSearch, searchWatermarks } from "./detect.ts";
export type { Detection, DetectOptions, SearchableImage } from "./detect.ts";
export { embedWatermark, minSide } from "./embed.ts";
export type { EmbedOptions } from "./embed.ts";
export type { Pixels } from "./luma.ts";
export type { WatermarkId } from "./payload.ts";
export { createWatermarkKey } from "./watermark-key.ts";
export type { WatermarkKey } from "./watermark-key.ts";
export { hashDistance, perceptualHash } from "./perceptual-hash.ts";
