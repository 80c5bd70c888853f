import { openRegistry } from "@atelier/generations/jobs";
import { presentVerification } from "@atelier/presentation";
import { identifyHash } from "@atelier/provenance";
import { hashRequest, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { readJson } from "../http/body/read-body.ts";
import { receiveBody } from "../http/body/receive-body.ts";
import type { IdentifyUpload } from "../verification/identify-upload.ts";

const maxHashBodyBytes = 1_024;

/**
 * `POST /verify`: the origin of an image, by its signature, hash, watermark, fingerprint and XMP.
 * Public; stores nothing.
 */
export function verifyImage({ database }: Needs<"database">, identify: IdentifyUpload) {
  const registry = openRegistry(database, null);
  return async (request: Request, response: Response): Promise<void> => {
    if (request.is("application/json")) {
      const body = readJson(await receiveBody(request, response, maxHashBodyBytes));
      const { sha256 } = parseRequest(hashRequest, body);
      response.json(presentVerification(await identifyHash(sha256, registry)));
      return;
    }
    response.json(presentVerification(await identify(request, response)));
  };
}
