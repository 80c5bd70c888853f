import { isHttpUrl } from "./addresses.ts";
import { AtelierError, ConnectionError, IntegrityError, InvalidRequestError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** An image that a service made: a format variant of a result, or its `image_url` and `image_hash`. */
export interface ImageSource {
  readonly url: string;
  /** SHA-256 in hexadecimal; reference portraits have none. */
  readonly hash?: string | undefined;
}

export type DownloadImage = (image: ImageSource, options?: CallOptions) => Promise<Uint8Array>;

/**
 * Fetches images from their signed URLs, without the API key, and checks that they are what was
 * promised.
 */
export function createDownloadImage(transport: Transport): DownloadImage {
  return async ({ url, hash }, { signal } = {}) => {
    if (!isHttpUrl(url)) {
      throw new InvalidRequestError(
        "invalid_argument",
        `There is no image at "${url}". Give a format of a result, or its image_url.`,
      );
    }
    const bytes = await transport({ method: "GET", url, headers: {}, signal }, readBytes).catch(
      (error: unknown) => {
        throw explain(error);
      },
    );
    if (hash !== undefined && (await sha256(bytes)) !== hash) {
      throw new IntegrityError(
        "hash_mismatch",
        "The file is not the one that the service made: its SHA-256 differs. Download it again.",
      );
    }
    return bytes;
  };
}

/** Part by part: a large image may take its time, as long as more of it arrives. */
async function readBytes(response: Response, onProgress: () => void) {
  const reader = response.body?.getReader();
  // Not every fetch shows its parts.
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const parts: Uint8Array<ArrayBuffer>[] = [];
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
    `The URL of the image answers ${error.status}: it may have expired. Read the job again for a new one.`,
    { status: error.status, cause: error },
  );
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
