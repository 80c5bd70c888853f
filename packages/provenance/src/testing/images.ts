import { crc32 } from "node:zlib";
import sharp from "sharp";
import type { Sharp } from "sharp";

/** An image with fine detail like a photograph; for tests only. */
export function noise(options: { width?: number; height?: number; channels?: 3 | 4 } = {}): Sharp {
  const { width = 64, height = 48, channels = 3 } = options;
  return sharp({
    create: {
      width,
      height,
      channels,
      background: { r: 120, g: 130, b: 140, alpha: 0.5 },
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
}

interface RawChunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Splits a PNG file into its chunks. */
export function splitPng(png: Uint8Array): RawChunk[] {
  const file = Buffer.from(png);
  const chunks: RawChunk[] = [];
  for (let offset = 8; offset < file.length; offset += 12 + file.readUInt32BE(offset)) {
    const start = offset + 8;
    const data = file.subarray(start, start + file.readUInt32BE(offset));
    chunks.push({ type: file.toString("latin1", offset + 4, start), data });
  }
  return chunks;
}

/** Joins chunks to a PNG file with correct lengths and checksums. */
export function joinPng(chunks: readonly RawChunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const typeAndData = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const part = Buffer.alloc(typeAndData.length + 8);
    part.writeUInt32BE(data.length);
    typeAndData.copy(part, 4);
    part.writeUInt32BE(crc32(typeAndData), part.length - 4);
    return part;
  });
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

/** Adds chunks to a PNG right after its header. */
export function withChunks(png: Uint8Array, ...added: readonly RawChunk[]): Buffer {
  const [header, ...rest] = splitPng(png);
  return joinPng(header === undefined ? [] : [header, ...added, ...rest]);
}

/** The compressed pixels of a PNG. */
export function compressedPixels(png: Uint8Array): Buffer {
  const pixels = splitPng(png).filter(({ type }) => type === "IDAT");
  return Buffer.concat(pixels.map(({ data }) => data));
}
