import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join, relative } from "node:path";
import { studioLanguages } from "@atelier/schemas";
import { describe, expect, it } from "vitest";

type Texts = Readonly<Record<string, unknown>>;

const sources = join(import.meta.dirname, "..");
const files = (
  await Array.fromAsync(glob(["texts.ts", "texts/*.ts"], { cwd: sources }))
).toSorted();
const translations = studioLanguages.slice(1);

async function load(folder: string, file: string): Promise<Texts> {
  const module = (await import(join(folder, file))) as { readonly texts: Texts };
  return module.texts;
}

/** The paths of all texts with what is at each: `text`, or the number of parameters of a function. */
function shapeOf(value: unknown, path = ""): [path: string, kind: string][] {
  if (typeof value === "string") return [[path, value === "" ? "empty" : "text"]];
  if (typeof value === "function") return [[path, `${value.length} parameters`]];
  return Object.entries(value as Texts).flatMap(([name, part]) =>
    shapeOf(part, path === "" ? name : `${path}.${name}`),
  );
}

/** Texts of codes replace messages of the service, which are English. */
const isOptional = ([path]: readonly [string, string]) =>
  /^(ofService|problem\.codes|console\.errors|console\.fields)\./.test(path);

describe.each(translations)("the texts in %s", (language) => {
  const folder = join(sources, "languages", language);

  it("are in the same files as the English ones", async () => {
    const translated = await Array.fromAsync(glob(["texts.ts", "texts/*.ts"], { cwd: folder }));
    expect(translated.map((file) => relative(".", file)).toSorted()).toEqual(files);
  });

  it.each(files)("are complete in %s, with the parameters of the English ones", async (file) => {
    const [english, translated] = [await load(sources, file), await load(folder, file)];
    const required = (texts: Texts) => shapeOf(texts).filter((shape) => !isOptional(shape));
    expect(required(translated)).toEqual(required(english));
  });

  it.each(files)("are translated in %s", async (file) => {
    const textsOf = async (of: string) => new Map(leaves(await load(of, file)));
    const [english, translated] = [await textsOf(sources), await textsOf(folder)];
    const same = [...english].filter(([path, text]) => translated.get(path) === text);
    expect(same.filter(([, text]) => text.split(" ").length > 3)).toEqual([]);
  });
});

function leaves(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [];
  return Object.entries(value as Texts).flatMap(([name, part]) => leaves(part, `${path}.${name}`));
}

describe.each(translations)("the names and descriptions of the service in %s", (language) => {
  it("are those of the catalogue of models and of the templates of skill files", async () => {
    const translated = Object.keys(
      (await load(join(sources, "languages", language), "texts.ts"))["ofService"] as Texts,
    );
    const shown = await readTextsOfService();
    expect(translated.filter((text) => !shown.includes(text))).toEqual([]);
    expect(shown.filter((text) => !translated.includes(text) && !vendors.includes(text))).toEqual(
      [],
    );
  });
});

/** The first sentence of some models is only the name of the vendor. */
const vendors = ["Black Forest Labs.", "Google.", "OpenAI.", "Recraft.", "Stability AI."];

/** Names of the vendors' models are the same in every language. */
async function readTextsOfService(): Promise<string[]> {
  const packages = join(sources, "../../../packages");
  const paths = await Array.fromAsync(glob("skills/templates/*/template.json", { cwd: packages }));
  const templates = paths.map((path) => readJson(join(packages, path)) as Described);
  const { models } = readJson(join(packages, "models/catalogue.json")) as {
    readonly models: Described[];
  };
  return [
    ...models.flatMap(({ name, description, provider = "" }) => [
      ...(provider.startsWith("builtin") ? [name] : []),
      description.split(/(?<=\.) /, 1)[0] ?? "",
    ]),
    ...templates.flatMap(({ name, description }) => [
      name,
      description.split(" Use when ")[0] ?? description,
    ]),
  ];
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly provider?: string;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
