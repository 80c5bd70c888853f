import type { FileFormat, FileTemplate } from "@atelier/schemas";
import { queryOptions } from "@tanstack/react-query";
import { call, request } from "../../api.ts";
import { amountToSend } from "../../data/amounts.ts";
import { fileNameOf } from "../../data/save-file.ts";
import { readSkillFile, type ShownFile } from "./read-skill-file.ts";

/** The limits of the key of a file, as the form contains them. */
export interface KeyDraft {
  readonly isLimited: boolean;
  readonly name: string;
  readonly budgetEur: string;
  readonly days: string;
}

/** The templates of skill files. */
export const templatesQuery = queryOptions({
  queryKey: ["files"],
  queryFn: async ({ signal }) => {
    const { files } = await call("GET /v1/files", { signal });
    return files ?? [];
  },
  staleTime: 300_000,
});

/** A file with a placeholder in place of a key. */
export function previewQuery(slug: string, format: FileFormat) {
  return queryOptions({
    queryKey: ["files", slug, format],
    queryFn: ({ signal }) => readFile(slug, { format, embed_key: false }, signal),
    staleTime: 300_000,
  });
}

/** Renders a file with a new key, or with a placeholder. */
export function createFile(
  { slug }: FileTemplate,
  format: FileFormat,
  { isLimited, name, budgetEur, days }: KeyDraft,
): Promise<ShownFile> {
  if (!isLimited) return readFile(slug, { format, embed_key: false });
  const key = {
    name: name.trim() || null,
    budget_eur: amountToSend(budgetEur),
    // The service describes what is wrong with other texts.
    expires_in_days: /^\d+$/.test(days.trim()) ? Number(days) : days.trim() || null,
  };
  return readFile(slug, { format, key });
}

async function readFile(slug: string, body: object, signal?: AbortSignal): Promise<ShownFile> {
  const response = await request("POST /v1/files/{slug}", { id: slug, body, signal });
  return readSkillFile(fileNameOf(response, slug), await response.blob());
}
