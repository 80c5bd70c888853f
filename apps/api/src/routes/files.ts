import { createOpenApiDocument } from "@atelier/openapi";
import { fileRequest, parseRequest, type FileList } from "@atelier/schemas";
import { createSkillFiles } from "@atelier/skills";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { readKey } from "../http/authenticate.ts";
import { readBody } from "../http/read-body.ts";
import { modelsAtHand } from "./models.ts";

/** `GET /v1/files` and `POST /v1/files/{slug}`: skill files, with the caller's own key in them. */
export function serveFiles(dependencies: ApiDependencies): Router {
  const baseUrl = dependencies.config.PUBLIC_URL;
  const skillFiles = createSkillFiles();
  const openApiDocument = createOpenApiDocument({ publicUrl: baseUrl });
  const router = express.Router();

  router.get("/files", (_request: Request, response: Response): void => {
    response.json({ files: [...skillFiles.templates] } satisfies FileList);
  });

  router.post("/files/:slug", readOptionalBody, (request: Request, response: Response): void => {
    const { format } = parseRequest(fileRequest, request.body);
    // Keys are stored as hashes: this very request is the only place where it can be read.
    const apiKey = readKey(request);
    if (apiKey === null) throw new Error("there is no key behind authentication");
    const { fileName, mediaType, bytes } = skillFiles.render(
      String(request.params["slug"]),
      format,
      {
        apiKey,
        baseUrl,
        models: modelsAtHand(dependencies),
        openApiDocument,
      },
    );
    response
      .set({
        "Content-Type": mediaType,
        "Content-Disposition": `attachment; filename="${fileName}"`,
      })
      .send(Buffer.from(bytes));
  });
  return router;
}

/** A request without a body asks for the first format. */
function readOptionalBody(request: Request, response: Response, next: NextFunction): void {
  const hasBody =
    request.get("Transfer-Encoding") !== undefined ||
    Number(request.get("Content-Length") ?? 0) > 0;
  if (hasBody) return readBody(request, response, next);
  request.body = {};
  next();
}
