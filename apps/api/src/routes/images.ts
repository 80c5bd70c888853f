import type { Request, Response } from "express";
import type { Storage } from "@atelier/storage";

/** `GET /images/…`: stored files by their signed URL, where the storage does not serve them itself. */
export function serveImages(serve: NonNullable<Storage["serve"]>) {
  return async (request: Request, response: Response): Promise<void> => {
    // An image opened on a page of its own must not run anything, whatever its bytes say.
    response.set({ "Content-Security-Policy": "default-src 'none'; sandbox" });
    await serve(request.url, request, response);
  };
}
