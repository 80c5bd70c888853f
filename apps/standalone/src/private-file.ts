import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "./describe-error.ts";

/**
 * Writes JSON that only the owner may read. The file is replaced atomically, so that a crash or a
 * power failure leaves either the old or the new content.
 */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Like `writePrivateJson`, for text. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  await using file = await open(temporary, "w", 0o600);
  await file.writeFile(text);
  await file.sync();
  await rename(temporary, path);
  await using folder = await open(dirname(path));
  await folder.sync();
}

/**
 * Reads a file; null if it does not exist.
 *
 * @throws when it exists and cannot be read.
 */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}
