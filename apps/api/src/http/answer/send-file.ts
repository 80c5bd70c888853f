import type { Response } from "express";

/** The options of Express that its callers use. */
interface SendFileOptions {
  readonly acceptRanges?: boolean;
  readonly lastModified?: boolean;
}

/**
 * Sends a file with the `Cache-Control` of the response. A client that disconnects during a download is
 * not an error.
 */
export async function sendFile(
  response: Response,
  path: string,
  options: SendFileOptions = {},
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, { ...options, cacheControl: false }, (error?: Error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException;
      const hasLeft = response.destroyed || code === "ECONNABORTED";
      if (error === undefined || hasLeft) resolve();
      else reject(error);
    });
  });
}
