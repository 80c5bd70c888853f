import type { FileFormat, Model } from "@atelier/schemas";
import { zipSync, type Zippable } from "fflate";
import { dropExamples } from "./drop-examples.ts";
import { fill } from "./fill.ts";
import { formatModels } from "./models-table.ts";
import { restrictOperations } from "./restrict-operations.ts";
import type { Template } from "./template.ts";

/** The caller's data that a file contains. */
export interface Caller {
  /** In plain text, because the file is not usable without it. */
  readonly apiKey: string;
  /** The URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The models that the key may use. */
  readonly models: readonly Model[];
  /** Ids of other models, which the file does not name. */
  readonly otherModels: readonly string[];
  /** The OpenAPI document of the whole service. */
  readonly openApiDocument: object;
}

/** A skill file, to be saved under its name. */
export interface SkillFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Fragments shared by all templates, by path. */
export type Shared = ReadonlyMap<string, string>;

const markdown = "text/markdown; charset=utf-8";

/** Renders a template in one of its formats. */
export function renderFile(
  template: Template,
  format: FileFormat,
  caller: Caller,
  shared: Shared,
): SkillFile {
  const values = placeholderValues(template, caller, shared);
  const text = (path: string) => fill(template.texts.get(path) ?? "", values);
  const { slug } = template;
  switch (format) {
    case "agent-skill":
      return {
        fileName: `${slug}.zip`,
        mediaType: "application/zip",
        bytes: zipSkill(template, values, shared),
      };
    case "agents-md":
      return file("AGENTS.md", markdown, fill(`# {{name}}\n\n${guide}`, values) + text("guide.md"));
    case "cursor-rule": {
      const head = frontMatter({ description: template.description, alwaysApply: false });
      return file(`${slug}.mdc`, markdown, head + fill(guide, values) + text("guide.md"));
    }
    case "mcp-config":
      return file("mcp.json", "application/json", toJson(mcpConfig(template, caller)));
    case "openapi":
      return file(
        `${slug}.openapi.json`,
        "application/json",
        toJson(openApiOf(template, caller, fill("{{secret_warning_inline}}", values))),
      );
    case "curl": {
      const prelude = fill(shared.get("prelude.sh") ?? "", values);
      return file(`${slug}.sh`, "text/x-shellscript; charset=utf-8", prelude + text("curl.sh"));
    }
  }
}

const guide = "{{secret_warning_inline}}\n\n";

function file(fileName: string, mediaType: string, text: string): SkillFile {
  return { fileName, mediaType, bytes: new TextEncoder().encode(text) };
}

/** The value of every placeholder, including shared fragments. */
function placeholderValues(
  template: Template,
  { apiKey, baseUrl, models }: Caller,
  shared: Shared,
): Record<string, string> {
  const offered = models.filter(
    ({ status, operations }) => status !== "retired" && operations.includes(template.models),
  );
  const fragments = [...shared].flatMap(([path, text]) => {
    const [, name] = /^fragments\/([a-z_]+)\.(?:md|sh)$/.exec(path) ?? [];
    return name === undefined ? [] : [[name, text.trim()] as const];
  });
  return {
    ...Object.fromEntries(fragments),
    slug: template.slug,
    name: template.name,
    version: template.version,
    // The value is inserted within quotes in shell scripts.
    base_url: baseUrl.replaceAll("'", "%27"),
    api_key: apiKey,
    default_model: (offered.find(({ status }) => status === "available") ?? offered[0])?.id ?? "",
    models: formatModels(offered),
  };
}

/** A ZIP file of a folder named like the skill, following the Agent Skills specification. */
function zipSkill(
  template: Template,
  values: Readonly<Record<string, string>>,
  shared: Shared,
): Uint8Array {
  const head = frontMatter({
    name: template.slug,
    description: template.description,
    compatibility: "Needs Node 20 or newer, and network access to the service.",
    metadata: { version: template.version, "base-url": values["base_url"] ?? "" },
  });
  const entries = [
    ...[...template.texts].filter(([path]) =>
      /^(SKILL\.md|scripts\/|assets\/|references\/)/.test(path),
    ),
    ...[...shared].filter(([path]) => path.startsWith("scripts/")),
  ].map(([path, text]): [string, Zippable[string]] => {
    const filled = fill(text, values);
    const bytes = new TextEncoder().encode(path === "SKILL.md" ? head + filled : filled);
    // Other users of the machine must not be able to read the key.
    const mode = path.endsWith(".env") ? 0o600 : 0o644;
    const attrs = ((0o100_000 | mode) << 16) >>> 0;
    return [`${template.slug}/${path}`, [bytes, { os: 3, attrs }]];
  });
  return zipSync(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), {
    // The earliest time that ZIP supports; a constant makes the output reproducible.
    mtime: "1980-01-01T00:00:00",
  });
}

/** YAML between two lines of dashes; JSON is YAML too. */
function frontMatter(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ["---", ...lines, "---", "", ""].join("\n");
}

function mcpConfig({ name }: Template, { apiKey, baseUrl }: Caller): object {
  return {
    "//": `${name}. SECRET: this file holds an API key. Anyone who has it can spend the account's balance. Do not commit it or pass it on.`,
    mcpServers: {
      atelier: {
        type: "http",
        url: `${baseUrl}/mcp`,
        headers: { Authorization: `Bearer ${apiKey}` },
      },
    },
  };
}

function openApiOf(template: Template, caller: Caller, warning: string): object {
  const { apiKey, baseUrl, openApiDocument, otherModels } = caller;
  const document = dropExamples(
    restrictOperations(openApiDocument, template.operations),
    otherModels,
  );
  const info = document["info"] as Record<string, unknown>;
  return {
    ...document,
    info: {
      ...info,
      title: `Atelier: ${template.name}`,
      description: `${template.description}\n\n${warning}`,
      "x-api-key": apiKey,
    },
    servers: [{ url: baseUrl }],
  };
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
