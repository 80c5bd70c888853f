import sharp from "sharp";
import type { ProviderImage } from "../../provider.ts";
import { unknown, wrongSize } from "./call-ended.ts";

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Models round edges to multiples of 8, 16 or 64; 21:9 is off by 2 % at Gemini. */
const aspectTolerance = 0.06;
/** The least part of the area asked for that passes for it; the next smaller size has a quarter. */
const areaTolerance = 0.4;

/**
 * Checks what a provider gave as an image: PNG, JPEG or WebP by its first bytes and its header, whole
 * to its last byte, and of about the size asked for. Its pixels are decoded once, when it is marked.
 *
 * @throws CallEnded `unknown` for anything but a whole image: it was made and lost;
 *   `wrong-size` for another size, which a repeated call would give again (some servers fall back
 *   to a size they know without a word).
 */
export async function readImage(bytes: Uint8Array, asked: PixelSize): Promise<ProviderImage> {
  const mediaType = detectMediaType(bytes);
  if (mediaType === null) throw unknown("the answer is not an image");
  if (!isWhole(bytes, mediaType)) throw unknown("the image is cut short");
  const size = await readSize(bytes);
  if (size === null) throw unknown("the image cannot be read");
  if (!passesFor(size, asked)) {
    throw wrongSize(
      `${size.width}x${size.height} was made where ${asked.width}x${asked.height} was asked for`,
    );
  }
  return { bytes, mediaType };
}

/**
 * Bytes of base64, with or without `data:image/…;base64,` before it.
 *
 * @throws CallEnded `unknown` for anything else.
 */
export function readBase64(text: string): Buffer {
  const data = text.replace(/^data:image\/[a-z+.-]+;base64,/, "");
  if (!/^[A-Za-z0-9+/\r\n]+={0,2}\s*$/.test(data)) throw unknown("the image is not base64");
  return Buffer.from(data, "base64");
}

function passesFor(size: PixelSize, asked: PixelSize): boolean {
  const aspect = size.width / size.height / (asked.width / asked.height);
  const area = (size.width * size.height) / (asked.width * asked.height);
  return Math.abs(aspect - 1) <= aspectTolerance && area >= areaTolerance;
}

/** By signature: PNG (ISO/IEC 15948, 5.2), JPEG (ITU-T T.81, B.1.1.3), WebP (RFC 9649, 2.4). */
function detectMediaType(bytes: Uint8Array): ProviderImage["mediaType"] | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "image/webp";
  return null;
}

/**
 * Whether the file has the end that its format prescribes, after its picture: a thumbnail in its
 * metadata has an end too. Bytes after the end do no harm.
 */
function isWhole(bytes: Uint8Array, mediaType: ProviderImage["mediaType"]): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = (marker: string): number => file.lastIndexOf(marker, undefined, "latin1");
  switch (mediaType) {
    case "image/png":
      return last("IEND") > last("IDAT");
    case "image/jpeg":
      // End of image, start of scan.
      return last("\xff\xd9") > last("\xff\xda");
    case "image/webp":
      return file.byteLength >= 12 && file.byteLength >= file.readUInt32LE(4) + 8;
  }
}

/** As shown, after any turn that EXIF asks for. */
async function readSize(bytes: Uint8Array): Promise<PixelSize | null> {
  try {
    const { autoOrient } = await sharp(bytes).metadata();
    return autoOrient;
  } catch {
    return null;
  }
}
