import { createHash } from "node:crypto";
import type { OpenApiDocument } from "@atelier/openapi";
import type { Request, Response } from "express";

/** `GET /openapi.json`: the contract, written once. */
export function serveOpenApi(document: OpenApiDocument) {
  const bytes = Buffer.from(JSON.stringify(document));
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return (_request: Request, response: Response): void => {
    // Express answers 304 to who has it already.
    response
      .set({ ETag: `"${hash}"`, "Cache-Control": "no-cache" })
      .type("json")
      .send(bytes);
  };
}
