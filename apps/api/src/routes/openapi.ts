import { lazily } from "@atelier/kit";
import type { OpenApiDocument } from "@atelier/openapi";
import type { Request, Response } from "express";
import { createHash } from "node:crypto";
import { acceptedEncoding, type Encoding } from "../http/answer/accepted-encoding.ts";
import { compressText } from "../http/answer/compress-text.ts";

/** `GET /openapi.json`: the API document, serialised once, and compressed once in each encoding. */
export function serveOpenApi(readDocument: () => OpenApiDocument) {
  const serialise = lazily(() => {
    const bytes = Buffer.from(JSON.stringify(readDocument()));
    return { bytes, hash: createHash("sha256").update(bytes).digest("base64url") };
  });
  const compressed = new Map<Encoding, Promise<Buffer>>();

  function compressedIn(encoding: Encoding): Promise<Buffer> {
    const body = compressed.get(encoding) ?? compressText(serialise().bytes, encoding);
    compressed.set(encoding, body);
    return body;
  }

  return async (request: Request, response: Response): Promise<void> => {
    const { bytes, hash } = serialise();
    const encoding = acceptedEncoding(request);
    // Bodies of different bytes have different validators.
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
    response.vary("Accept-Encoding").set({ ETag: etag, "Cache-Control": "no-cache" });
    // Not Express's own check: `fetch` sends a Cache-Control with If-None-Match that disables it.
    if (request.get("If-None-Match") === etag) {
      response.status(304).end();
      return;
    }
    response.type("json");
    if (encoding === null) {
      // In the same turn: a connection with too many requests in progress is closed.
      response.send(bytes);
      return;
    }
    response.set("Content-Encoding", encoding).send(await compressedIn(encoding));
  };
}
