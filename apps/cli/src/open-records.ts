import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ErasureRecords } from "@atelier/generations/erase";
import { erasurePrefix } from "@atelier/schemas";
import { openStored } from "./open-stored.ts";

/** Folders with objects of the storage, in an ATELIER_HOME and in a backup. */
const objectFolders = ["files", "images"] as const;

/**
 * Reads the records of erasures of another place. Nothing is written there: a backup may be read-only.
 *
 * @param place an ATELIER_HOME, a backup, a folder of a storage, or a STORAGE_URL.
 * @throws Error for a folder of another kind.
 */
export async function openRecords(place: string): Promise<ErasureRecords & AsyncDisposable> {
  if (/^(?:file|s3):/.test(place)) {
    const storage = await openStored(place);
    return {
      list: (prefix) => storage.list(prefix),
      get: (key) => storage.get(key),
      [Symbol.asyncDispose]: () => storage.close(),
    };
  }
  const folder = await findObjects(place);
  return {
    async *list(prefix) {
      const names = await readdir(join(folder, prefix)).catch(emptyIfMissing);
      for (const name of names.toSorted()) yield { key: `${prefix}${name}` };
    },
    get: async (key) => ({ bytes: await readFile(join(folder, key)) }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function findObjects(place: string): Promise<string> {
  for (const name of objectFolders) {
    if (await isFolder(join(place, name))) return join(place, name);
  }
  if (await isFolder(join(place, erasurePrefix))) return place;
  throw new Error(
    `${place} has no records of erasures. Name an old ATELIER_HOME, a backup with images, or a STORAGE_URL.`,
  );
}

/** No account was erased. */
function emptyIfMissing(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
  throw error;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
