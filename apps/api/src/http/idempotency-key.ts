import { createHash } from "node:crypto";
import { AppError } from "@atelier/schemas";
import type { Request } from "express";

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** A client's idempotency key with the hash of what it was sent for. */
export interface KeyedRequest {
  readonly key: string;
  /** SHA-256. */
  readonly requestHash: Buffer;
}

/**
 * The client's `Idempotency-Key`; null without one.
 *
 * @param body the request as it was understood: the same request written otherwise is the same.
 * @throws AppError `invalid_request` when it is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(request: Request, body: object): KeyedRequest | null {
  const key = request.get("Idempotency-Key");
  return key === undefined ? null : keyRequest(key, request.path, body, "Idempotency-Key");
}

/**
 * An idempotency key with the request that it is for.
 *
 * @param path of the operation under `/v1`, such as `/generate/image`.
 * @param source where the client wrote the key, named in errors.
 * @throws AppError `invalid_request` when the key is not 1 to 255 visible ASCII characters.
 */
export function keyRequest(key: string, path: string, body: object, source: string): KeyedRequest {
  if (!visibleAscii.test(key)) {
    const rule = "1 to 255 visible ASCII characters";
    throw new AppError("invalid_request", `${source} must have ${rule}.`, {
      details: [{ path: source, code: "invalid_format", message: rule }],
    });
  }
  const asked = `${path}\n${JSON.stringify(body)}`;
  return { key, requestHash: createHash("sha256").update(asked).digest() };
}
