import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArguments } from "@atelier/test-services";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { buildPackage } from "../scripts/build-package.ts";
import { createAtelier, InsufficientCreditError, type Atelier } from "../src/index.ts";

const model = "builtin-illustrator";

// Stories and browsers take their time on a machine that has other things to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stack: Stack;
let account: TestAccount;
let atelier: Atelier;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
  account = await stack.createAccount("5");
  atelier = createAtelier({ baseUrl: stack.url, apiKey: account.key });
});

afterAll(() => stack.stop());

async function countJobs(): Promise<number> {
  return (await atelier.jobs.list({ limit: 100 })).jobs.length;
}

describe("on a running service, the client", () => {
  it("makes an image, downloads it, and sees what was charged", async () => {
    const before = await atelier.account.get();
    const image = await atelier.generateImage({ model, prompt: "A red fox in the snow" });
    expect(image).toMatchObject({ model, ai_generated: true });
    const webp = image.formats?.webp;
    const bytes = await atelier.images.download(webp ?? { url: "" });
    expect(bytes).toHaveLength(webp?.size_bytes ?? 0);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(webp?.hash);
    const after = await atelier.account.get();
    expect(Number(before.balance_eur) - Number(after.balance_eur)).toBeCloseTo(
      Number(image.cost_eur),
    );
  });

  it("tells how a story progresses, and makes one of its scenes again", async () => {
    const seen: string[] = [];
    const story = await atelier.generateStory(
      {
        model,
        characters: [{ name: "Mira", description: "a girl with red hair and a green coat" }],
        scenes: [
          { prompt: "Mira by the sea", characters: [{ name: "Mira" }] },
          { prompt: "Mira in the forest", characters: [{ name: "Mira" }] },
        ],
      },
      { onProgress: (job) => seen.push(`${job.status} ${job.scenes_completed}`) },
    );
    expect(story.scenes).toHaveLength(2);
    expect(seen.at(-1)).toBe("completed 2");
    expect(new Set(seen).size).toBe(seen.length);

    const [mira] = story.characters ?? [];
    const scene = await atelier.generateScene({
      model,
      prompt: "Mira on a mountain",
      characters: [
        { name: "Mira", description: "a girl", reference_url: mira?.reference_url ?? "" },
      ],
    });
    expect(scene.image_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gets one image for one charge, though the first two answers are lost", async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== "POST" || lost === 2) return response;
      lost += 1;
      throw new TypeError("the connection was lost");
    };
    const unlucky = createAtelier({ baseUrl: stack.url, apiKey: account.key, fetch: losing });
    const [jobs, before] = [await countJobs(), await atelier.account.get()];
    const image = await unlucky.generateImage({ model, prompt: "A lighthouse at dusk" });
    expect(lost).toBe(2);
    expect(await countJobs()).toBe(jobs + 1);
    const after = await atelier.account.get();
    expect(Number(before.balance_eur) - Number(after.balance_eur)).toBeCloseTo(
      Number(image.cost_eur),
    );
  });

  it("lists models and jobs, page by page", async () => {
    const models = await atelier.models.list();
    expect(models.find(({ id }) => id === model)).toMatchObject({ supports_multiturn: true });
    const first = await atelier.jobs.list({ limit: 1, status: "completed" });
    const second = await atelier.jobs.list({ limit: 1, cursor: first.next_cursor ?? "" });
    expect(first.jobs).toHaveLength(1);
    expect(second.jobs[0]?.id).not.toBe(first.jobs[0]?.id);
    expect(await atelier.jobs.get(first.jobs[0]?.id ?? "")).toMatchObject({ status: "completed" });
  });

  it("lists skill files and downloads one, made for its key", async () => {
    const [template] = await atelier.files.list();
    const file = await atelier.files.download(template?.slug ?? "", { format: "agents-md" });
    expect(file).toMatchObject({ name: expect.stringMatching(/\.md$/) });
    expect(new TextDecoder().decode(file.bytes)).toContain(account.key);
    await expect(atelier.files.download("nonesuch")).rejects.toMatchObject({
      name: "NotFoundError",
      code: "file_not_found",
    });
  });

  it("meets refusals as errors of their kind", async () => {
    const poor = await stack.createAccount("0");
    const client = createAtelier({ baseUrl: stack.url, apiKey: poor.key });
    const refusal: unknown = await client
      .generateImage({ model, prompt: "A fox" })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InsufficientCreditError);
    expect(refusal).toMatchObject({ details: { balance_eur: "0.00" } });
    const unknown = "01890000-0000-7000-8000-000000000000";
    await expect(client.jobs.get(unknown)).rejects.toMatchObject({ code: "job_not_found" });
    await expect(client.jobs.cancel(unknown)).rejects.toMatchObject({ code: "job_not_found" });
  });
});

it(
  "makes and downloads an image in a browser, as it is published",
  { timeout: 120_000 },
  async ({ skip }) => {
    const executablePath = inject("chromium");
    if (executablePath === null) return skip();
    const built = await mkdtemp(join(tmpdir(), "atelier-client-"));
    await buildPackage(built);
    const browser = await chromium.launch({
      executablePath,
      args: [...chromiumArguments],
      timeout: 0,
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(0);
      // A page and its scripts where the service is; everything else goes to the service itself.
      await page.route(`${stack.url}/page/**`, async (route) => {
        const file = new URL(route.request().url()).pathname.replace("/page/", "");
        const isScript = file.endsWith(".js");
        await route.fulfill({
          contentType: isScript ? "text/javascript" : "text/html",
          body: isScript ? await readFile(join(built, file), "utf8") : "<!doctype html>",
        });
      });
      await page.goto(`${stack.url}/page/index.html`);
      const program = `import("./index.js").then(async ({ createAtelier }) => {
      const atelier = createAtelier({ baseUrl: location.origin, apiKey: "${account.key}" });
      const { formats } = await atelier.generateImage({ model: "${model}", prompt: "A blue boat" });
      const bytes = await atelier.images.download(formats.webp);
      return bytes.length === formats.webp.size_bytes;
    })`;
      expect(await page.evaluate(program)).toBe(true);
    } finally {
      await browser.close();
      await rm(built, { recursive: true, force: true });
    }
  },
);
