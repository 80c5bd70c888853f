import { detectReceivedFormat } from "@atelier/kit";
import { AppError, maxUploadBytes } from "@atelier/schemas";
import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeBody, isCompressed } from "./decode-body.ts";
import { declaredBytes } from "./receive-body.ts";

/** Boundaries and headers of a form around the file. */
const formBytes = 65_536;

/** Bytes that every image format can be recognised by. */
export const signatureBytes = 32;

/** The form of the body of an upload. */
type UploadForm = "image" | "multipart";

/**
 * Reads how a body contains an image from its headers, before any of it is received.
 *
 * @returns the form, and the maximum size of the body in bytes.
 * @throws AppError `unsupported_media_type` or `request_too_large`.
 */
export function readUploadHeaders({ headers }: Pick<IncomingMessage, "headers">): {
  readonly form: UploadForm;
  readonly maxBytes: number;
} {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const isImage = /^(image\/(png|jpe?g|webp|avif|hei[cf])|application\/octet-stream)$/.test(
    type.trim(),
  );
  const form = isImage ? "image" : type.trim() === "multipart/form-data" ? "multipart" : null;
  if (form === null) {
    throw new AppError(
      "unsupported_media_type",
      "Send a PNG, JPEG, WebP or AVIF as the body with its Content-Type, or as the field file of multipart/form-data.",
    );
  }
  const maxBytes = maxUploadBytes + (form === "multipart" ? formBytes : 0);
  // The size of a compressed body is known when it is decompressed.
  const declared = isCompressed({ headers }) ? null : declaredBytes({ headers });
  if (declared !== null && declared > maxBytes) throw uploadTooLarge();
  return { form, maxBytes: declared ?? maxBytes };
}

/**
 * Receives a body of at most `maxBytes`, decompressed. Stops as soon as a body that should be an image does not
 * start like one.
 *
 * @throws AppError `upload_invalid`, `request_too_large`, `invalid_request` when it ends early, and those of
 *   `decodeBody`.
 */
export async function receiveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  { form, maxBytes }: { readonly form: UploadForm; readonly maxBytes: number },
): Promise<Buffer> {
  // RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isRecognised = form === "multipart";
  try {
    for await (const chunk of decodeBody(request)) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw uploadTooLarge();
      chunks.push(chunk);
      if (isRecognised || bytes < signatureBytes) continue;
      const beginning = Buffer.concat(chunks, bytes);
      if (detectReceivedFormat(beginning) === null) throw notAnImage(beginning);
      isRecognised = true;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("invalid_request", "The body did not arrive whole. Send it again.", {
      cause: error,
    });
  }
  return Buffer.concat(chunks, bytes);
}

/**
 * The error for a file that is too large.
 *
 * @param path where a request has it; empty for the body.
 */
export function uploadTooLarge(path = ""): AppError {
  const message = `is larger than ${maxUploadBytes / 1_000_000} MB`;
  const shown = path.slice(0, 100);
  return new AppError(
    "request_too_large",
    `${shown || "The image"} ${message}. Send a smaller image.`,
    {
      details: shown === "" ? null : [{ path: shown, code: "request_too_large", message }],
    },
  );
}

/** The signature of a HEIC file (ISO/IEC 23008-12, annex B), the format of current phones. */
const heic = /^[\s\S]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/;

/**
 * The error for bytes that are not an image.
 *
 * @param bytes their beginning.
 * @param path the field of a form that has them; empty for the body.
 */
export function notAnImage(bytes: Buffer, path = "", reason = "not_an_image"): AppError {
  const shown = path.slice(0, 100);
  const name = shown === "" ? "The body" : shown;
  const isHeic = heic.test(bytes.toString("latin1", 0, signatureBytes));
  const message = isHeic
    ? `${name} is a HEIC photograph. Save it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible) and send that.`
    : `${name} is not an image that can be used. Send a PNG, JPEG, WebP or AVIF of at most 40 million pixels (a JPEG 50 million, an AVIF 24 million) and edges of at most 16,384, without animation or high dynamic range.`;
  return new AppError("upload_invalid", message, {
    details: [{ path: shown, code: "upload_invalid", message: "is not a usable image", reason }],
  });
}
