import { readFile } from "node:fs/promises";
import type { Upload } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";

/** Uploads an image and prints its id, which `--reference` takes. */
export async function upload(caller: Caller, file: string): Promise<Answer> {
  const stored = await uploadFile(caller, file);
  return {
    json: stored,
    text: stored.id,
    note: `${stored.width} × ${stored.height} ${stored.format}, kept until ${stored.kept_until}.`,
  };
}

/**
 * Uploads an image. Ctrl-C, which aborts the signal of `follow`, ends the upload.
 *
 * @throws UsageError for a file that cannot be read.
 */
export async function uploadFile({ atelier, follow }: Caller, file: string): Promise<Upload> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new UsageError(`Cannot read ${file}: ${cause.message}`, { cause });
  });
  return atelier.uploads.create(new Uint8Array(bytes), { signal: follow.signal });
}
