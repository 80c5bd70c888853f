import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError, type Environment } from "@atelier/configuration";
import { InvalidImageError } from "@atelier/provenance";
import { table, type Answer } from "./answer.ts";
import { describeVerified } from "./describe-verified.ts";
import { exitCodes } from "./exit-codes.ts";
import { openLocalVerifier } from "./verify-locally.ts";
import { createRemoteVerifier } from "./verify-remotely.ts";
import type { Verified } from "./verifier.ts";

export interface VerifyFlags {
  /** A file of certificates in PEM. Default: those of the installation in ATELIER_HOME. */
  readonly trustAnchors?: string;
  /** Address of a service that verifies the files by `POST /verify`. */
  readonly url?: string;
}

/**
 * Verifies images by every technique: manifest, file hash, watermark, fingerprint and XMP. Without an
 * installation at hand, only manifest and XMP are checked. The exit code is 9 unless every file has
 * a valid manifest or is recognised as made here.
 *
 * @param paths files and folders; in a folder, all files that end in .png, .jpg, .jpeg, .webp,
 *   .avif, .gif or .svg.
 * @throws UsageError when a path cannot be read, or the only file is no image.
 */
export async function verify(
  paths: readonly string[],
  { trustAnchors, url }: VerifyFlags,
  environment: Environment,
): Promise<Answer> {
  const files = (await Promise.all(paths.map(listImages))).flat();
  const isOnly = paths.length === 1 && files[0] === paths[0];
  const verifier =
    url === undefined
      ? await openLocalVerifier(trustAnchors, environment)
      : createRemoteVerifier(url);
  const results: { readonly file: string; readonly found: Verified | null }[] = [];
  try {
    for (const file of files) {
      const found = await verifier.verify(await read(file)).catch(unlessInvalid);
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

function unlessInvalid(error: unknown): null {
  if (error instanceof InvalidImageError) return null;
  throw error;
}
