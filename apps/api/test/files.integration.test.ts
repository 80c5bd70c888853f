import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "@atelier/accounts";
import {
  apiKeyList,
  errorBody,
  fileFormat,
  fileList,
  mintedKey,
  modelList,
  type FileFormat,
} from "@atelier/schemas";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Spectral, type RulesetDefinition } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import {
  download,
  install,
  installShellScript,
  run,
  slugs,
  templatesFolder,
  unpack,
  type Downloaded,
} from "./support/files.ts";

let stack: Stack;
let account: TestAccount;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-skills-"));
  stack = await shareStack({ workers: 0 });
  account = await stack.createAccount();
});

afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

const get = (slug: string, format: FileFormat) => download(stack, account, slug, format);

const post = (slug: string, body?: unknown, of = account) =>
  stack.request(of, "POST", `/v1/files/${slug}`, body);

async function listFiles() {
  const response = await stack.request(account, "GET", "/v1/files");
  expect(response.status).toBe(200);
  return fileList.parse(await response.json()).files ?? [];
}

/** Splits a text into its YAML front matter and its body. */
function readFrontMatter(text: string): { fields: Record<string, unknown>; body: string } {
  const [, yaml = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  return { fields: parseYaml(yaml) as Record<string, unknown>, body };
}

/** All values of a key, at any depth. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(key, inner),
  ]);
}

/** The inspected parts of an OpenAPI document. */
interface OpenApi {
  readonly openapi: string;
  readonly servers: unknown;
  readonly paths: Record<string, object>;
  readonly components: Record<string, object>;
}

/** The main tool of a skill with the format `mcp-config`. */
const mainTools: Readonly<Record<string, string>> = {
  "image-generation": "generate_image",
  "story-generation": "generate_story",
  "image-editing": "edit_image",
  graphics: "draw_graphic",
  diagrams: "draw_diagram",
  "job-history": "list_jobs",
};

/** Rules for each format, in addition to the common ones. */
const rules: Record<FileFormat, (file: Downloaded, slug: string) => void | Promise<void>> = {
  // The Agent Skills specification: a folder with the skill's name, with SKILL.md and its front
  // matter.
  "agent-skill": async (file, slug) => {
    expect(file).toMatchObject({ name: `${slug}.zip`, mediaType: "application/zip" });
    const files = unpack(file, slug);
    const { fields, body } = readFrontMatter(files.get("SKILL.md") ?? "");
    const known = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
    expect(known).toEqual(expect.arrayContaining(Object.keys(fields)));
    const { name, description, compatibility, metadata } = fields;
    expect(name).toBe(slug);
    expect(name).toMatch(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(description).toMatch(/^(?=.{1,1024}$).*Use when/);
    expect(compatibility).toMatch(/^.{1,500}$/);
    for (const value of Object.values(metadata as object)) expect(typeof value).toBe("string");
    expect(body.split("\n").length).toBeLessThan(500);
    // All mentioned files exist.
    const mentioned = [...body.matchAll(/\b(?:scripts|assets|references)\/[\w.-]+\w/g)];
    expect(mentioned).not.toEqual([]);
    for (const [path] of mentioned) expect([...files.keys()]).toContain(path);
    // The key is in a file that an assistant does not read by default.
    const withKey = [...files].filter(([, text]) => text.includes(account.key));
    expect(withKey.map(([path]) => path)).toEqual(["scripts/atelier.env"]);
    expect(body).toContain("contains a secret");
    const folder = await install(directory, file, slug);
    for (const path of files.keys()) {
      if (!path.endsWith(".mjs")) continue;
      expect(await run(folder, [process.execPath, "--check", path])).toMatchObject({ code: 0 });
    }
  },
  "agents-md": ({ name, mediaType, text }) => {
    expect({ name, mediaType }).toEqual({
      name: "AGENTS.md",
      mediaType: "text/markdown; charset=utf-8",
    });
    expect(text).toMatch(/^# \w.*\n\n/);
  },
  "cursor-rule": ({ name, mediaType, text }, slug) => {
    expect({ name, mediaType }).toEqual({
      name: `${slug}.mdc`,
      mediaType: "text/markdown; charset=utf-8",
    });
    const { fields, body } = readFrontMatter(text);
    expect(fields).toEqual({ description: expect.stringMatching(/Use when/), alwaysApply: false });
    expect(body).toContain("## Errors");
  },
  "mcp-config": async ({ name, mediaType, text }, slug) => {
    expect({ name, mediaType }).toEqual({
      name: "mcp.json",
      mediaType: "application/json; charset=utf-8",
    });
    const { mcpServers } = JSON.parse(text) as {
      mcpServers: Record<string, { type: string; url: string; headers: Record<string, string> }>;
    };
    for (const { type, url, headers } of Object.values(mcpServers)) {
      expect(type).toBe("http");
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
      );
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toContain(mainTools[slug]);
      const balance = await client.callTool({ name: "check_balance" });
      expect(balance.structuredContent).toMatchObject({ id: account.accountId });
      await client.close();
    }
  },
  openapi: async ({ name, mediaType, text }, slug) => {
    expect({ name, mediaType }).toEqual({
      name: `${slug}.openapi.json`,
      mediaType: "application/json; charset=utf-8",
    });
    const document = JSON.parse(text) as OpenApi;
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.servers).toEqual([{ url: stack.url }]);
    const manifest = await readFile(join(templatesFolder, slug, "template.json"), "utf8");
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const { operations: wanted } = JSON.parse(manifest) as { operations: string[] };
    expect(operations.toSorted()).toEqual(wanted.toSorted());
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as RulesetDefinition] });
    const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>);
    expect(problems.map(({ message, path }) => `${path.join(".")}: ${message}`)).toEqual([]);
    // Every reference resolves, and every component is referenced.
    const references = new Set(valuesOf("$ref", document) as string[]);
    for (const reference of references) {
      const [root, ...steps] = reference.split("/");
      expect(root).toBe("#");
      const target = steps.reduce<unknown>((part, step) => Object(part)[step], document);
      expect(target).toBeTypeOf("object");
    }
    const { securitySchemes: _, ...components } = document.components;
    const defined = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((one) => `#/components/${kind}/${one}`),
    );
    expect([...references].toSorted()).toEqual(expect.arrayContaining(defined.toSorted()));
  },
  curl: async (file, slug) => {
    const { name, mediaType, text } = file;
    expect({ name, mediaType }).toEqual({
      name: `${slug}.sh`,
      mediaType: "text/x-shellscript; charset=utf-8",
    });
    expect(text).toMatch(/^#!\/bin\/sh\n/);
    const script = await installShellScript(directory, file);
    expect(await run(directory, ["sh", "-n", script])).toEqual({ code: 0, stdout: "", stderr: "" });
  },
};

