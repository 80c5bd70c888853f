import * as z from "zod";
import { eurAmount, newName, optional } from "./fields.ts";

/** Formats of skill files. Each template lists those that it supports. */
export const fileFormat = z.enum([
  "agent-skill",
  "agents-md",
  "cursor-rule",
  "mcp-config",
  "openapi",
  "curl",
]);
export type FileFormat = z.infer<typeof fileFormat>;

/** A skill file template in the list. */
const fileTemplate = z.strictObject({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  formats: z.array(fileFormat).nullable(),
});
export type FileTemplate = z.infer<typeof fileTemplate>;

/** 200 of `GET /v1/files`. */
export const fileList = z
  .strictObject({ files: z.array(fileTemplate).nullable() })
  .meta({ id: "FileList" });
export type FileList = z.infer<typeof fileList>;

/**
 * Optional body of `POST /v1/files/{slug}`. Whether the template supports the format is checked when
 * it is rendered.
 */
export const fileRequest = z
  .strictObject({
    format: optional(z.string().max(100)),
    key: optional(
      z.strictObject({
        name: optional(newName).meta({
          description: "Shown in lists. Default: `Skill file` and the slug.",
        }),
        budget_eur: eurAmount.meta({
          description: "What the jobs of the key may cost in total.",
          examples: ["2.00"],
        }),
        expires_in_days: optional(z.int().min(1).max(3_650)).meta({
          description: "Days until the key expires. Default: when the requesting key expires.",
        }),
      }),
    ).meta({
      description:
        "Put a new key with these limits and the scopes that the file needs into it, instead of the key that asks. Needs the scope `manage` and a key without a budget.",
    }),
    embed_key: optional(z.boolean()).meta({
      description:
        "False puts `YOUR_API_KEY` in place of a key, for a file that contains no secret. Default: true.",
    }),
  })
  .refine(({ key, embed_key }) => key === undefined || embed_key !== false, {
    path: ["key"],
    error: "must be absent when embed_key is false",
  })
  .meta({ id: "FileRequest" });
export type FileRequest = z.infer<typeof fileRequest>;
