import type { Verification } from "@atelier/schemas";
import { sendJson } from "../../api.ts";

/** The largest file that the service checks, in bytes. */
export const maxBytes = 25 * 1_048_576;

/** What is to be checked: a picture, or the hash of a file. */
export type Subject = { readonly file: File } | { readonly sha256: string };

/**
 * Asks the service for the origin of a picture.
 *
 * @throws ApiError when the service cannot check it.
 */
export function check(subject: Subject): Promise<Verification> {
  if ("sha256" in subject) return sendJson("POST", "/verify", { body: subject });
  const { file } = subject;
  // The service reads the kind of the picture from its bytes.
  const body = file.type.startsWith("image/")
    ? file
    : new Blob([file], { type: "application/octet-stream" });
  return sendJson("POST", "/verify", { body });
}

/** A SHA-256 as the service expects it; null for other texts. Spaces and capitals do not count. */
export function readHash(text: string): string | null {
  const hash = text.replaceAll(/\s/g, "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** The first file of a paste or drop. */
export function fileOf(transfer: DataTransfer | null): File | null {
  return transfer?.files[0] ?? null;
}
