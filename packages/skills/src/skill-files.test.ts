import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model } from "@atelier/schemas";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { createSkillFiles } from "./skill-files.ts";

const manifest = {
  name: "Greeting",
  description: 'Greets: "politely". Use when someone # comes in.',
  version: "1.2.3",
  models: "image",
  formats: ["agents-md", "agent-skill"],
  operations: ["GET /v1/models"],
};

const model: Model = {
  id: "painter",
  name: "Painter",
  description: "Paints {{api_key}} in\ntwo | lines",
  provider: "studio",
  supports_multiturn: false,
  supports_references: false,
  max_reference_images: 0,
  operations: ["image"],
  supports_edit: false,
  supports_mask: false,
  supports_markup: false,
  supports_combine: false,
  supports_seed: false,
  supports_negative_prompt: false,
  supports_transparency: false,
  supports_svg: false,
  max_n: 10,
  parameters: null,
  aspect_ratios: ["1:1"],
  image_sizes: ["1K"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  pixels: [],
  sizes: null,
  prices: [{ image_size: "1K", eur: "0.04" }],
  batch_price_factor: 1,
  status: "available",
  deprecated_at: null,
  retires_at: null,
  successor: null,
};

const caller = {
  apiKey: "atl_live_secret",
  baseUrl: "https://images.example.org/it's",
  models: [model, { ...model, id: "retired", status: "retired" as const }],
  otherModels: [],
  openApiDocument: {},
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-templates-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Adds a template: a folder with files. */
async function addTemplate(slug: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries({ "template.json": manifest, ...files })) {
    await mkdir(join(folder, slug, path, ".."), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(folder, slug, path), text);
  }
}

const create = () => createSkillFiles({ templatesFolder: folder });

describe("a folder of templates", () => {
  it("contains one template per folder", async () => {
    await addTemplate("welcome", { "SKILL.md": "Hello", "guide.md": "Hello {{base_url}}" });
    const { name, description, version, formats } = manifest;
    const skillFiles = create();
    expect(skillFiles.templates).toEqual([
      { slug: "welcome", name, description, version, formats },
    ]);
    const { bytes } = skillFiles.render("welcome", undefined, caller);
    expect(new TextDecoder().decode(bytes)).toMatch(
      /^# Greeting\n[^]*Hello https:\/\/images\.example\.org\/it%27s$/,
    );
  });

  it("may have any text in the front matter and in model tables", async () => {
    await addTemplate("welcome", { "SKILL.md": "{{models}}", "guide.md": "" });
    const { bytes } = create().render("welcome", "agent-skill", caller);
    const skill = new TextDecoder().decode(unzipSync(bytes)["welcome/SKILL.md"]);
    const [, yaml = "", body = ""] = skill.split(/^---$/m);
    expect(parseYaml(yaml)).toMatchObject({ description: manifest.description });
    const rows = body.trim().split("\n");
    expect(rows).toHaveLength(3);
    expect(rows[2]).toContain("`painter`: Paints { {api_key}} in two \\| lines | 1K: 0.04 |");
  });

  it("produces the same ZIP file every time", async () => {
    await addTemplate("welcome", { "SKILL.md": "Hello", "guide.md": "" });
    const render = () => create().render("welcome", "agent-skill", caller).bytes;
    expect(render()).toEqual(render());
  });

  it.each([
    ["Welcome", {}, "a-z"],
    ["wel--come", {}, "single hyphens"],
    ["welcome", { "guide.md": "" }, "agent-skill needs SKILL.md"],
    ["welcome", { "template.json": "{" }, "JSON"],
    ["welcome", { "template.json": { ...manifest, formats: ["pdf"] } }, "formats"],
    ["welcome", { "template.json": { ...manifest, formats: [] } }, "formats"],
    ["welcome", { "template.json": { ...manifest, version: "1" } }, "version"],
    ["welcome", { "template.json": { ...manifest, description: "x".repeat(1_025) } }, "1024"],
    ["welcome", { "template.json": { ...manifest, extra: 1 } }, "extra"],
  ])("reports invalid templates: %s %j", async (slug, files, message) => {
    await addTemplate(slug, files);
    expect(create).toThrow(`The skill template ${slug} cannot be used: `);
    expect(create).toThrow(message);
  });
});
