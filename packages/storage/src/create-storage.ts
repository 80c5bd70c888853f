import { fileURLToPath } from "node:url";

import { createFileStorage } from "./file-storage.ts";
import { paceStorage, type PaceOptions, type PacedStorage } from "./paced-storage.ts";
import { withStorageErrors } from "./storage-error.ts";
import type { Storage } from "./storage.ts";

export interface StorageOptions {
  /** `file:<directory>`, optionally with `?min_free_mb=` (64), or `s3://…`. It selects the store. */
  readonly url: string;
  /**
   * The public address of the API, which is the prefix of signed URLs of files. URLs that were signed for
   * another address are not recognised as references. Ignored for S3, which serves its own URLs.
   */
  readonly publicUrl: string;
  /**
   * Signs the URLs of files. At least 32 characters, the same in all processes. Another value makes all
   * earlier URLs invalid. Ignored for S3, which signs with the key of `url`.
   */
  readonly signingSecret: string;
  /** Whether a missing directory or bucket is an error. Default: false, it is created. */
  readonly mustExist?: boolean | undefined;
  /**
   * Whether an S3 bucket is looked for, and created, by the first `check` instead of now, so that the
   * storage opens while its store is unavailable. Default: false. Ignored for files.
   */
  readonly isLazy?: boolean | undefined;
  /** Called when an operation on objects ends, for metrics; see `PaceOptions`. Default: none. */
  readonly onEnd?: PaceOptions["onEnd"];
  /** The clock of signed URLs, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens the storage of a URL: `file:.atelier/images` (relative to the working directory),
 * `file:///var/lib/atelier?min_free_mb=512` (not ready with less free space; default: 64), or an S3
 * bucket (see `createS3Storage`). Failures of its operations are StorageErrors. The concurrency
 * adapts to a slow store, and a circuit breaker pauses calls to a failing store.
 */
export async function createStorage(options: StorageOptions): Promise<PacedStorage> {
  const { onEnd } = options;
  return paceStorage(
    withStorageErrors(await openStorage(options)),
    onEnd === undefined ? {} : { onEnd },
  );
}

async function openStorage(options: StorageOptions): Promise<Storage> {
  const { url, ...rest } = options;
  if (url.startsWith("file:")) {
    const [address = "", query] = url.split("?");
    const minFreeMb = new URLSearchParams(query).get("min_free_mb") ?? undefined;
    if (minFreeMb !== undefined && !/^\d{1,9}$/.test(minFreeMb)) {
      throw new Error("min_free_mb in a storage URL must be an integer number of megabytes");
    }
    const minFreeBytes = minFreeMb === undefined ? undefined : Number(minFreeMb) * 1_048_576;
    return createFileStorage({ ...rest, directory: directoryOf(address), minFreeBytes });
  }
  if (url.startsWith("s3:")) {
    // Loaded on demand, because its client uses 40 MB.
    const { createS3Storage } = await import("./s3-storage.ts");
    return createS3Storage(options);
  }
  throw new Error("a storage URL must start with file: or s3://");
}

/** Unlike `new URL`, this keeps a relative path. */
function directoryOf(url: string): string {
  return url.startsWith("file://") ? fileURLToPath(url) : decodeURIComponent(url.slice(5));
}
