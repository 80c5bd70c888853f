import { crc32 } from "node:zlib";
import type { ImageFormat } from "@atelier/kit";

/** The place for a manifest store in a file, with the bytes before and after it. */
export interface ManifestSlot {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Wraps a store as the format requires. The length of the result depends only on the store's. */
  wrap(store: Buffer): Buffer;
}

/**
 * Returns the place for a manifest store in a file without one, where the C2PA library puts it
 * (C2PA 2.4, appendix A): in a PNG a `caBX` chunk after IHDR, in a JPEG APP11 segments after SOI, in a
 * WebP the last chunk.
 *
 * @throws Error for a file of another structure.
 */
export function openSlot(format: ImageFormat, file: Buffer, storeBytes: number): ManifestSlot {
  if (format === "png") {
    if (file.toString("latin1", 12, 16) !== "IHDR") throw new Error("The PNG has no IHDR.");
    return { head: file.subarray(0, 33), tail: file.subarray(33), wrap: pngChunk };
  }
  if (format === "jpeg") {
    if (file.readUInt16BE(0) !== 0xffd8) throw new Error("The JPEG has no SOI.");
    return { head: file.subarray(0, 2), tail: file.subarray(2), wrap: jpegSegments };
  }
  // Metadata are allowed only in the extended format (RFC 9649, section 2.7).
  if (file.toString("latin1", 12, 16) !== "VP8X") throw new Error("The WebP has no VP8X.");
  const padding = Buffer.alloc(storeBytes % 2);
  const head = Buffer.from(file);
  head.writeUInt32LE(file.length - 8 + 8 + storeBytes + padding.length, 4);
  // The zero after a chunk of odd length is hashed, because it is not part of the chunk.
  return { head, tail: padding, wrap: riffChunk };
}

function pngChunk(store: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + store.length);
  chunk.writeUInt32BE(store.length, 0);
  chunk.write("caBX", 4, "latin1");
  store.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), 8 + store.length);
  return chunk;
}

/** Length of a segment's data: its length field of two bytes counts itself. */
const maxSegmentBytes = 65_535 - 2;
/** Common identifier, box instance number and packet sequence number. */
const packetHeaderBytes = 8;

/** ISO/IEC 19566-5, annex D: each segment after the first repeats the length and type of the box. */
function jpegSegments(store: Buffer): Buffer {
  const boxHeader = store.subarray(0, 8);
  const parts: Buffer[] = [];
  for (let at = 0, sequence = 1; at < store.length; sequence++) {
    const repeated = sequence === 1 ? Buffer.alloc(0) : boxHeader;
    const room = maxSegmentBytes - packetHeaderBytes - repeated.length;
    const part = store.subarray(at, at + room);
    const header = Buffer.from("\xff\xeb\0\0JP\x02\x11\0\0\0\0", "latin1");
    header.writeUInt16BE(2 + packetHeaderBytes + repeated.length + part.length, 2);
    header.writeUInt32BE(sequence, 8);
    parts.push(header, repeated, part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

function riffChunk(store: Buffer): Buffer {
  const header = Buffer.from("C2PA\0\0\0\0", "latin1");
  header.writeUInt32LE(store.length, 4);
  return Buffer.concat([header, store]);
}

/** A manifest store in a file, with the range that its own hash leaves out. */
export interface FoundStore {
  readonly start: number;
  readonly length: number;
  readonly store: Buffer;
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly content: Buffer;
}

/**
 * Finds the manifest store of a file.
 *
 * @throws Error unless there is exactly one, in one piece.
 */
export function findStore(format: ImageFormat, file: Buffer): FoundStore {
  const parts = { png: pngParts, jpeg: jpegParts, webp: webpParts }[format](file);
  const [first, last] = [parts[0], parts.at(-1)];
  const isConnected = parts.every(({ start }, index) => start === (parts[index - 1]?.end ?? start));
  if (first === undefined || last === undefined || !isConnected) {
    throw new Error(`The ${format} does not have one manifest store.`);
  }
  return {
    start: first.start,
    length: last.end - first.start,
    store: Buffer.concat(parts.map(({ content }) => content)),
  };
}

function pngParts(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let start = 8; start + 12 <= file.length;) {
    const end = start + 12 + file.readUInt32BE(start);
    const type = file.toString("latin1", start + 4, start + 8);
    if (type === "caBX") {
      if (crc32(file.subarray(start + 4, end - 4)) !== file.readUInt32BE(end - 4)) {
        throw new Error("The checksum of the manifest store is wrong.");
      }
      parts.push({ start, end, content: file.subarray(start + 8, end - 4) });
    }
    start = end;
  }
  return onlyOne(parts);
}

function jpegParts(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let start = 2; file[start] === 0xff && file[start + 1] !== 0xda;) {
    const end = start + 2 + file.readUInt16BE(start + 2);
    if (file[start + 1] === 0xeb) {
      if (file.readUInt32BE(start + 8) !== parts.length + 1) {
        throw new Error("The segments of the manifest store are not in order.");
      }
      const content = file.subarray(start + 12 + (parts.length === 0 ? 0 : 8), end);
      parts.push({ start, end, content });
    }
    start = end;
  }
  return parts;
}

function webpParts(file: Buffer): Part[] {
  if (file.readUInt32LE(4) !== file.length - 8) throw new Error("The WebP has a wrong length.");
  const parts: Part[] = [];
  for (let start = 12; start + 8 <= file.length;) {
    const length = file.readUInt32LE(start + 4);
    const end = start + 8 + length;
    if (file.toString("latin1", start, start + 4) === "C2PA") {
      parts.push({ start, end, content: file.subarray(start + 8, end) });
    }
    start = end + (length % 2);
  }
  return onlyOne(parts);
}

function onlyOne(parts: Part[]): Part[] {
  if (parts.length > 1) throw new Error("The file has several manifest stores.");
  return parts;
}
