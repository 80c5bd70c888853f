import { openRegistry } from "@atelier/generations/jobs";
import { probeImage } from "@atelier/guarded-fetch";
import {
  detectInspectedFormat,
  identifyImage,
  InvalidImageError,
  type Identification,
} from "@atelier/provenance";
import { AppError } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { readImage } from "../http/body/read-image.ts";
import { clientAddress } from "../http/client-address.ts";
import type { RequestLimit } from "../http/limits/limit-addresses.ts";
import { createBodyMemory, createShares } from "../http/limits/shares.ts";

/** Memory for bodies in this process, and of one client address, which counts as an account here, in bytes. */
const bodyLimits = { total: 54 * 1_048_576, perAccount: 27 * 1_048_576 };
/**
 * Images that are inspected or wait for it, of all and of one client address; they are inspected one
 * after another.
 */
const inspections = { total: 4, perAccount: 2 };
/** Part of an image that costs one request: inspecting 40 megapixels takes some 2.4 s of CPU time. */
const pixelsPerUnit = 4_000_000;
const maxPixels = 40_000_000;

/** Determines the origin of the image in a request. */
export type IdentifyUpload = (request: Request, response: Response) => Promise<Identification>;

/**
 * Prepares the identification of images of strangers. Its routes share its bounds of memory and time; the
 * console has an identifier of its own, which strangers cannot keep busy.
 *
 * @param limit of the client address, which large images are charged to.
 */
export function createIdentifier(
  { database, storage, inspector, logger }: Needs<"database" | "inspector" | "logger" | "storage">,
  limit: Pick<RequestLimit, "charge">,
): IdentifyUpload {
  const budget = createBodyMemory(bodyLimits);
  const registry = openRegistry(database, {
    // Without the dossier, a watermark is neither confirmed nor refuted.
    async get(key) {
      try {
        return await storage.get(key);
      } catch (error) {
        logger.warn({ err: error, key }, "a dossier could not be read");
        return null;
      }
    },
  });
  const concurrency = createShares(inspections);

  return async (request, response) => {
    const bytes = await readImage(request, response, budget);
    const leave = concurrency.take(clientAddress(request));
    try {
      limit.charge(request, response, Math.ceil(pixelsOf(bytes) / pixelsPerUnit) - 1);
      const { traces, marks } = await inspector.inspect(bytes);
      return await identifyImage(traces, marks, registry);
    } catch (cause) {
      if (!(cause instanceof InvalidImageError)) throw cause;
      throw new AppError(
        "image_invalid",
        "The file cannot be read. Send a PNG, JPEG, WebP, AVIF or GIF image of at most 40 megapixels, or an SVG.",
        { cause },
      );
    } finally {
      leave();
    }
  };
}

/**
 * The pixels that inspecting a file may decode. An AVIF takes more time for each than other formats, and a
 * file whose header is not understood here, such as a GIF, may still be decoded: both count as the largest. Each byte of an SVG counts as a pixel, because
 * it is parsed.
 *
 * @throws InvalidImageError for a file that is not inspected.
 */
function pixelsOf(bytes: Buffer): number {
  const format = detectInspectedFormat(bytes);
  if (format === "svg") return bytes.length;
  if (format === "avif") return maxPixels;
  const header = probeImage(bytes, maxPixels);
  return "refused" in header ? maxPixels : header.width * header.height;
}
