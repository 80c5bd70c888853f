import type { Request, Response } from "express";
import { access } from "node:fs/promises";
import { extname } from "node:path";
import { acceptedEncoding, type Encoding } from "../http/answer/accepted-encoding.ts";
import { sendFile } from "../http/answer/send-file.ts";

/** Extensions of the compressed files beside a built file. */
const extensions: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/**
 * Sends a built file: the Brotli or gzip file that the build writes beside it when the client accepts
 * it, and the file itself otherwise. The response has no validators: assets never change, and a page must not
 * be taken from the cache after a roll back to an older build.
 *
 * @returns false, without a response, when the file does not exist.
 */
export async function sendBuiltFile(
  path: string,
  cacheControl: string,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<boolean> {
  if (!(await exists(path))) return false;
  const encoding = acceptedEncoding(request);
  const compressed = encoding === null ? path : path + extensions[encoding];
  const isCompressed = encoding !== null && (await exists(compressed));
  response.type(extname(path)).vary("Accept-Encoding").set("Cache-Control", cacheControl);
  if (isCompressed) response.set("Content-Encoding", encoding);
  await sendFile(response, isCompressed ? compressed : path, {
    acceptRanges: false,
    lastModified: false,
  });
  return true;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
