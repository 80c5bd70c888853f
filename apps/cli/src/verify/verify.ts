import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "@atelier/configuration";
import { table, type Answer } from "../answer.ts";
import { describeVerified } from "./describe-verified.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Verified, Verifier } from "./verifier.ts";

/**
 * Verifies images by every technique of a verifier, and closes it. The exit code is 9 unless every
 * file has a valid manifest or is recognised as made here.
 *
 * @param paths files and folders; in a folder, all files that end in .png, .jpg, .jpeg, .webp,
 *   .avif, .gif or .svg.
 * @throws UsageError when a path cannot be read, or the only file is no image.
 */
export async function verifyFiles(paths: readonly string[], verifier: Verifier): Promise<Answer> {
  const results: { readonly file: string; readonly found: Verified | null }[] = [];
  let isOnly = false;
  try {
    const files = (await Promise.all(paths.map(listImages))).flat();
    isOnly = paths.length === 1 && files[0] === paths[0];
    for (const file of files) {
      const found = await verifier.verify(await read(file));
      if (found === null && isOnly) throw new UsageError(`${file} is not a readable image.`);
      results.push({ file, found });
    }
  } finally {
    await verifier.close();
  }
  const rows = results.map(({ file, found }) => toRow(file, found));
  return {
    json: isOnly ? rows[0] : rows,
    text: isOnly
      ? results.flatMap(({ file, found }) => (found ? [describeVerified(file, found)] : [])).join()
      : describeAll(results),
    exitCode: rows.every((row) => row.verified) ? exitCodes.done : exitCodes.unverified,
  };
}

/** The JSON of a file. */
function toRow(file: string, found: Verified | null) {
  if (found === null) return { file, verified: false, verdict: "not_an_image" };
  const { signer, verdict, techniques } = found;
  const isChanged = techniques.some(({ result }) => result === "invalid");
  const verified = signer !== null || (verdict === "made_here" && !isChanged);
  return { file, verified, valid: signer !== null, trusted: signer?.trusted ?? false, ...found };
}

function describeAll(
  results: readonly { readonly file: string; readonly found: Verified | null }[],
): string {
  const rows = results.map(({ file, found }) => [
    file,
    found?.verdict ?? "not_an_image",
    found?.based_on.join(", ") ?? "",
    found?.image?.model ?? "",
    found?.image?.created_at ?? "",
  ]);
  return table(["FILE", "VERDICT", "BASED ON", "MODEL", "CREATED"], rows);
}

async function listImages(path: string): Promise<string[]> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read.`, { cause });
  });
  if (!info.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => /\.(png|jpe?g|webp|avif|gif|svg)$/i.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

function read(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read.`, { cause });
  });
}
