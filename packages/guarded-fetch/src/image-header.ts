import { detectReceivedFormat, receivedMediaTypes } from "@atelier/kit";
import { maxScaledPixels } from "@atelier/schemas";
import { readAvif } from "./avif-header.ts";
import { GuardedRequestError } from "./errors.ts";
import {
  assertFewParts,
  noFacts,
  type Facts,
  type ImageHeader,
  type MutableFacts,
} from "./header-facts.ts";
import { isTurned, readOrientation } from "./orientation.ts";

/** Maximum edge length; neither models nor cameras need more. */
const maxSidePixels = 16_384;
const maxProfileBytes = 1_048_576;
const maxTextBytes = 4_194_304;
/**
 * Maximum number of scans of a JPEG. Encoders write about ten; each takes a pass over all pixels, so
 * that a small file with hundreds of them would take minutes to decode.
 */
const maxScans = 100;
/**
 * Rejects an image by its header, before any part of it is decoded.
 *
 * @param maxJpegPixels for JPEG, which is decoded row by row. Default: `maxPixels`. An AVIF, which is decoded
 *   as a whole, has at most 24 megapixels.
 * @throws GuardedRequestError `not_an_image`, `undecodable`, `too_many_pixels` for edges of more
 *   than 16,384 pixels or an area of more than `maxPixels`, `animated`, `high_dynamic_range` or
 *   `too_much_metadata`.
 */
export function assertHeader(
  bytes: Uint8Array,
  maxPixels: number,
  maxJpegPixels = maxPixels,
): ImageHeader {
  const header = readImageHeader(bytes);
  const { width, height, profileBytes, textBytes } = header;
  const most = maxPixelsOf(header, maxPixels, maxJpegPixels);
  const pixels = Math.max(width * height, header.partPixels);
  if (Math.max(width, height) > maxSidePixels || pixels > most) {
    throw new GuardedRequestError("too_many_pixels", "too many pixels");
  }
  if (header.isAnimated) throw new GuardedRequestError("animated", "more than one frame");
  if (profileBytes > maxProfileBytes || textBytes > maxTextBytes) {
    throw new GuardedRequestError("too_much_metadata", "too much metadata");
  }
  return header;
}

/** The largest number of pixels of an image of this type. */
export function maxPixelsOf(
  { mediaType }: Pick<ImageHeader, "mediaType">,
  maxPixels: number,
  maxJpegPixels: number,
): number {
  if (mediaType === "image/jpeg") return maxJpegPixels;
  return mediaType === "image/avif" ? Math.min(maxPixels, maxScaledPixels) : maxPixels;
}

/**
 * Reads the header of a PNG (ISO/IEC 15948, 5.3 and 11.2), JPEG (ITU-T T.81, B.1 and B.2) or WebP
 * (RFC 9649, 2.5 to 2.7) or AVIF, and the sizes of the parts before and after its pixels.
 *
 * @throws GuardedRequestError `not_an_image` for another signature, `undecodable` without a size,
 *   `high_dynamic_range` for an AVIF whose colours cannot be shown in 8 bits.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  const format = detectReceivedFormat(bytes);
  if (format === null)
    throw new GuardedRequestError("not_an_image", "no PNG, JPEG, WebP or AVIF signature");
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = { png: readPng, jpeg: readJpeg, webp: readWebp, avif: readAvif }[format];
  const { exif, ...header } = read(file);
  const { width, height } = header;
  if (width === 0 || height === 0) {
    throw new GuardedRequestError("undecodable", "the header names no size");
  }
  const shown =
    exif !== null && isTurned(readOrientation(exif)) ? { width: height, height: width } : null;
  return { mediaType: receivedMediaTypes[format], ...header, ...shown };
}

const pngTexts: ReadonlySet<string> = new Set(["tEXt", "zTXt", "iTXt", "eXIf"]);

function readPng(file: Buffer): Facts {
  const facts: MutableFacts = { ...noFacts };
  let offset = 8;
  for (let part = 0; offset + 8 <= file.length; part++) {
    assertFewParts(part);
    const length = file.readUInt32BE(offset);
    const type = file.toString("latin1", offset + 4, offset + 8);
    if (type === "IHDR" && offset + 16 <= file.length) {
      facts.width = file.readUInt32BE(offset + 8);
      facts.height = file.readUInt32BE(offset + 12);
    }
    if (type === "acTL") facts.isAnimated = true;
    if (type === "iCCP") facts.profileBytes += length;
    if (pngTexts.has(type)) facts.textBytes += length;
    if (type === "eXIf") facts.exif ??= file.subarray(offset + 8, offset + 8 + length);
    if (type === "IEND") break;
    offset += length + 12;
  }
  return facts;
}

/**
 * JPEG segments that contain the size: all frame headers except DHT, JPG and DAC (T.81, table B.1).
 */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

