import type { NextFunction, Request, Response } from "express";
import type { Storage } from "@atelier/storage";

/** `GET /images/…`: stored files by their signed URL, where the storage does not serve them itself. */
export function serveImages(serve: NonNullable<Storage["serve"]>) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    response.set({
      // An image opened on a page of its own must not run anything, whatever its bytes say.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      // Whoever has the URL may show the image, on whatever page.
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    await serve(request.url, request, response);
  };
}
