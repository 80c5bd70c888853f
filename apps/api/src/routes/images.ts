import type { NextFunction, Request, Response } from "express";
import type { Storage } from "@atelier/storage";

/**
 * `GET /images/…`: serves stored files by signed URL when the storage does not serve them itself.
 *
 * @param verifyUrl the page on which anyone can verify them.
 */
export function serveImages(serve: NonNullable<Storage["serve"]>, verifyUrl: string) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    response.set({
      // An image that is opened directly must not execute anything, whatever its bytes are.
      "Content-Security-Policy": "default-src 'none'; sandbox",
      // A signed URL may be embedded in any page.
      "Cross-Origin-Resource-Policy": "cross-origin",
      Link: `<${new URL(verifyUrl).href}>; rel="describedby"`,
    });
    await serve(request.url, request, response);
  };
}
