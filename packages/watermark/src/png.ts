import type { Pixels } from "./luma.ts";
import { hasPixelModule, usePixelModule } from "./pixel-module.ts";

/** Rows that share a filter and codes have about this many bytes. */
const bandBytes = 131_072;
/** The head of a band's codes, and what is written beyond the end. */
const bandOverhead = 1_024;

/**
 * Compresses pixels for the IDAT chunk of a PNG. Fast, and small for pixels with noise, as those of a
 * marked image. Drawings without noise are larger than with zlib, because repetitions are not searched.
 *
 * @returns a zlib stream of filtered rows; null where the processor cannot run the module.
 */
export function compressPixels({ data, width, height, channels }: Pixels): Uint8Array | null {
  if (!hasPixelModule) return null;
  return usePixelModule((module) => {
    const row = width * channels + 1;
    const bandRows = Math.max(1, Math.min(height, Math.floor(bandBytes / row)));
    const pixels = module.place(data);
    const lines = module.reserve((bandRows + 2) * row);
    // Huffman's codes need at most eight bits a byte on average, were it not for their longest length.
    const room = Math.ceil(1.125 * row * height) + bandOverhead * Math.ceil(height / bandRows);
    const out = module.reserve(room);
    const length = module.call.compress(pixels, width, height, channels, bandRows, lines, out);
    return module.bytesAt(out, length).slice();
  });
}
