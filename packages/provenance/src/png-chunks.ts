import { crc32 } from "node:zlib";
import { InvalidImageError } from "./image-format.ts";

/** One chunk of a PNG file: length, type, data and checksum, as stored in the file. */
export interface PngChunk {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Chunks that define the pixels and their colours. All others may identify the author. */
const pictureChunks = new Set("IHDR PLTE tRNS IDAT IEND gAMA cHRM sRGB iCCP cICP sBIT".split(" "));

/**
 * Returns the chunks of a PNG that define its image, with the compressed pixels unchanged. Text,
 * EXIF, time, animation frames, C2PA manifests and trailing data are omitted.
 *
 * @throws InvalidImageError when the file is truncated, has a wrong checksum, lacks a chunk that
 *   PNG (third edition, section 5.6) requires, or has an unknown critical chunk.
 */
export function readPictureChunks(png: Uint8Array): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (const chunk of chunksOf(png)) {
    if (pictureChunks.has(chunk.type)) chunks.push(chunk);
    else if (isCritical(chunk.type)) throw new InvalidImageError("The PNG has an unknown part.");
  }
  if (chunks[0]?.type !== "IHDR" || !chunks.some((chunk) => chunk.type === "IDAT")) {
    throw new InvalidImageError("The PNG has no picture.");
  }
  return chunks;
}

/** Writes a PNG file of the given chunks, with an optional XMP packet before the pixels. */
export function writePng(chunks: readonly PngChunk[], xmp?: string): Buffer {
  const firstPixels = chunks.findIndex((chunk) => chunk.type === "IDAT");
  return Buffer.concat([
    signature,
    ...chunks.slice(0, firstPixels).map((chunk) => chunk.bytes),
    ...(xmp === undefined ? [] : [xmpChunk(xmp)]),
    ...chunks.slice(firstPixels).map((chunk) => chunk.bytes),
  ]);
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

/** The chunks of a PNG with 8 bits per channel, of its compressed pixels: RGB, or RGB with alpha. */
export function createPictureChunks(
  { width, height, channels }: Layout,
  compressed: Uint8Array,
): PngChunk[] {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bits per channel, and colour type. Compression, filter and interlace method are 0.
  header.set([8, channels === 4 ? 6 : 2], 8);
  return [
    createChunk("IHDR", header),
    createChunk("IDAT", compressed),
    createChunk("IEND", new Uint8Array()),
  ];
}

function createChunk(type: string, data: Uint8Array): PngChunk {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return { type, bytes };
}

function* chunksOf(png: Uint8Array): Generator<PngChunk> {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  let offset = signature.length;
  while (offset + 12 <= file.length) {
    const end = offset + 12 + file.readUInt32BE(offset);
    if (end > file.length) break;
    const bytes = file.subarray(offset, end);
    if (crc32(bytes.subarray(4, -4)) !== bytes.readUInt32BE(bytes.length - 4)) {
      throw new InvalidImageError("The PNG is damaged: a checksum is wrong.");
    }
    const type = bytes.toString("latin1", 4, 8);
    yield { type, bytes };
    if (type === "IEND") return;
    offset = end;
  }
  throw new InvalidImageError("The PNG is cut short.");
}

/**
 * Chunk types that begin with a capital letter are critical: a decoder must know or reject them.
 */
function isCritical(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) === 0;
}

/** XMP in an uncompressed iTXt chunk: XMP specification part 3, section 1.1.5. */
function xmpChunk(xmp: string): Uint8Array {
  return createChunk("iTXt", Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`, "utf8")).bytes;
}
