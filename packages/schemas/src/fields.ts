import * as z from "zod";

/** Where the specification says "null or …", null means absent. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

/** Longest text of a prompt, in UTF-16 code units: what the longest-winded provider takes. */
export const maxPromptLength = 32_000;

export const text = z.string().trim().min(1);
export const prompt = text.max(maxPromptLength);
export const description = text.max(4_000);
export const name = text.max(100);
export const modelId = text.max(100).meta({
  description: "An `id` of `GET /v1/models`.",
  examples: ["builtin-illustrator"],
});
