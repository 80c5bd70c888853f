import { randomUUID } from "node:crypto";
import {
  access,
  constants,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { settleEach } from "@atelier/kit";
import { AppError } from "@atelier/schemas";

import { contentDisposition } from "./content-disposition.ts";
import { assertContentType, assertKey, assertPrefix, contentTypeOf } from "./keys.ts";
import { changedReference, expiredReference } from "./reference-errors.ts";
import { serveFile } from "./serve-file.ts";
import { assertSignOptions } from "./sign-options.ts";
import { createUrlSigner } from "./signed-url.ts";
import type { FailedDeletion, ListedObject, Storage } from "./storage.ts";

interface FileStorageOptions {
  readonly directory: string;
  readonly publicUrl: string;
  /** At least 32 characters. With it, anyone can sign URLs of all objects. */
  readonly signingSecret: string;
  /** The storage is not ready with less free space than this. Default: 64 MB. */
  readonly minFreeBytes?: number | undefined;
  /** Whether a missing directory is an error. Default: it is created. */
  readonly mustExist?: boolean | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Stores every object as a file with the same name below a directory, which processes may share. The
 * API serves the signed URLs with `serve`.
 */
export async function createFileStorage(options: FileStorageOptions): Promise<Storage> {
  const root = resolve(options.directory);
  const now = options.now ?? Date.now;
  const minFreeBytes = options.minFreeBytes ?? 64 * 1_048_576;
  const signer = createUrlSigner({
    publicUrl: options.publicUrl,
    signingSecret: options.signingSecret,
    now,
  });
  // On the same file system as the objects, for atomic renames. No key starts with a dot.
  const incoming = join(root, ".incoming");
  if (options.mustExist === true) await access(root);
  await makeFolder(incoming);
  await removeAbandoned(incoming);

  function pathOf(key: string): string {
    assertKey(key);
    return join(root, key);
  }

  return {
    async put(key, bytes, { contentType }) {
      const path = pathOf(key);
      assertContentType(key, contentType);
      const temporary = join(incoming, randomUUID());
      try {
        await writeDurably(temporary, bytes);
        await moveDurably(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async get(key) {
      const bytes = await readFile(pathOf(key)).catch(nullIfAbsent);
      return bytes === null ? null : { bytes, contentType: contentTypeOf(key) };
    },

    async copy(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)];
      assertContentType(to, contentTypeOf(from));
      const temporary = join(incoming, randomUUID());
      try {
        // On file systems that can, the copy shares its blocks with the source.
        const isCopied = await copyFile(source, temporary, constants.COPYFILE_FICLONE).then(
          () => true,
          nullIfAbsent,
        );
        if (isCopied === null) return false;
        await synchronizeFile(temporary);
        await moveDurably(temporary, target);
        return true;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async delete(keys) {
      const paths = keys.map((key) => ({ key, path: pathOf(key) }));
      const failed: FailedDeletion[] = [];
      for (const { key, path } of paths) {
        try {
          await unlink(path).catch(nullIfAbsent);
          await removeEmptyFolders(dirname(path), root);
        } catch (error) {
          failed.push({ key, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      return failed;
    },

    list(prefix) {
      assertPrefix(prefix);
      return listFolder(root, prefix.slice(0, prefix.lastIndexOf("/") + 1), prefix);
    },

    publicOrigin: new URL(options.publicUrl).origin,

    async sign(key, signOptions) {
      assertKey(key);
      assertSignOptions(signOptions);
      return signer.sign(key, signOptions);
    },

    async resolveSignedUrl(url) {
      const target = signer.targetOf(url);
      if (target === null) return null;
      const verdict = signer.verify(target);
      if (verdict.valid) return verdict.key;
      throw verdict.reason === "expired" ? expiredReference() : changedReference();
    },

    async serve(target, request, response) {
      const verdict = signer.verify(target);
      if (!verdict.valid) {
        throw verdict.reason === "expired" ? expiredUrl() : invalidUrl();
      }
      const found = await serveFile(
        {
          path: pathOf(verdict.key),
          contentType: contentTypeOf(verdict.key),
          contentDisposition: contentDisposition(verdict.downloadName),
          maxAgeSeconds: Math.floor((verdict.expiresAt.getTime() - now()) / 1000),
        },
        request,
        response,
      );
      if (!found) throw new AppError("not_found", "This image has been deleted.");
    },

    async expireAfterDays() {
      return false;
    },

    // `serve` sends the headers.
    async allowAnyOrigin() {
      return true;
    },

    async check() {
      // A full disk is detected by writing only.
      const probe = join(incoming, randomUUID());
      try {
        await writeFile(probe, "a probe whether the disk is writable");
      } finally {
        await rm(probe, { force: true });
      }
      // The probe is smaller than an image.
      const { bavail, bsize } = await statfs(root);
      if (bavail * bsize < minFreeBytes) throw new NoSpaceError(bavail * bsize);
    },

    async close() {},
  };
}

function expiredUrl(): AppError {
  return new AppError(
    "url_expired",
    "This image URL has expired. Read the job again for a new URL.",
  );
}

function invalidUrl(): AppError {
  return new AppError(
    "url_invalid",
    "The signature of this image URL is invalid. Use the URL exactly as the job returned it, or read the job again.",
  );
}

/** An error with the system's code for a full disk, thrown before it is completely full. */
class NoSpaceError extends Error {
  readonly code = "ENOSPC";

  constructor(freeBytes: number) {
    super(`only ${Math.floor(freeBytes / 1_048_576)} MB are free on the disk of the image folder`);
  }
}

/** Deletes incomplete files left by a crash. No write takes an hour. */
async function removeAbandoned(incoming: string): Promise<void> {
  const oldest = Date.now() - 3_600_000;
  await settleEach(await readdir(incoming), async (name) => {
    const path = join(incoming, name);
    const stats = await stat(path).catch(nullIfAbsent);
    if (stats !== null && stats.mtimeMs < oldest) await rm(path, { force: true });
  });
}

/** Images are served by their signed URLs: other users of the machine have no access. */
function makeFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true, mode: 0o700 });
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function synchronizeFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Renames a file and creates folders as needed. The folders are synchronised too, or the file's name
 * may be lost in a power failure.
 */
async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  let firstMade: string | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(from, to);
      break;
    } catch (error) {
      // A concurrent deletion may remove the empty folder before the rename.
      if (!isErrno(error, "ENOENT") || tries === 5) throw error;
      firstMade = (await makeFolder(folder)) ?? firstMade;
    }
  }
  const last = firstMade === undefined ? folder : dirname(firstMade);
  for (let current = folder; ; current = dirname(current)) {
    await synchronizeFolder(current);
    if (current === last) break;
  }
}

async function synchronizeFolder(path: string): Promise<void> {
  const folder = await open(path).catch(nullIfAbsent);
  if (folder === null) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = dirname(current)) {
    try {
      await rmdir(current);
    } catch (error) {
      if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) return;
      if (!isErrno(error, "ENOENT")) throw error;
    }
  }
}

/** Lists the objects below `folder` ("" or with a trailing "/") in the order of their keys. */
async function* listFolder(
  root: string,
  folder: string,
  prefix: string,
): AsyncGenerator<ListedObject> {
  const entries =
    (await readdir(join(root, folder), { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
  const keys = entries
    .filter((entry) => !entry.name.startsWith("."))
    .map((entry) => folder + entry.name + (entry.isDirectory() ? "/" : ""))
    .filter((key) => key.startsWith(prefix))
    .sort();
  for (const key of keys) {
    if (key.endsWith("/")) {
      yield* listFolder(root, key, prefix);
      continue;
    }
    const stats = await stat(join(root, key)).catch(nullIfAbsent);
    if (stats !== null) yield { key, sizeBytes: stats.size, modifiedAt: stats.mtime };
  }
}

/** A key is also absent if it is a folder, or if a part of it is a file. */
function nullIfAbsent(error: unknown): null {
  if (isErrno(error, "ENOENT", "ENOTDIR", "EISDIR")) return null;
  throw error;
}

function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
