import { detectImageFormat, imageMediaTypes, type ImageMediaType } from "@atelier/kit";
import { GuardedRequestError } from "./errors.ts";
import { isTurned, readOrientation } from "./orientation.ts";

/** The content of an image's header, read without a decoder. */
export interface ImageHeader {
  readonly mediaType: ImageMediaType;
  /** In pixels, as shown: after the EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Bytes of colour profiles, as stored. */
  readonly profileBytes: number;
  /** Bytes of comments, EXIF and XMP, as stored. */
  readonly textBytes: number;
}

/** Maximum edge length; neither models nor cameras need more. */
const maxSidePixels = 16_384;
const maxProfileBytes = 1_048_576;
const maxTextBytes = 4_194_304;
/**
 * Maximum number of scans of a JPEG. Encoders write about ten; each takes a pass over all pixels, so
 * that a small file with hundreds of them would take minutes to decode.
 */
const maxScans = 100;
/** Maximum number of parts of a file: more than an encoder writes, and fast to scan. */
const maxParts = 10_000;

/**
 * Rejects an image by its header, before any part of it is decoded.
 *
 * @param maxJpegPixels for JPEG, which is decoded row by row. Default: `maxPixels`.
 * @throws GuardedRequestError `not_an_image`, `undecodable`, `too_many_pixels` for edges of more
 *   than 16,384 pixels or an area of more than `maxPixels`, `animated`, or `too_much_metadata`.
 */
export function assertHeader(
  bytes: Uint8Array,
  maxPixels: number,
  maxJpegPixels = maxPixels,
): ImageHeader {
  const header = readImageHeader(bytes);
  const { width, height, profileBytes, textBytes } = header;
  const most = header.mediaType === "image/jpeg" ? maxJpegPixels : maxPixels;
  if (Math.max(width, height) > maxSidePixels || width * height > most) {
    throw new GuardedRequestError("too_many_pixels", "too many pixels");
  }
  if (header.isAnimated) throw new GuardedRequestError("animated", "more than one frame");
  if (profileBytes > maxProfileBytes || textBytes > maxTextBytes) {
    throw new GuardedRequestError("too_much_metadata", "too much metadata");
  }
  return header;
}

/**
 * Reads the header of a PNG (ISO/IEC 15948, 5.3 and 11.2), JPEG (ITU-T T.81, B.1 and B.2) or WebP
 * (RFC 9649, 2.5 to 2.7), and the sizes of the parts before and after its pixels.
 *
 * @throws GuardedRequestError `not_an_image` for another signature, `undecodable` without a size.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  const format = detectImageFormat(bytes);
  if (format === null)
    throw new GuardedRequestError("not_an_image", "no PNG, JPEG or WebP signature");
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = { png: readPng, jpeg: readJpeg, webp: readWebp }[format];
  const { exif, ...header } = read(file);
  const { width, height } = header;
  if (width === 0 || height === 0) {
    throw new GuardedRequestError("undecodable", "the header names no size");
  }
  const shown =
    exif !== null && isTurned(readOrientation(exif)) ? { width: height, height: width } : null;
  return { mediaType: imageMediaTypes[format], ...header, ...shown };
}

/** The header of a file, with its first EXIF data; the size is as stored. */
type Facts = Omit<ImageHeader, "mediaType"> & { readonly exif: Buffer | null };
type MutableFacts = { -readonly [Name in keyof Facts]: Facts[Name] };

const noFacts: Facts = {
  width: 0,
  height: 0,
  isAnimated: false,
  profileBytes: 0,
  textBytes: 0,
  exif: null,
};

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

function assertFewParts(part: number): void {
  if (part >= maxParts) throw new GuardedRequestError("too_much_metadata", "too many parts");
}
