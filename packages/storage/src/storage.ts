import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Where images and staged bytes are kept: whole objects under keys, reached from outside by
 * signed URLs that expire.
 *
 * A key is segments of `[A-Za-z0-9._-]` joined by `/`, none of which starts with a dot; it is not
 * the folder of another key. Its extension says what type the content has. Any other key, prefix or
 * type is an error of the caller, thrown as a TypeError before anything is done.
 */
export interface Storage {
  /**
   * Stores a whole object, or replaces it: a reader sees the old bytes or the new, never a part of
   * them (OpenStack Swift may answer, for the moment of replacing, that there is none). What this
   * promise has resolved for survives a crash of the machine.
   */
  put(key: string, bytes: Uint8Array, options: { readonly contentType: string }): Promise<void>;

  /** The whole object; null when there is none. */
  get(key: string): Promise<StoredObject | null>;

  /** Removes objects. Keys that are absent are fine. */
  delete(keys: readonly string[]): Promise<void>;

  /** All objects whose key starts with `prefix`, in ASCII order. Read page by page, not at once. */
  list(prefix: string): AsyncIterable<ListedObject>;

  /**
   * A URL that anyone may GET until it expires. It is shown under `downloadName` when saved.
   * Makes no request, and does not ask whether the object is there.
   */
  sign(key: string, options: SignOptions): Promise<SignedUrl>;

  /**
   * The key that a signed URL of this storage gives access to, so that our own images can be read
   * directly; null when the URL leads elsewhere. Throws AppError `reference_unreachable` for a URL
   * of ours that was changed or has expired.
   */
  resolveSignedUrl(url: string): Promise<string | null>;

  /**
   * Answers a GET or HEAD of a signed URL that leads to the API itself: `target` is what follows
   * `{publicUrl}/images`, with the query. Answers ranges and conditional requests. Throws, before
   * anything is written, AppError `key_not_permitted` for a signature that is wrong or expired and
   * `not_found` for an absent object. Null where the store serves its URLs by itself.
   */
  readonly serve:
    | ((target: string, request: IncomingMessage, response: ServerResponse) => Promise<void>)
    | null;

  /**
   * Has the store itself remove what is under these prefixes (each ending in `/`) when it is that many
   * days old, to the day. False where the store does not do that, or does not let us ask for it.
   */
  expireAfterDays(prefixes: readonly string[], days: number): Promise<boolean>;

  /** Readiness: throws when the store cannot serve. */
  check(): Promise<void>;

  /** Ends idle connections. */
  close(): Promise<void>;
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
  /** From 1 second to 7 days, which is as long as S3 allows. */
  readonly expiresInSeconds: number;
  readonly downloadName: string;
}

export interface SignedUrl {
  readonly url: string;
  readonly expiresAt: Date;
}
