import { isHttpUrl } from "./addresses.ts";
import { AtelierError, ConnectionError, IntegrityError, InvalidRequestError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";
import type { Bytes } from "./types.ts";

/** An image of a result: a format variant, or its `image_url` and `image_hash`. */
export interface ImageSource {
  readonly url: string;
  /** SHA-256 in hexadecimal; reference portraits have none. */
  readonly hash?: string | undefined;
}

export type DownloadImage = (image: ImageSource, options?: CallOptions) => Promise<Uint8Array>;

/**
 * Creates a function that downloads images from their signed URLs, without the API key, and compares
 * them with their hashes.
 */
export function createDownloadImage(transport: Transport): DownloadImage {
  return async ({ url, hash }, { signal } = {}) => {
    if (!isHttpUrl(url)) {
      throw new InvalidRequestError(
        "invalid_argument",
        `"${url}" is not a URL of an image. Pass a format of a result, or its image_url.`,
      );
    }
    const bytes = await transport(
      // Nothing secret is sent, and S3 redirects to the region of a bucket.
      { method: "GET", url, headers: {}, followRedirects: true, signal },
      readBytes,
    ).catch((error: unknown) => {
      throw explain(error);
    });
    if (hash !== undefined && (await sha256(bytes)) !== hash) {
      throw new IntegrityError(
        "hash_mismatch",
        "The SHA-256 of the file differs from the one in the result. Download it again.",
      );
    }
    return bytes;
  };
}

/** Reads the body in parts, so that only a stalled download times out. */
export async function readBytes(response: Response, onProgress: () => void): Promise<Bytes> {
  const reader = response.body?.getReader();
  // Some implementations of fetch do not provide a stream.
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const parts: Bytes[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    onProgress();
    parts.push(value);
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof AtelierError) || error.status === null || error.status >= 500)
    return error;
  return new ConnectionError(
    "download_failed",
    `The image URL returned ${error.status}: it may have expired. Read the job again for a new URL.`,
    { status: error.status, cause: error },
  );
}

async function sha256(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
