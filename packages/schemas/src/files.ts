import * as z from "zod";

/** The forms that a skill file comes in; a template says which of them it has. */
export const fileFormat = z.enum([
  "agent-skill",
  "agents-md",
  "cursor-rule",
  "mcp-config",
  "openapi",
  "curl",
]);
export type FileFormat = z.infer<typeof fileFormat>;

/** A skill file template, as it is listed. */
const fileTemplate = z.strictObject({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  formats: z.array(fileFormat).nullable(),
});
export type FileTemplate = z.infer<typeof fileTemplate>;

/** 200 of `GET /v1/files`. */
export const fileList = z.strictObject({ files: z.array(fileTemplate).nullable() });
export type FileList = z.infer<typeof fileList>;

/**
 * Body of `POST /v1/files/{slug}`, which may be left out. That the format is one which the template
 * has is checked against the template.
 */
export const fileRequest = z.strictObject({
  format: z.preprocess((value) => value ?? undefined, z.string().max(100).optional()),
});
export type FileRequest = z.infer<typeof fileRequest>;