describe("GET /v1/files", () => {
  it("lists every template", async () => {
    const files = await listFiles();
    expect(files.map(({ slug }) => slug)).toEqual(slugs);
    expect(slugs).toEqual(
      expect.arrayContaining(["image-generation", "story-generation", "provenance-check"]),
    );
    for (const { formats } of files) expect(formats?.[0]).toBe("agent-skill");
    const all = new Set(files.flatMap(({ formats }) => formats ?? []));
    expect([...all].toSorted()).toEqual([...fileFormat.options].toSorted());
  });

  it("needs a key", async () => {
    const stranger = { accountId: "", keyId: "", key: "wrong" };
    expect((await stack.request(stranger, "GET", "/v1/files")).status).toBe(401);
    expect((await post("image-generation", {}, stranger)).status).toBe(401);
  });
});

describe("POST /v1/files/{slug}", { timeout: 120_000 }, () => {
  it.each(slugs)("returns %s in each of its formats, valid for that format", async (slug) => {
    const template = (await listFiles()).find((file) => file.slug === slug);
    for (const format of template?.formats ?? []) {
      const file = await get(slug, format);
      await rules[format](file, slug);
      const text =
        format === "agent-skill" ? [...unpack(file, slug).values()].join("\n") : file.text;
      expect(text).toContain(account.key);
      expect(text).toContain(stack.url);
      expect(text).toMatch(/secret/i);
      expect(text).not.toContain("{{");
    }
  });

  it("includes the models and their prices", async () => {
    const response = await stack.request(account, "GET", "/v1/models");
    const { models } = modelList.parse(await response.json());
    const { text: all } = await get("image-generation", "agents-md");
    const { text: capable } = await get("story-generation", "cursor-rule");
    const ofImages = models.filter(({ operations }) => operations.includes("image"));
    for (const { id, prices, aspect_ratios, supports_multiturn } of ofImages) {
      expect(all).toContain(`\`${id}\``);
      for (const { image_size, eur } of prices) expect(all).toContain(`${image_size}: ${eur}`);
      for (const aspectRatio of aspect_ratios) expect(all).toContain(aspectRatio);
      expect(capable.includes(`\`${id}\``)).toBe(supports_multiturn);
    }
    const { text: ofGraphics } = await get("graphics", "agents-md");
    expect(ofGraphics).toContain("`builtin-graphic`");
    expect(ofGraphics).toContain("graphic, seed, transparent background, svg, n up to 10");
    expect(ofGraphics).not.toContain("`builtin-illustrator`");
    const skill = unpack(await get("image-generation", "agent-skill"), "image-generation");
    const [first] = models.filter(({ status }) => status === "available");
    expect(skill.get("scripts/atelier.env")).toContain(`ATELIER_MODEL='${first?.id}'`);
  });

  it("names only models that the key may use, in every format", async () => {
    const listed = await (await stack.request(account, "GET", "/v1/models")).json();
    const all = modelList.parse(listed).models.map(({ id }) => id);
    const permitted = ["fake-resumable", "builtin-graphic"];
    const { key } = await createKey(stack.database, {
      accountId: account.accountId,
      name: "limited",
      pepper: stack.environment["KEY_PEPPER"] ?? "",
      models: permitted,
    });
    const limited = { ...account, key };
    for (const { slug, formats } of await listFiles()) {
      for (const format of formats ?? []) {
        const file = await download(stack, limited, slug, format);
        const text =
          format === "agent-skill" ? [...unpack(file, slug).values()].join("\n") : file.text;
        const named = all.filter((id) => text.includes(id) && !permitted.includes(id));
        expect({ slug, format, named }).toEqual({ slug, format, named: [] });
      }
    }
    const ofDiagrams = await download(stack, limited, "diagrams", "agents-md");
    expect(ofDiagrams.text).toContain("No such model is available at the moment.");
  });

  it("contains the caller's key, sent in either header", async () => {
    const other = await stack.createAccount();
    const response = await fetch(`${stack.url}/v1/files/image-generation`, {
      method: "POST",
      headers: { "X-API-Key": other.key, "Content-Type": "application/json" },
      body: JSON.stringify({ format: "curl" }),
    });
    const text = await response.text();
    expect(text).toContain(other.key);
    expect(text).not.toContain(account.key);
  });

  it.each([{ body: undefined }, { body: {} }, { body: { format: null } }])(
    "is an agent skill when the body is $body",
    async ({ body }) => {
      const response = await post("image-generation", body);
      expect(response.headers.get("Content-Type")).toBe("application/zip");
    },
  );

  it("contains a new key with a budget and an expiry when the body asks for one", async () => {
    const owner = await stack.createAccount();
    const body = { format: "curl", key: { budget_eur: "2.00", expires_in_days: 30 } };
    const text = await (await post("image-generation", body, owner)).text();
    expect(text).not.toContain(owner.key);
    const [key = ""] = /atl_live_\w+/.exec(text) ?? [];
    const list = await stack.request(owner, "GET", "/v1/keys");
    const [minted] = apiKeyList.parse(await list.json()).keys;
    expect(minted).toMatchObject({
      name: "Skill file image-generation",
      last_four: key.slice(-4),
      scopes: ["generate"],
      budget: { eur: "2.00", period: "total" },
    });
    const days = (Date.parse(minted?.expires_at ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    expect((await stack.request({ key }, "GET", "/v1/models")).status).toBe(200);
    expect((await stack.request({ key }, "GET", "/v1/keys")).status).toBe(403);
  });

  it("names the new key as the body asks", async () => {
    const owner = await stack.createAccount();
    await post("image-generation", { key: { name: "Claude at home", budget_eur: "1" } }, owner);
    const list = await stack.request(owner, "GET", "/v1/keys");
    const [minted] = apiKeyList.parse(await list.json()).keys;
    expect(minted).toMatchObject({ name: "Claude at home", budget: { eur: "1.00" } });
  });

  it("contains a placeholder and creates no key when the body asks for no key", async () => {
    const owner = await stack.createAccount();
    for (const format of ["curl", "agents-md", "mcp-config", "openapi"]) {
      const text = await (
        await post("image-generation", { format, embed_key: false }, owner)
      ).text();
      expect(text).toContain("YOUR_API_KEY");
      expect(text).not.toMatch(/atl_live_\w/);
    }
    const list = await stack.request(owner, "GET", "/v1/keys");
    expect(apiKeyList.parse(await list.json()).keys).toHaveLength(1);
  });

  it("creates no key for a refused request", async () => {
    const owner = await stack.createAccount();
    const keys = async () => {
      const list = await stack.request(owner, "GET", "/v1/keys");
      return apiKeyList.parse(await list.json()).keys;
    };
    const wanted = { budget_eur: "2.00", expires_in_days: 30 };
    for (const [slug, body, status] of [
      ["none", { key: wanted }, 404],
      ["image-generation", { key: wanted, format: "pdf" }, 400],
      ["image-generation", { key: { budget_eur: "2.00", expires_in_days: 0 } }, 400],
      ["image-generation", { key: { expires_in_days: 30 } }, 400],
      ["image-generation", { key: wanted, embed_key: false }, 400],
    ] as const) {
      expect((await post(slug, body, owner)).status).toBe(status);
    }
    expect(await keys()).toHaveLength(1);
    const limits = { name: "limited", scopes: ["generate"], budget: { eur: "1" } };
    const limited = mintedKey.parse(
      await (await stack.request(owner, "POST", "/v1/keys", limits)).json(),
    );
    const holder = { ...owner, key: limited.key };
    expect((await post("image-generation", { key: wanted }, holder)).status).toBe(403);
    expect((await post("image-generation", {}, holder)).status).toBe(200);
    expect(await keys()).toHaveLength(2);
  });

  it("refuses a format that the template lacks and lists the available ones", async () => {
    for (const [slug, format, names] of [
      ["image-generation", "pdf", /agent-skill.*agents-md.*cursor-rule.*mcp-config.*openapi.*curl/],
      ["provenance-check", "mcp-config", /agent-skill.*agents-md.*cursor-rule.*openapi.*curl/],
    ] as const) {
      const response = await post(slug, { format });
      expect(response.status).toBe(400);
      const { error, details } = errorBody.parse(await response.json());
      expect(error).toBe("invalid_request");
      expect(details).toEqual([
        { path: "format", code: "unknown_format", message: expect.stringMatching(names) },
      ]);
    }
  });

  it("refuses other invalid requests", async () => {
    for (const slug of ["nothing", "..%2Fskills", "template.json", "constructor"]) {
      const response = await post(slug, {});
      expect(response.status).toBe(404);
      expect(errorBody.parse(await response.json()).error).toBe("file_not_found");
    }
    expect((await post("image-generation", { fromat: "curl" })).status).toBe(400);
    expect((await post("image-generation", "no JSON")).status).toBe(400);
  });

  it("does not log the key", async () => {
    expect(await stack.api.log()).not.toContain(account.key);
  });
});
