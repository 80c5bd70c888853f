import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { queryClient } from "../../data/queries.ts";
import { readAllPages } from "../../data/read-all-pages.ts";
import type { DraftRequest } from "./draft.ts";

/** All presets of the account, newest first. Needs the scope `read`. */
export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: async ({ signal }) => {
    const pages = await readAllPages((cursor) =>
      call("GET /v1/presets", { query: { limit: 100, cursor }, signal }),
    );
    return pages.flatMap(({ presets }) => presets);
  },
});

/** Saves a request under a name, in place of a preset that has it. The images that it changes are left out. */
export async function savePreset(name: string, { operation, body }: DraftRequest): Promise<void> {
  const { image: _image, mask: _mask, markup: _markup, ...request } = body;
  await call("POST /v1/presets", { body: { name, operation, request } });
  await queryClient.invalidateQueries(presetsQuery);
}

/** Deletes a preset. */
export async function deletePreset(id: string): Promise<void> {
  await call("DELETE /v1/presets/{id}", { id });
  await queryClient.invalidateQueries(presetsQuery);
}