const app0 = 0xe0;
const app1 = 0xe1;
const app2 = 0xe2;
const app15 = 0xef;
const comment = 0xfe;
const startOfScan = 0xda;
const endOfImage = 0xd9;

function readJpeg(file: Buffer): Facts {
  const facts: MutableFacts = { ...noFacts };
  let offset = 2;
  let scans = 0;
  for (let part = 0; offset + 4 <= file.length; part++) {
    assertFewParts(part);
    if (file[offset] !== 0xff) break;
    const marker = file[offset + 1] ?? 0;
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker === endOfImage) break;
    const length = file.readUInt16BE(offset + 2);
    if (marker === startOfScan) {
      if (++scans > maxScans) throw new GuardedRequestError("undecodable", "too many scans");
      offset = findMarker(file, offset + 2 + length);
      continue;
    }
    if (isFrameHeader(marker) && offset + 9 <= file.length) {
      facts.height = file.readUInt16BE(offset + 5);
      facts.width = file.readUInt16BE(offset + 7);
    }
    if (marker === app2) facts.profileBytes += length;
    else if (marker === comment || (marker > app0 && marker <= app15)) facts.textBytes += length;
    if (marker === app1 && file.toString("latin1", offset + 4, offset + 8) === "Exif") {
      facts.exif ??= file.subarray(offset + 4, offset + 2 + length);
    }
    offset += 2 + length;
  }
  return facts;
}

/**
 * The offset of the next marker after the data of a scan, in which zeros follow 0xff, except in restart
 * markers (T.81, B.1.1.5).
 */
function findMarker(file: Buffer, from: number): number {
  let offset = file.indexOf(0xff, from);
  for (; offset !== -1 && offset + 1 < file.length; offset = file.indexOf(0xff, offset + 1)) {
    const next = file[offset + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && !isRestart) return offset;
  }
  return file.length;
}

/** Bit of the flags in an extended header (RFC 9649, 2.7). */
const animationFlag = 0x02;

function readWebp(file: Buffer): Facts {
  const facts: MutableFacts = { ...noFacts };
  let offset = 12;
  for (let part = 0; offset + 8 <= file.length; part++) {
    assertFewParts(part);
    const type = file.toString("latin1", offset, offset + 4);
    const length = file.readUInt32LE(offset + 4);
    const body = file.subarray(offset + 8, offset + 18);
    // The canvas and the image in it each have a size; the larger one counts.
    const size = readWebpSize(type, body);
    facts.width = Math.max(facts.width, size.width);
    facts.height = Math.max(facts.height, size.height);
    if (type === "VP8X" && ((body[0] ?? 0) & animationFlag) !== 0) facts.isAnimated = true;
    if (type === "ANIM" || type === "ANMF") facts.isAnimated = true;
    if (type === "ICCP") facts.profileBytes += length;
    if (type === "EXIF" || type === "XMP ") facts.textBytes += length;
    if (type === "EXIF") facts.exif ??= file.subarray(offset + 8, offset + 8 + length);
    offset += 8 + length + (length % 2);
  }
  return facts;
}

function readWebpSize(type: string, body: Buffer): { width: number; height: number } {
  if (body.length >= 10 && type === "VP8X") {
    return { width: body.readUIntLE(4, 3) + 1, height: body.readUIntLE(7, 3) + 1 };
  }
  if (type === "VP8 " && body.toString("hex", 3, 6) === "9d012a" && body.length >= 10) {
    return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
  }
  if (type === "VP8L" && body[0] === 0x2f && body.length >= 5) {
    const bits = body.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: 0, height: 0 };
}
