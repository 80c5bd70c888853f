import { openRegistry } from "@atelier/generations";
import {
  identifyHash,
  identifyImage,
  InvalidImageError,
  type Identification,
} from "@atelier/provenance";
import { presentVerification } from "@atelier/presentation";
import { AppError, hashRequest, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { createBodyBudget } from "../http/body-budget.ts";
import { readJson } from "../http/read-body.ts";
import { readImage } from "../http/read-image.ts";
import { receiveBody } from "../http/receive-body.ts";

/** Memory for bodies in this process, and for those of one client address, in bytes. */
const bodyLimits = { total: 54 * 1_048_576, perAccount: 27 * 1_048_576 };
/** Images that are inspected or wait for it; they are inspected one after another. */
const maxInspections = 4;
const maxHashBodyBytes = 1_024;

/**
 * `POST /verify`: the origin of an image, by its signature, hash, watermark, fingerprint and XMP.
 * Public; stores nothing.
 */
export function verifyImage({ database, inspector }: ApiDependencies) {
  const budget = createBodyBudget(bodyLimits);
  const registry = openRegistry(database);
  let inspections = 0;

  async function inspect(bytes: Buffer): Promise<Identification> {
    if (inspections >= maxInspections) {
      throw new AppError(
        "overloaded",
        "Too many images are being verified at once. Send this one again after Retry-After.",
        { retryAfterMs: 2_000 },
      );
    }
    inspections += 1;
    try {
      const { traces, watermarkIds } = await inspector.inspect(bytes);
      return await identifyImage(traces, watermarkIds, registry);
    } catch (cause) {
      if (!(cause instanceof InvalidImageError)) throw cause;
      throw new AppError(
        "image_invalid",
        "The file cannot be read. Send a PNG, JPEG or WebP image of at most 40 megapixels.",
        { cause },
      );
    } finally {
      inspections -= 1;
    }
  }

  return async (request: Request, response: Response): Promise<void> => {
    if (request.is("application/json")) {
      const body = readJson(await receiveBody(request, response, maxHashBodyBytes));
      const { sha256 } = parseRequest(hashRequest, body);
      response.json(presentVerification(await identifyHash(sha256, registry)));
      return;
    }
    response.json(presentVerification(await inspect(await readImage(request, response, budget))));
  };
}
