import { createHash } from "node:crypto";
import { AppError } from "@atelier/schemas";
import type { Request } from "express";

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** A client's idempotency key with the hash of its request. */
interface KeyedRequest {
  readonly key: string;
  /** SHA-256 of the parsed request. */
  readonly requestHash: Buffer;
}

/**
 * Reads the client's `Idempotency-Key`; null without one.
 *
 * @param body the parsed request, so that formatting does not matter.
 * @throws AppError `invalid_request` when the key is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(request: Request, body: object): KeyedRequest | null {
  const key = request.get("Idempotency-Key");
  if (key === undefined) return null;
  // The path of the route: `/Generate/Image/` is the same operation.
  const { path } = request.route as { readonly path: string };
  return keyRequest(key, path, body, "Idempotency-Key");
}

/**
 * Binds an idempotency key to its request.
 *
 * @param path path of the operation under `/v1`, such as `/generate/image`.
 * @param source location of the key in the request, for errors.
 * @throws AppError `invalid_request` when the key is not 1 to 255 visible ASCII characters.
 */
export function keyRequest(key: string, path: string, body: object, source: string): KeyedRequest {
  if (!visibleAscii.test(key)) {
    const rule = "1 to 255 visible ASCII characters";
    throw new AppError("invalid_request", `${source} must have ${rule}.`, {
      details: [{ path: source, code: "invalid_format", message: rule }],
    });
  }
  const content = `${path}\n${JSON.stringify(body)}`;
  return { key, requestHash: createHash("sha256").update(content).digest() };
}
