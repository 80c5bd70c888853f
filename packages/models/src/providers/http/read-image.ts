import { detectImageFormat, imageMediaTypes, type ImageFormat } from "@atelier/kit";
import type { PixelSize } from "@atelier/schemas";
import sharp from "sharp";
import type { ProviderImage } from "../../provider.ts";
import { unknown, wrongSize, type CallEnded } from "./call-ended.ts";

/** Models round edges to multiples of 8, 16 or 64; Gemini's 21:9 deviates by 2 %. */
const aspectTolerance = 0.06;
/** Minimum area relative to the requested one; the next smaller size has a quarter. */
const areaTolerance = 0.4;

/**
 * Checks an image returned by a provider: PNG, JPEG or WebP by its signature and header, complete
 * to its last byte, and approximately the requested size. Its pixels are decoded once, when it is
 * marked.
 *
 * @throws CallEnded `unknown` when the image is missing or incomplete: it was generated and lost.
 *   `wrong-size` for another size, which a repeated call would return again (some servers silently
 *   fall back to a size they support).
 */
export async function readImage(bytes: Uint8Array, requested: PixelSize): Promise<ProviderImage> {
  const format = detectImageFormat(bytes);
  if (format === null) throw unknown("the response is not an image");
  if (!isComplete(bytes, format)) throw unknown("the image is cut short");
  const size = await readSize(bytes);
  if (size === null) throw unknown("the image cannot be read");
  if (!passesFor(size, requested)) throw anotherSize(size, requested);
  return { bytes, mediaType: imageMediaTypes[format], hasAlpha: size.hasAlpha };
}

/**
 * Checks the size of an image that was requested exactly.
 *
 * @throws CallEnded `wrong-size` for another size.
 */
export async function assertSize(bytes: Uint8Array, requested: PixelSize): Promise<void> {
  const size = await readSize(bytes);
  if (size?.width === requested.width && size.height === requested.height) return;
  throw anotherSize(size ?? { width: 0, height: 0 }, requested);
}

function anotherSize(size: PixelSize, requested: PixelSize): CallEnded {
  return wrongSize(
    `${size.width}x${size.height} was made where ${requested.width}x${requested.height} was asked for`,
  );
}

/**
 * Decodes base64, with or without a `data:image/…;base64,` prefix, in linear time.
 *
 * @throws CallEnded `unknown` for invalid input.
 */
export function readBase64(text: string): Buffer {
  const data = text.replace(/^data:image\/[a-z+.-]+;base64,/, "").trimEnd();
  const end = data.search(/[^A-Za-z0-9+/\r\n]/);
  const padding = end === -1 ? "" : data.slice(end);
  if (data === "" || end === 0 || padding.length > 2 || padding.replaceAll("=", "") !== "") {
    throw unknown("the image is not base64");
  }
  return Buffer.from(data, "base64");
}

function passesFor(size: PixelSize, requested: PixelSize): boolean {
  const aspect = size.width / size.height / (requested.width / requested.height);
  const area = (size.width * size.height) / (requested.width * requested.height);
  return Math.abs(aspect - 1) <= aspectTolerance && area >= areaTolerance;
}

/**
 * Whether the file has its format's end marker after its image data; a thumbnail in the metadata
 * has an end marker as well. Bytes after the end are allowed.
 */
function isComplete(bytes: Uint8Array, format: ImageFormat): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = (marker: string): number => file.lastIndexOf(marker, undefined, "latin1");
  switch (format) {
    case "png":
      return last("IEND") > last("IDAT");
    case "jpeg":
      // EOI after the last SOS.
      return last("\xff\xd9") > last("\xff\xda");
    case "webp":
      return file.byteLength >= 12 && file.byteLength >= file.readUInt32LE(4) + 8;
  }
}

/** Image size after applying the EXIF orientation, and whether there is an alpha channel. */
async function readSize(bytes: Uint8Array): Promise<(PixelSize & { hasAlpha: boolean }) | null> {
  try {
    const { autoOrient, hasAlpha } = await sharp(bytes).metadata();
    return { ...autoOrient, hasAlpha };
  } catch {
    return null;
  }
}
