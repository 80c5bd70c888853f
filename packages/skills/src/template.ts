import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileFormat, keyScope, operation, type FileFormat } from "@atelier/schemas";
import * as z from "zod";

const manifestSchema = z.strictObject({
  name: z.string().min(1).max(100),
  /**
   * At most 1,024 characters by the Agent Skills specification: what the skill does and when to use
   * it.
   */
  description: z.string().min(1).max(1_024),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** Its texts list the models with this operation; the first of them is its default. */
  models: operation,
  /** The first format is the default of requests. */
  formats: z.array(fileFormat).min(1),
  /** The operations of the service that it uses, such as `GET /v1/jobs/{id}`. */
  operations: z.array(z.string().regex(/^[A-Z]+ \/\S*$/)).min(1),
  /** Scopes of a key that is created for the file. */
  scopes: z.array(keyScope).min(1).default(["generate"]),
});

/** A template as read from its folder. */
export interface Template extends z.infer<typeof manifestSchema> {
  /** The name of its folder. */
  readonly slug: string;
  /** Its texts by path from the folder, such as `scripts/generate-image.mjs`. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * By the Agent Skills specification: at most 64 characters of a-z, 0-9 and single inner hyphens.
 */
const slugForm = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** The file that a template needs for a format, besides its manifest. */
const needed: Readonly<Partial<Record<FileFormat, string>>> = {
  "agent-skill": "SKILL.md",
  "agents-md": "guide.md",
  "cursor-rule": "guide.md",
  curl: "curl.sh",
};

/**
 * Reads every template in a folder, by slug.
 *
 * @throws Error that names the template and the problem.
 */
export function readTemplates(folder: string): Map<string, Template> {
  const slugs = readdirSync(folder).toSorted();
  return new Map(slugs.map((slug) => [slug, readTemplate(folder, slug)]));
}

function readTemplate(folder: string, slug: string): Template {
  try {
    if (!slugForm.test(slug)) throw new Error("its name must be of a-z, 0-9 and single hyphens");
    const texts = readTexts(join(folder, slug));
    const manifest = manifestSchema.parse(JSON.parse(texts.get("template.json") ?? ""));
    for (const format of manifest.formats) {
      const file = needed[format];
      if (file !== undefined && !texts.has(file)) throw new Error(`${format} needs ${file}`);
    }
    texts.delete("template.json");
    return { slug, texts, ...manifest };
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new Error(`The skill template ${slug} cannot be used: ${reason}`, { cause });
  }
}

/** Reads all files in a folder and its subfolders, by path. */
export function readTexts(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .toSorted();
  return new Map(
    paths.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
}
