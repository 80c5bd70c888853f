import { timeInDays } from "@atelier/accounts";
import type { OpenApiDocument } from "@atelier/openapi";
import {
  AppError,
  fileRequest,
  parseEur,
  parseRequest,
  type FileRequest,
  type KeyScope,
  type Model,
} from "@atelier/schemas";
import { downloadFile, listFiles } from "@atelier/schemas/endpoints";
import { createSkillFiles } from "@atelier/skills";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { readKey } from "../http/authenticate.ts";
import { contextOf } from "../http/context.ts";
import { assertNoIdempotencyKey } from "../http/idempotency-key.ts";
import type { Routes } from "../http/routes.ts";
import { keyShownOnce, mintKey } from "../keys/mint-key.ts";
import { modelsAtHand } from "./models.ts";

/** In a file without a key. */
const placeholder = "YOUR_API_KEY";

/** `GET /v1/files` and `POST /v1/files/{slug}`: skill files that contain the caller's key, or a new one. */
export function serveFiles(
  routes: Routes,
  dependencies: Needs<"catalogue" | "config" | "database" | "laneHealth">,
  readDocument: () => OpenApiDocument,
): void {
  const baseUrl = dependencies.config.PUBLIC_URL;
  const skillFiles = createSkillFiles();

  routes.add(listFiles, async () => ({ files: [...skillFiles.templates] }));

  routes.send(downloadFile, async (request, response) => {
    const body = parseRequest(fileRequest, request.body);
    const { format } = body;
    const slug = String(request.params["slug"]);
    // Read first, so that a refused request creates no key.
    const scopes = skillFiles.scopesOf(slug, format);
    const apiKey = await chooseKey(slug, scopes, body, { request, response });
    const models = modelsAtHand(contextOf(response).caller, dependencies);
    const { fileName, mediaType, bytes } = skillFiles.render(slug, format, {
      apiKey,
      baseUrl,
      models,
      otherModels: otherModels(models),
      openApiDocument: readDocument(),
    });
    response
      .set({
        "Content-Type": mediaType,
        "Content-Disposition": `attachment; filename="${fileName}"`,
      })
      .send(Buffer.from(bytes));
  });

  /** Ids of known models that a key may not use. */
  function otherModels(models: readonly Model[]): string[] {
    const { entries, unusableIds } = dependencies.catalogue;
    const permitted = new Set(models.map(({ id }) => id));
    return [...entries.map(({ id }) => id), ...unusableIds].filter((id) => !permitted.has(id));
  }

  /** The key that the file contains. */
  async function chooseKey(
    slug: string,
    scopes: readonly KeyScope[],
    { key, embed_key: isEmbedded }: FileRequest,
    { request, response }: { readonly request: Request; readonly response: Response },
  ): Promise<string> {
    if (isEmbedded === false) return placeholder;
    if (key === undefined) return ownKey(request);
    assertNoIdempotencyKey(request, keyShownOnce);
    return mint(slug, scopes, key, response);
  }

  /**
   * The key of the request. Keys are stored as hashes, so it is only known from there.
   *
   * @throws AppError `invalid_request` in a session of Studio, whose key no script may read.
   */
  function ownKey(request: Request): string {
    const key = readKey(request);
    if (key !== null) return key;
    throw new AppError(
      "invalid_request",
      "Scripts of Studio cannot read the key of their session. Send key for a new one, or embed_key: false.",
      {
        details: [{ path: "key", code: "required", message: "is required in a session of Studio" }],
      },
    );
  }

  /** Creates a key for one file. */
  async function mint(
    slug: string,
    scopes: readonly KeyScope[],
    {
      name = `Skill file ${slug}`,
      budget_eur,
      expires_in_days: days,
    }: NonNullable<FileRequest["key"]>,
    response: Response,
  ): Promise<string> {
    const { caller } = contextOf(response);
    const { key } = await mintKey(
      caller,
      {
        name,
        scopes,
        budgetMicroEur: parseEur(budget_eur),
        budgetPeriod: "total",
        expiresAt:
          days === undefined ? caller.expiresAt : await timeInDays(dependencies.database, days),
      },
      dependencies,
    );
    return key;
  }
}
