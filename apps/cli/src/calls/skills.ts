import { join } from "node:path";
import { AtelierError } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import { table, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { isFolder } from "./is-folder.ts";
import { saveFile } from "./save-images.ts";

export async function list({ atelier, follow }: Caller): Promise<Answer> {
  const files = await atelier.files.list({ signal: follow.signal });
  const headings = ["SLUG", "VERSION", "FORMATS", "DESCRIPTION"];
  const rows = files.map(({ slug, version, formats, description }) => [
    slug,
    version,
    formats?.join(" ") ?? "",
    description,
  ]);
  return { json: { files }, text: table(headings, rows) };
}

export interface DownloadFlags {
  readonly format?: string;
  readonly output: string;
  /** Name of the new key in the file. */
  readonly name?: string;
  /** Limits of the new key in the file. */
  readonly budget: string;
  readonly expiresInDays: number;
  /** Whether the file contains the caller's key instead of a new one. */
  readonly ownKey?: boolean;
  /** Whether the file contains a key at all. */
  readonly embedKey: boolean;
}

/**
 * Saves a skill file readable for its owner only, because it may contain a key.
 *
 * @throws UsageError when the caller's key may not create the key of the file.
 */
export async function download(
  { atelier, follow, programName }: Caller,
  slug: string,
  flags: DownloadFlags,
): Promise<Answer> {
  const { format, output, name: keyName, budget, expiresInDays, ownKey = false } = flags;
  const isKeyNew = flags.embedKey && !ownKey;
  const key = isKeyNew
    ? { name: keyName, budget_eur: budget, expires_in_days: expiresInDays }
    : undefined;
  const { name, mediaType, bytes } = await atelier.files
    .download(slug, {
      format,
      key,
      embed_key: flags.embedKey ? undefined : false,
      signal: follow.signal,
    })
    .catch((error: unknown) => {
      if (key === undefined || !isNotPermitted(error)) throw error;
      throw new UsageError(
        `Your key can't create a key for the file: ${error.message} Or repeat the command with --own-key to put your key into the file.`,
        { cause: error },
      );
    });
  const file = (await isFolder(output)) ? join(output, name) : output;
  await saveFile(file, bytes, { mode: 0o600 });
  return {
    json: { file, media_type: mediaType, size_bytes: bytes.length },
    text: file,
    note: describeKey(flags, programName),
  };
}

function describeKey(
  { embedKey, ownKey = false, budget, expiresInDays }: DownloadFlags,
  programName: string,
): string {
  if (!embedKey) return "It contains YOUR_API_KEY in place of a key.";
  if (ownKey) return "It contains your API key: keep it secret and out of version control.";
  return `It contains a key for ${budget} EUR that expires in ${expiresInDays} days: keep it secret. To revoke it: ${programName} keys`;
}

function isNotPermitted(error: unknown): error is AtelierError {
  return error instanceof AtelierError && error.code === "key_not_permitted";
}
