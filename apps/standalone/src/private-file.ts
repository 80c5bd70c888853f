import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "./describe-error.ts";

/**
 * Writes JSON that only the owner may read. It is written beside its place and moved there, so that
 * a crash or a power cut leaves the old content or the new one.
 */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The same for any text. */
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
 * The content of a file, or null where there is none.
 *
 * @throws when it is there and can't be read.
 */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}
