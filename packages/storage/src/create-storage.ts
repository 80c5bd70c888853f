import { fileURLToPath } from "node:url";

import { createFileStorage } from "./file-storage.ts";
import { tellingFailures } from "./storage-error.ts";
import type { Storage } from "./storage.ts";

export interface StorageOptions {
  /** `file:<directory>` or `s3://…`. */
  readonly url: string;
  /** Where clients reach the API: signed URLs of files lead there. */
  readonly publicUrl: string;
  /** Signs the URLs of files. At least 32 characters. */
  readonly signingSecret: string;
  /** Whether a directory or bucket that is missing is an error instead of made. */
  readonly mustExist?: boolean | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * The storage that a URL names, ready for use: `file:.atelier/images` (relative to the working
 * directory), `file:///var/lib/atelier`, or an S3 bucket (see `createS3Storage`). What reading,
 * writing, listing and removing fail with is a StorageError.
 */
export async function createStorage(options: StorageOptions): Promise<Storage> {
  return tellingFailures(await openStorage(options));
}

async function openStorage(options: StorageOptions): Promise<Storage> {
  const { url, ...rest } = options;
  if (url.startsWith("file:")) {
    return createFileStorage({ ...rest, directory: directoryOf(url) });
  }
  if (url.startsWith("s3:")) {
    // Its client takes 40 MB, which a process that keeps files need not have.
    const { createS3Storage } = await import("./s3-storage.ts");
    return createS3Storage({ url, now: rest.now, mustExist: rest.mustExist });
  }
  throw new Error("a storage URL starts with file: or s3://");
}

/** `new URL` would make a relative path absolute. */
function directoryOf(url: string): string {
  return url.startsWith("file://") ? fileURLToPath(url) : decodeURIComponent(url.slice(5));
}
