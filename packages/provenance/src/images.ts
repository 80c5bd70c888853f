/*
 * Functions that read or mark images in their caller's process. They load sharp, the watermark and C2PA, which
 * servers do not need: these have threads and processes for images.
 */
export { createMarker } from "./marker.ts";
export { inspectImage } from "./inspect-image.ts";
export { createMarkReader } from "./search-watermarks.ts";
export { fingerprint } from "./soft-binding.ts";
export { verifyProvenance } from "./verify-provenance.ts";
