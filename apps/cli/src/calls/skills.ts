import { join } from "node:path";
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
}

/** Saves a skill file so that only its owner reads it: it holds the key. */
export async function download(
  { atelier, follow }: Caller,
  slug: string,
  { format, output }: DownloadFlags,
): Promise<Answer> {
  const { name, mediaType, bytes } = await atelier.files.download(slug, {
    format,
    signal: follow.signal,
  });
  const file = (await isFolder(output)) ? join(output, name) : output;
  await saveFile(file, bytes, { mode: 0o600 });
  return {
    json: { file, media_type: mediaType, size_bytes: bytes.length },
    text: file,
    note: "It holds your API key: keep it like one, and out of version control.",
  };
}
