import {
  deletePreset,
  findPreset,
  listPresets,
  presetNotFound,
  savePreset,
  type StoredPreset,
} from "@atelier/generations";
import {
  listPresetsQuery,
  newPreset,
  parseRequest,
  presetId,
  type Preset,
  type PresetList,
} from "@atelier/schemas";
import type { Request } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { readBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";

/** `/v1/presets`: properties of requests that the account saved, of the mode of the key. */
export function servePresets(routes: Routes, dependencies: ApiDependencies): void {
  const { accountGate, database } = dependencies;
  const reading = { limit: "other", scope: "read" } as const;
  const changing = { limit: "other", scope: ["read", "generate"] } as const;

  routes.post("/presets", { ...changing, body: readBody }, async (request, response) => {
    const { caller } = contextOf(response);
    const body = parseRequest(newPreset, request.body);
    const { preset, isNew } = await accountGate.run(caller.accountId, () =>
      savePreset(database, caller, body),
    );
    response.status(isNew ? 201 : 200).json(presentPreset(preset));
  });

  const listing = { ...reading, query: listPresetsQuery };
  routes.get("/presets", listing, async (_request, response, { limit, cursor }) => {
    const { accountId, mode } = contextOf(response).caller;
    const beforeId = readCursor(cursor);
    const found = await listPresets(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    response.json({
      presets: page.map(presentPreset),
      next_cursor: nextCursor,
    } satisfies PresetList);
  });

  routes.get("/presets/:id", reading, async (request, response) => {
    const { accountId, mode } = contextOf(response).caller;
    const found = await findPreset(database, { accountId, mode, id: readId(request) });
    if (found === null) throw presetNotFound();
    response.json(presentPreset(found));
  });

  routes.delete("/presets/:id", changing, async (request, response) => {
    const { caller } = contextOf(response);
    const id = readId(request);
    await accountGate.run(caller.accountId, () => deletePreset(database, caller, id));
    response.status(204).end();
  });
}

export function presentPreset(stored: StoredPreset): Preset {
  const { id, name, operation, request, createdAt, savedAt } = stored;
  return {
    id,
    name,
    operation,
    request,
    created_at: createdAt.toISOString(),
    saved_at: savedAt.toISOString(),
  };
}

function readId(request: Request): string {
  const parsed = presetId.safeParse(request.params["id"]);
  if (!parsed.success) throw presetNotFound();
  return parsed.data;
}
