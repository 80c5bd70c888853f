import { createHash } from "node:crypto";
import { AppError } from "@atelier/schemas";
import type { Request } from "express";

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The client's `Idempotency-Key` with the hash of what it was sent for; null without one.
 *
 * @param body the request as it was understood: the same request written otherwise is the same.
 * @throws AppError `invalid_request` when it is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(
  request: Request,
  body: object,
): { readonly key: string; readonly requestHash: Buffer } | null {
  const key = request.get("Idempotency-Key");
  if (key === undefined) return null;
  if (!visibleAscii.test(key)) {
    throw new AppError(
      "invalid_request",
      "Idempotency-Key must have 1 to 255 visible ASCII characters.",
      {
        details: [
          {
            path: "Idempotency-Key",
            code: "invalid_format",
            message: "1 to 255 visible ASCII characters",
          },
        ],
      },
    );
  }
  const asked = `${request.path}\n${JSON.stringify(body)}`;
  return { key, requestHash: createHash("sha256").update(asked).digest() };
}
