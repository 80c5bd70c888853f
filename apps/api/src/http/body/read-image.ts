import { AppError } from "@atelier/schemas";
import type { Request, Response } from "express";
import { clientAddress } from "../client-address.ts";
import type { Shares } from "../limits/shares.ts";
import { isCompressed } from "./decode-body.ts";
import { readFormFile } from "./read-form-file.ts";
import { declaredBytes, receiveBody } from "./receive-body.ts";

/** Maximum size of an image file, in bytes. */
const maxImageBytes = 25 * 1_048_576;
/** Headers and boundaries around the file in a multipart body. */
const maxMultipartBytes = maxImageBytes + 65_536;

/**
 * Reads an image from a raw body, or from the only file of a multipart form.
 *
 * @param budget memory for bodies in this process; each client address has a share.
 * @throws AppError `unsupported_media_type`, `request_too_large`, `overloaded` or `invalid_request`.
 */
export async function readImage(
  request: Request,
  response: Response,
  budget: Pick<Shares, "take">,
): Promise<Buffer> {
  const isForm = Boolean(request.is("multipart/form-data"));
  if (!isForm && !request.is(["image/*", "application/octet-stream"])) {
    throw new AppError(
      "unsupported_media_type",
      "Send an image file as the body, a form with one file (multipart/form-data), or JSON with sha256.",
    );
  }
  if (isCompressed(request)) {
    throw new AppError(
      "unsupported_media_type",
      "Send the image without Content-Encoding: image files are compressed already.",
    );
  }
  const maxBytes = isForm ? maxMultipartBytes : maxImageBytes;
  const declared = declaredBytes(request) ?? maxBytes;
  // A larger declared size is refused next and needs no memory.
  const release = budget.take(clientAddress(request), declared > maxBytes ? 0 : declared);
  try {
    const bytes = await receiveBody(request, response, maxBytes);
    return isForm ? await readFormFile(bytes, request.headers) : bytes;
  } finally {
    release();
  }
}
