import { createHash } from "node:crypto";
import type { OpenApiDocument } from "@atelier/openapi";
import type { Request, Response } from "express";

/** `GET /openapi.json`: the API document, serialised once. */
export function serveOpenApi(document: OpenApiDocument) {
  const bytes = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  return (request: Request, response: Response): void => {
    response.set({ ETag: etag, "Cache-Control": "no-cache" });
    // Not Express's own check: `fetch` sends a Cache-Control with If-None-Match that disables it.
    if (request.get("If-None-Match") === etag) {
      response.status(304).end();
      return;
    }
    response.type("json").send(bytes);
  };
}
