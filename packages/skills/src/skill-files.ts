import { fileURLToPath } from "node:url";
import { AppError, invalidRequest, type FileTemplate, type KeyScope } from "@atelier/schemas";
import { renderFile, type Caller, type SkillFile } from "./render.ts";
import { readTemplates, readTexts } from "./template.ts";

/** The skill files that can be downloaded. */
export interface SkillFiles {
  readonly templates: readonly FileTemplate[];
  /**
   * Returns the scopes that a template needs, if it can be rendered in the format.
   *
   * @throws AppError as `render` does.
   */
  scopesOf(slug: string, format: string | undefined): readonly KeyScope[];
  /**
   * Renders a template as a file that contains the caller's key.
   *
   * @param format defaults to the template's first format.
   * @throws AppError `file_not_found`, or `invalid_request` for a format that the template lacks.
   */
  render(slug: string, format: string | undefined, caller: Caller): SkillFile;
}

interface SkillFilesOptions {
  /** Folder with one subfolder per template; defaults to the built-in templates. */
  readonly templatesFolder?: string;
}

const builtInFolder = fileURLToPath(new URL("../templates", import.meta.url));
const sharedFolder = fileURLToPath(new URL("../shared", import.meta.url));

/** Reads the templates once. */
export function createSkillFiles({
  templatesFolder = builtInFolder,
}: SkillFilesOptions = {}): SkillFiles {
  const templates = readTemplates(templatesFolder);
  const shared = readTexts(sharedFolder);

  function find(slug: string, format: string | undefined) {
    const template = templates.get(slug);
    if (template === undefined) {
      throw new AppError(
        "file_not_found",
        "This skill file does not exist. GET /v1/files lists the available files.",
      );
    }
    const [first] = template.formats;
    const wanted = template.formats.find((known) => known === (format ?? first));
    if (wanted === undefined) {
      const formats = template.formats.map((known) => JSON.stringify(known)).join(", ");
      throw invalidRequest({
        path: "format",
        code: "unknown_format",
        message: `must be one of ${formats}`,
      });
    }
    return { template, format: wanted };
  }

  return {
    templates: [...templates.values()].map(({ slug, name, description, version, formats }) => ({
      slug,
      name,
      description,
      version,
      formats,
    })),
    scopesOf: (slug, format) => find(slug, format).template.scopes,
    render(slug, format, caller) {
      const found = find(slug, format);
      return renderFile(found.template, found.format, caller, shared);
    },
  };
}
