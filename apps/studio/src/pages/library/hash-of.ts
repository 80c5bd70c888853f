import { texts } from "../../texts/library.ts";

/** A file whose hash cannot be computed, and what to do instead. */
export class HashProblem extends Error {
  override readonly name = "HashProblem";
}

/** The longest file that a browser reads at once, in bytes. The files of the service are shorter. */
const maxBytes = 200_000_000;

/**
 * Computes the SHA-256 of a file in the browser, in hexadecimal digits.
 *
 * @throws HashProblem when the file cannot be read, or the page has no secure connection.
 */
export async function hashOf(file: Blob): Promise<string> {
  // Browsers offer it to pages of HTTPS and of this machine only.
  if (!isSecureContext) throw new HashProblem(texts.library.hashInsecure);
  if (file.size > maxBytes) throw new HashProblem(texts.library.hashTooLarge);
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new HashProblem(texts.library.hashUnreadable, { cause });
  });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
