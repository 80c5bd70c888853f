import {
  deletePreset,
  findPreset,
  listPresets,
  presetNotFound,
  savePreset,
  type StoredPreset,
} from "@atelier/generations/library";
import type { Preset } from "@atelier/schemas/endpoints";
import * as endpoints from "@atelier/schemas/endpoints";
import type { ApiDependencies } from "../dependencies.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";

const options = { notFound: presetNotFound };

/** `/v1/presets`: properties of requests that the account saved, of the mode of the key. */
export function servePresets(routes: Routes, dependencies: ApiDependencies): void {
  const { accountGate, database } = dependencies;
  routes.add(endpoints.savePreset, async ({ caller, body }) => {
    const { preset, isNew } = await accountGate.run(caller.accountId, () =>
      savePreset(database, caller, body),
    );
    return [isNew ? 201 : 200, presentPreset(preset)] as const;
  });

  routes.add(endpoints.listPresets, async ({ caller, query: { limit, cursor } }) => {
    const { accountId, mode } = caller;
    const beforeId = readCursor(cursor);
    const found = await listPresets(database, { accountId, mode, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    return { presets: page.map(presentPreset), next_cursor: nextCursor };
  });

  routes.add(
    endpoints.readPreset,
    async ({ caller: { accountId, mode }, params: { id } }) => {
      const found = await findPreset(database, { accountId, mode, id });
      if (found === null) throw presetNotFound();
      return presentPreset(found);
    },
    options,
  );

  routes.add(
    endpoints.deletePreset,
    ({ caller, params: { id } }) =>
      accountGate.run(caller.accountId, () => deletePreset(database, caller, id)),
    options,
  );
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
