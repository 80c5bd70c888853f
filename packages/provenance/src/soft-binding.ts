import { randomBytes } from "node:crypto";
import {
  createWatermarkKey,
  detectWatermarks,
  embedWatermark,
  perceptualHash,
  takeLook,
  type Detection,
  type Look,
} from "@atelier/watermark";
import { decodeImage, type Pixels } from "./decode-image.ts";
import { releaseMemory } from "./release-memory.ts";

/** Links an image's pixels to its record when the file has lost its metadata. */
export interface SoftBinding {
  /** 16 hexadecimal digits; null when the image carries no watermark. */
  readonly watermarkId: string | null;
  /** 64 hexadecimal digits; see `perceptualHash` of the watermark package. */
  readonly perceptualHash: string;
  /** Watermarks of this installation in the provider's image and in references. */
  readonly parentWatermarks: readonly string[];
}

/** A soft binding, with the look of the image if it carries a watermark. */
interface BoundPixels {
  readonly softBinding: SoftBinding;
  readonly look: Look | null;
}

export interface SoftBinder {
  /**
   * Adds a watermark to the pixels in place, unless there is no secret or the image cannot carry
   * one.
   *
   * @param origin.isNew whether no earlier watermark can be in the pixels; the search for one is skipped.
   */
  bind(
    pixels: Pixels,
    inputs: readonly Uint8Array[],
    origin: { readonly isNew: boolean },
  ): Promise<BoundPixels>;
}

/**
 * @param secrets of the installation, the current one first; without secrets, no watermark is
 *   added.
 */
export function createSoftBinder(secrets: readonly string[]): SoftBinder {
  const keys = secrets.map((secret) => createWatermarkKey(Buffer.from(secret)));
  const [current] = keys;

  async function findIn(inputs: readonly Uint8Array[]): Promise<string[]> {
    const found: string[] = [];
    // An image that is used several times is decoded once.
    for (const bytes of new Set(inputs)) {
      // References are decoded when they are fetched; this decoder may still reject one.
      const decoded = await decodeImage(bytes).catch(() => null);
      if (decoded === null) continue;
      found.push(...idsOf(detectWatermarks(decoded.pixels, keys, { search: false })));
      releaseMemory(decoded.pixels.data);
    }
    return found;
  }

  return {
    async bind(pixels, inputs, { isNew }) {
      if (current === undefined) {
        const hash = perceptualHash(pixels);
        const softBinding = { watermarkId: null, perceptualHash: hash, parentWatermarks: [] };
        return { softBinding, look: null };
      }
      const own = isNew ? [] : idsOf(detectWatermarks(pixels, keys, { search: false }));
      const parents = [...new Set([...own, ...(await findIn(inputs))])];
      const id = randomBytes(8).toString("hex");
      const isMarked = embedWatermark(pixels, id, current);
      const softBinding = {
        watermarkId: isMarked ? id : null,
        perceptualHash: perceptualHash(pixels),
        parentWatermarks: parents,
      };
      return { softBinding, look: isMarked ? takeLook(pixels) : null };
    },
  };
}

function idsOf(detections: readonly Detection[]): string[] {
  return detections.map(({ id }) => id);
}

/**
 * Computes the perceptual hash of an image file.
 *
 * @throws InvalidImageError when the bytes are not a complete PNG, JPEG or WebP image.
 */
export async function fingerprint(bytes: Uint8Array): Promise<string> {
  const { pixels } = await decodeImage(bytes);
  const hash = perceptualHash(pixels);
  releaseMemory(pixels.data);
  return hash;
}
