import { fileURLToPath } from "node:url";
import { AppError, type FileTemplate } from "@atelier/schemas";
import { renderFile, type Caller, type SkillFile } from "./render.ts";
import { readTemplates, readTexts } from "./template.ts";

/** The skill files that can be downloaded. */
export interface SkillFiles {
  readonly templates: readonly FileTemplate[];
  /**
   * A template as a file with the caller's key in it.
   *
   * @param format the template's first one when left out.
   * @throws AppError `file_not_found`, or `invalid_request` for a format that the template lacks.
   */
  render(slug: string, format: string | undefined, caller: Caller): SkillFile;
}

export interface SkillFilesOptions {
  /** Where the templates are, a folder for each; the built-in ones by default. */
  readonly templatesFolder?: string;
}

const builtInFolder = fileURLToPath(new URL("../templates", import.meta.url));
const sharedFolder = fileURLToPath(new URL("../shared", import.meta.url));

/** Reads the templates, now and not again. */
export function createSkillFiles({
  templatesFolder = builtInFolder,
}: SkillFilesOptions = {}): SkillFiles {
  const templates = readTemplates(templatesFolder);
  const shared = readTexts(sharedFolder);
  return {
    templates: [...templates.values()].map(({ slug, name, description, version, formats }) => ({
      slug,
      name,
      description,
      version,
      formats,
    })),
    render(slug, format, caller) {
      const template = templates.get(slug);
      if (template === undefined) {
        throw new AppError(
          "file_not_found",
          "There is no such skill file. GET /v1/files lists those there are.",
        );
      }
      const [first] = template.formats;
      const wanted = template.formats.find((known) => known === (format ?? first));
      if (wanted === undefined) {
        const message = `must be one of ${template.formats.join(", ")}`;
        throw new AppError("invalid_request", `format: ${message}. Correct the request.`, {
          details: [{ path: "format", code: "unknown_format", message }],
        });
      }
      return renderFile(template, wanted, caller, shared);
    },
  };
}
