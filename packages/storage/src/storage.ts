import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Stores images and staged bytes as objects under keys, and gives access to them with signed URLs that
 * expire.
 *
 * A key consists of segments of `[A-Za-z0-9._-]` joined by `/`. No segment starts with a dot, and no key
 * is the folder of another. Its extension determines the content type. Any other key, prefix or type
 * throws a TypeError before any effect.
 */
export interface Storage {
  /**
   * Stores or replaces an object atomically: a reader sees the old or the new bytes (OpenStack Swift may
   * report a missing object while it is replaced). After the promise resolves, the object survives a
   * crash of the machine.
   */
  put(key: string, bytes: Uint8Array, options: { readonly contentType: string }): Promise<void>;

  /** Reads an object; null if it does not exist. */
  get(key: string): Promise<StoredObject | null>;

  /**
   * Copies an object within the store, without reading it into this process, like `put`. Both keys must
   * have the same extension.
   *
   * @returns false if the source does not exist.
   */
  copy(from: string, to: string): Promise<boolean>;

  /**
   * Deletes objects. Missing keys are ignored, and a failure does not affect the other keys.
   *
   * @returns the keys that the store could not delete, with its reason.
   */
  delete(keys: readonly string[]): Promise<readonly FailedDeletion[]>;

  /** Lists all objects whose key starts with `prefix`, in ASCII order, page by page. */
  list(prefix: string): AsyncIterable<ListedObject>;

  /**
   * Signs a URL that anyone can GET until it expires, with `downloadName` as the file name. Sends no
   * request and does not check that the object exists.
   */
  sign(key: string, options: SignOptions): Promise<SignedUrl>;

  /** The origin of all signed URLs (RFC 6454), such as `https://images.example.com`. */
  readonly publicOrigin: string;

  /**
   * Returns the key of a signed URL of this storage, so that its image can be read directly; null for
   * other URLs.
   *
   * @throws AppError `reference_unreachable` for a URL of this storage that is invalid or has expired.
   */
  resolveSignedUrl(url: string): Promise<string | null>;

  /**
   * Responds to a GET or HEAD of a signed URL that the API serves, including ranges and conditional
   * requests. `target` is the part after `{publicUrl}/images` with the query. Before any response, it
   * throws AppError `url_invalid`, `url_expired`, or `not_found` for a missing object. Null if the store
   * serves its URLs itself.
   */
  readonly serve:
    | ((target: string, request: IncomingMessage, response: ServerResponse) => Promise<void>)
    | null;

  /**
   * Lets the store delete objects below these prefixes (each with a trailing `/`) after this number of
   * days. Returns false if the store does not support or allow it.
   */
  expireAfterDays(prefixes: readonly string[], days: number): Promise<boolean>;

  /**
   * Lets web pages of any origin read files by their signed URLs (CORS). Returns false if the store does
   * not support or allow it; then only an operator can, with rules of the store.
   */
  allowAnyOrigin(): Promise<boolean>;

  /** Readiness check: throws if the store is not usable. */
  check(): Promise<void>;

  /** Closes idle connections. */
  close(): Promise<void>;
}

export interface FailedDeletion {
  readonly key: string;
  readonly reason: string;
}

export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export interface SignOptions {
  /** From 1 second to 7 days, the limit of S3; other values throw. There is no default. */
  readonly expiresInSeconds: number;
  /** File name that browsers save the object under; its part of the signature. */
  readonly downloadName: string;
}

export interface SignedUrl {
  readonly url: string;
  readonly expiresAt: Date;
}
