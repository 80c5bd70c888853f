import { randomUUID } from "node:crypto";
import {
  access,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { AppError } from "@atelier/schemas";

import { contentDisposition } from "./content-disposition.ts";
import { assertContentType, assertKey, assertPrefix, contentTypeOf } from "./keys.ts";
import { changedReference, expiredReference } from "./reference-errors.ts";
import { serveFile } from "./serve-file.ts";
import { assertSignOptions } from "./sign-options.ts";
import { createUrlSigner } from "./signed-url.ts";
import type { ListedObject, Storage } from "./storage.ts";

export interface FileStorageOptions {
  readonly directory: string;
  readonly publicUrl: string;
  /** At least 32 characters. Who knows it can make URLs for every object. */
  readonly signingSecret: string;
  /** Whether a directory that is missing is an error instead of made. */
  readonly mustExist?: boolean | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Keeps every object as a file of the same name under a directory. Processes may share the
 * directory. The API serves the signed URLs through `serve`.
 */
export async function createFileStorage(options: FileStorageOptions): Promise<Storage> {
  const root = resolve(options.directory);
  const now = options.now ?? Date.now;
  const signer = createUrlSigner({
    publicUrl: options.publicUrl,
    signingSecret: options.signingSecret,
    now,
  });
  // On the same file system as the objects, so that a rename is atomic; no key starts with a dot.
  const incoming = join(root, ".incoming");
  if (options.mustExist === true) await access(root);
  await mkdir(incoming, { recursive: true });
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
      const bytes = await readFile(pathOf(key)).catch(unlessAbsent);
      return bytes === null ? null : { bytes, contentType: contentTypeOf(key) };
    },

    async delete(keys) {
      const paths = keys.map(pathOf);
      for (const path of paths) {
        await unlink(path).catch(unlessAbsent);
        await removeEmptyFolders(dirname(path), root);
      }
    },

    list(prefix) {
      assertPrefix(prefix);
      return listFolder(root, prefix.slice(0, prefix.lastIndexOf("/") + 1), prefix);
    },

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
        throw new AppError(
          "key_not_permitted",
          verdict.reason === "expired"
            ? "This image URL has expired. Read the job again for a fresh one."
            : "This image URL is not one that this service has signed. Read the job again for a fresh one.",
        );
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
      if (!found) throw new AppError("not_found", "This image is no longer kept.");
    },

    async expireAfterDays() {
      return false;
    },

    async check() {
      // Permissions alone do not tell that a disk is full.
      const probe = join(incoming, randomUUID());
      try {
        await writeFile(probe, "written to see whether it can be");
      } finally {
        await rm(probe, { force: true });
      }
    },

    async close() {},
  };
}

/** What a crash has left half written. An hour is longer than any write takes. */
async function removeAbandoned(incoming: string): Promise<void> {
  const oldest = Date.now() - 3_600_000;
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const stats = await stat(path).catch(unlessAbsent);
    if (stats !== null && stats.mtimeMs < oldest) await rm(path, { force: true });
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Renames, making folders as needed. The folders are synchronised too: without that, the file's
 * bytes outlive a power cut but its name may not.
 */
async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  let firstMade: string | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(from, to);
      break;
    } catch (error) {
      // A deletion at the same time may remove the folder, empty as it is, before the rename.
      if (!isErrno(error, "ENOENT") || tries === 5) throw error;
      firstMade = (await mkdir(folder, { recursive: true })) ?? firstMade;
    }
  }
  const last = firstMade === undefined ? folder : dirname(firstMade);
  for (let current = folder; ; current = dirname(current)) {
    await synchronizeFolder(current);
    if (current === last) break;
  }
}

async function synchronizeFolder(path: string): Promise<void> {
  const folder = await open(path).catch(unlessAbsent);
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

/** The objects below `folder` ("" or ending in "/") in the order of their keys. */
async function* listFolder(
  root: string,
  folder: string,
  prefix: string,
): AsyncGenerator<ListedObject> {
  const entries =
    (await readdir(join(root, folder), { withFileTypes: true }).catch(unlessAbsent)) ?? [];
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
    const stats = await stat(join(root, key)).catch(unlessAbsent);
    if (stats !== null) yield { key, sizeBytes: stats.size, modifiedAt: stats.mtime };
  }
}

/** A key is absent, too, where a folder has its name or where a part of it names a file. */
function unlessAbsent(error: unknown): null {
  if (isErrno(error, "ENOENT", "ENOTDIR", "EISDIR")) return null;
  throw error;
}

function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
