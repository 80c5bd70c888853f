import { hash } from "node:crypto";
import { perceptualHash, prepareSearch, type SearchableImage } from "@atelier/watermark";
import sharp from "sharp";
import { decodeInspected } from "./decode-image.ts";
import { detectInspectedFormat } from "./file-format.ts";
import { InvalidImageError } from "./image-format.ts";
import type { OwnSigner } from "./own-signers.ts";
import { releaseMemory } from "./release-memory.ts";
import { verifyProvenance, type ProvenanceReport } from "./verify-provenance.ts";

/** Evidence of the origin of an image, read without secrets or a registry. */
export interface ImageTraces {
  /** SHA-256 of the file, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly report: ProvenanceReport;
  /** 64 hexadecimal digits; null for a file with a manifest whose pixels are damaged, and for SVG. */
  readonly perceptualHash: string | null;
  /** Input of the watermark search; null when the image cannot contain a watermark. */
  readonly searchable: SearchableImage | null;
}

export interface InspectOptions {
  readonly trustAnchorsPem: string;
  /** Signing certificates of this installation: see `readOwnSigners`. */
  readonly ownSigners: readonly OwnSigner[];
  /** Maximum number of pixels (width × height); larger images are not decoded. */
  readonly maxPixels: number;
}

/**
 * Reads the manifest and XMP of an image, and decodes it for the perceptual hash and the search for
 * watermarks. An SVG is not drawn: only its manifest and its hash can be recognised.
 *
 * @throws InvalidImageError when the bytes are not an image of a known format, the image is too large,
 *   or it is damaged and has no readable manifest.
 */
export async function inspectImage(
  bytes: Uint8Array,
  { trustAnchorsPem, ownSigners, maxPixels }: InspectOptions,
): Promise<ImageTraces> {
  const format = detectInspectedFormat(bytes);
  const report = await verifyProvenance(bytes, { trustAnchorsPem, ownSigners });
  const sha256 = hash("sha256", bytes);
  if (format === "svg") return { sha256, report, perceptualHash: null, searchable: null };
  try {
    const pixels = await decodeInspected(bytes, format, { maxPixels });
    const pixelHash = perceptualHash(pixels);
    const searchable = prepareSearch(pixels);
    releaseMemory(pixels.data);
    return { sha256, report, perceptualHash: pixelHash, searchable };
  } catch (error) {
    if (!(error instanceof InvalidImageError) || report.signedBy === null) throw error;
    if (await isTooLarge(bytes, maxPixels)) throw error;
    // The manifest says that the file was changed, which is worth more than an error.
    return { sha256, report, perceptualHash: null, searchable: null };
  }
}

async function isTooLarge(bytes: Uint8Array, maxPixels: number): Promise<boolean> {
  const size = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  return size !== null && size.width * size.height > maxPixels;
}
