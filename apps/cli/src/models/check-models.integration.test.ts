import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOpenAiServer } from "@atelier/models/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInTest, type Outcome } from "../testing/run-in-test.ts";

type Server = Awaited<ReturnType<typeof startOpenAiServer>>;

const apiKey = "sk-proj-canary-0123456789";
let directory: string;
let server: Server;
let environment: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-models-"));
  server = await startOpenAiServer({ apiKey });
  const file = join(directory, "providers.json");
  const providers = { openai: { base_url: `${server.url}/v1` } };
  await writeFile(file, JSON.stringify({ providers }));
  environment = { PROVIDERS_FILE: file, OPENAI_API_KEY: apiKey };
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

async function check(...args: string[]): Promise<Outcome> {
  return checkWith(environment, ...args);
}

async function checkWith(
  variables: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Outcome> {
  return runInTest(["models", "check", ...args], variables);
}

describe("models check", () => {
  it("lists usable models, and why the others are not usable", async () => {
    const { code, stdout } = await check("--json");
    expect(code).toBe(0);
    const { models } = JSON.parse(stdout) as { models: unknown[] };
    expect(models).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "builtin-illustrator", usable: true, reason: null }),
        expect.objectContaining({ id: "gpt-image-2", usable: true, reason: null }),
        expect.objectContaining({
          id: "flux-2-pro",
          usable: false,
          reason: "BFL_API_KEY is not set",
        }),
        expect.objectContaining({
          id: "dall-e-3",
          usable: false,
          reason: "retired: use gpt-image-2",
        }),
      ]),
    );
    expect(server.calls).toHaveLength(0);
  });

  it("makes one real call per requested model and reports the outcomes", async () => {
    server.behave(null);
    const models = ["builtin-illustrator", "gpt-image-2"];
    const { code, stdout } = await check("--pay", "--json", "-m", ...models);
    expect(code).toBe(0);
    const { checks } = JSON.parse(stdout) as { checks: object[] };
    expect(checks).toEqual(
      models.map((model) => ({
        model,
        outcome: "image",
        duration_ms: expect.any(Number),
        pixels: "1024x1024",
        size_bytes: expect.any(Number),
        message: null,
      })),
    );
    expect(server.calls).toHaveLength(1);
  });

  it("succeeds without any vendor, and names the tools that it does not try", async () => {
    const { code, stdout } = await checkWith({ OPENAI_API_KEY: "" }, "--pay");
    expect(code).toBe(0);
    expect(stdout).toMatch(/builtin-illustrator +image /);
    expect(stdout).toMatch(/^Not tried, .*builtin-upscaler, builtin-cutout/m);
  });

  it("fails if a model returns no image, without printing the key", async () => {
    server.behave({ kind: "out-of-quota" });
    const { code, stdout, stderr } = await check("--pay", "-m", "gpt-image-2");
    expect(code).toBe(1);
    expect(stdout).toMatch(/gpt-image-2\s+out-of-quota/);
    expect(stdout + stderr).not.toContain(apiKey);
  });

  it.each([
    [
      "PROVIDERS_FILE",
      { providers: { x: { kind: "nothing" } } },
      /providers\.x\.kind Invalid option/,
    ],
    ["PROVIDERS_FILE", { providers: { x: { kind: "openai", quality: 3 } } }, /quality/],
    ["CATALOGUE_FILE", { models: [{ id: "own" }] }, /line 1, column 12: models\.0\.name/],
  ])("names a faulty %s, the setting and each problem", async (variable, content, problem) => {
    const file = join(directory, "faulty.json");
    await writeFile(file, JSON.stringify(content));
    const { code, stderr } = await checkWith({ [variable]: file });
    expect(code).toBe(1);
    expect(stderr).toContain(`${variable}: `);
    expect(stderr).toContain(file);
    expect(stderr).toMatch(problem);
  });

  it.each([
    ["an unknown model", "gpt-image-9", /Model "gpt-image-9" does not exist/],
    ["an unusable model", "flux-2-pro", /flux-2-pro is not usable: BFL_API_KEY/],
  ])("rejects %s before any paid call", async (_, model, message) => {
    const before = server.calls.length;
    const { code, stderr } = await check("--pay", "-m", "gpt-image-2", model);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(server.calls).toHaveLength(before);
  });
});
