import type { Preset } from "@atelier/schemas/endpoints";
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

/** The words of a preset that is a style: one of an image with a picture and a prompt. Null for others. */
export function styleWords({ operation, picture, request }: Preset): string | null {
  const words = typeof request["prompt"] === "string" ? request["prompt"].trim() : "";
  return operation !== "image" || picture === null || words === "" ? null : words;
}

/** Saves a request under a name, in place of a preset that has it. The images that it changes are left out. */
export async function savePreset(name: string, { operation, body }: DraftRequest): Promise<void> {
  const { image: _image, mask: _mask, markup: _markup, ...request } = body;
  await call("POST /v1/presets", { body: { name, operation, request } });
  await queryClient.invalidateQueries(presetsQuery);
}

/** Saves words as a style with a picture in base64, in place of a preset that has the name. */
export async function saveStyle(name: string, words: string, picture: string): Promise<void> {
  const body = { name, operation: "image", request: { prompt: words }, picture } as const;
  await call("POST /v1/presets", { body });
  await queryClient.invalidateQueries(presetsQuery);
}

/** Deletes a preset. */
export async function deletePreset(id: string): Promise<void> {
  await call("DELETE /v1/presets/{id}", { id });
  await queryClient.invalidateQueries(presetsQuery);
}
