import { access } from "node:fs/promises";
import { extname } from "node:path";
import type { Request, Response } from "express";
import { sendFile } from "../http/send-file.ts";

/**
 * Sends a built file: the Brotli file that the build writes beside it when the client accepts it, and
 * the file itself otherwise. The response has no validators: assets never change, and a page must not
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
  const compressed = `${path}.br`;
  const isCompressed = acceptsBrotli(request) && (await exists(compressed));
  response.type(extname(path)).vary("Accept-Encoding").set("Cache-Control", cacheControl);
  if (isCompressed) response.set("Content-Encoding", "br");
  await sendFile(response, isCompressed ? compressed : path, {
    acceptRanges: false,
    lastModified: false,
  });
  return true;
}

function acceptsBrotli(request: Request): boolean {
  return request.acceptsEncodings("br", "identity") === "br";
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
