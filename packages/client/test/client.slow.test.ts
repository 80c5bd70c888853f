import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArguments } from "@atelier/local-services";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { buildPackage } from "../scripts/build-package.ts";
import { createAtelier, InsufficientCreditError, type Atelier } from "../src/index.ts";

const model = "builtin-illustrator";

// Stories and browsers are slow on a busy machine.
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

describe("with a running service, the client", () => {
  it("makes an image, downloads it and reads the charge", async () => {
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

  it("follows a job over an interrupted stream, and by polling without one", async () => {
    const story = {
      model,
      characters: [{ name: "Mira", description: "a girl with red hair" }],
      scenes: [{ prompt: "Mira by the sea" }, { prompt: "Mira in the forest" }],
    };
    const follow = async (send: typeof fetch) => {
      const { job_id } = (await (
        await stack.request(account, "POST", "/v1/generate/story", story)
      ).json()) as { job_id: string };
      const client = createAtelier({ baseUrl: stack.url, apiKey: account.key, fetch: send });
      const events = await Array.fromAsync(client.jobs.watch(job_id));
      expect(events.at(-1)).toMatchObject({ type: "job.completed", job: { status: "completed" } });
      return events;
    };
    let streams = 0;
    const interrupted = await follow(async (input, init) => {
      const response = await fetch(input, init);
      if (!isStream(input) || streams++ > 0) return response;
      const [first] = await Array.fromAsync((response.body ?? new ReadableStream()).values());
      return new Response(first as Uint8Array<ArrayBuffer>, response);
    });
    const ids = interrupted.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const polled = await follow(async (input, init) =>
      isStream(input)
        ? Response.json({ error: "not_found", message: "" }, { status: 404 })
        : fetch(input, init),
    );
    expect(polled.every(({ id }) => id === null)).toBe(true);
  });

  it("reports the progress of a story, and makes one of its scenes again", async () => {
    const progress: string[] = [];
    const story = await atelier.generateStory(
      {
        model,
        characters: [{ name: "Mira", description: "a girl with red hair and a green coat" }],
        scenes: [
          { prompt: "Mira by the sea", characters: [{ name: "Mira" }] },
          { prompt: "Mira in the forest", characters: [{ name: "Mira" }] },
        ],
      },
      { onProgress: (job) => progress.push(`${job.status} ${job.scenes_completed}`) },
    );
    expect(story.scenes).toHaveLength(2);
    expect(progress.at(-1)).toBe("completed 2");
    expect(new Set(progress).size).toBe(progress.length);

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

  it("edits, combines and draws", async () => {
    const bay = await atelier.generateImage({ model, prompt: "a quiet bay" });
    const image = { job_id: bay.id };
    const [edited, combined, icon, chart] = await Promise.all([
      atelier.generateEdit({ model, prompt: "at night", image, strength: 0.5 }),
      atelier.generateCombination({
        model,
        prompt: "a boat in the bay",
        images: [
          { description: "a bay", ...image },
          { description: "a boat", ...image },
        ],
      }),
      atelier.generateGraphic({ model: "builtin-graphic", prompt: "a rocket", kind: "icon" }),
      atelier.generateDiagram({ model: "builtin-diagram", prompt: "a → b → c" }),
    ]);
    expect(edited.image_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(combined.image_urls).toHaveLength(1);
    expect([icon, chart].map(({ formats }) => formats?.svg?.format)).toEqual(["svg", "svg"]);
  });

  it("is charged for one image although the first two responses are lost", async () => {
    let dropped = 0;
    const losingFetch: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== "POST" || dropped === 2) return response;
      dropped += 1;
      throw new TypeError("the connection was lost");
    };
    const unreliable = createAtelier({
      baseUrl: stack.url,
      apiKey: account.key,
      fetch: losingFetch,
    });
    const [jobs, before] = [await countJobs(), await atelier.account.get()];
    const image = await unreliable.generateImage({ model, prompt: "A lighthouse at dusk" });
    expect(dropped).toBe(2);
    expect(await countJobs()).toBe(jobs + 1);
    const after = await atelier.account.get();
    expect(Number(before.balance_eur) - Number(after.balance_eur)).toBeCloseTo(
      Number(image.cost_eur),
    );
  });

  it("lists models, and pages of jobs", async () => {
    const models = await atelier.models.list();
    expect(models.find(({ id }) => id === model)).toMatchObject({ supports_multiturn: true });
    const first = await atelier.jobs.list({ limit: 1, status: "completed" });
    const second = await atelier.jobs.list({ limit: 1, cursor: first.next_cursor ?? "" });
    expect(first.jobs).toHaveLength(1);
    expect(second.jobs[0]?.id).not.toBe(first.jobs[0]?.id);
    expect(await atelier.jobs.get(first.jobs[0]?.id ?? "")).toMatchObject({ status: "completed" });
  });

  it("lists skill files and downloads one with its key", async () => {
    const [template] = await atelier.files.list();
    const file = await atelier.files.download(template?.slug ?? "", { format: "agents-md" });
    expect(file).toMatchObject({ name: expect.stringMatching(/\.md$/) });
    expect(new TextDecoder().decode(file.bytes)).toContain(account.key);
    await expect(atelier.files.download("nonesuch")).rejects.toMatchObject({
      name: "NotFoundError",
      code: "file_not_found",
    });
  });

  it("quotes, sums, lists and exports what was charged", async () => {
    const request = { model, prompt: "A quoted fox" };
    const quoted = await atelier.quote({ operation: "image", request });
    expect(quoted).toMatchObject({ affordable: true, renders: 1 });
    const before = await atelier.usage({ group_by: "model" });
    const { cost_eur } = await atelier.generateImage(request);
    expect(cost_eur).toBe(quoted.price_eur);
    const after = await atelier.usage({ group_by: "model" });
    expect(after.total.images).toBe(before.total.images + 1);
    const { transactions } = await atelier.transactions.list({ limit: 1 });
    expect(transactions).toMatchObject([{ kind: "charge", amount_eur: `-${cost_eur}` }]);
    const types = new Set<string>();
    for await (const { type } of atelier.account.export()) types.add(type);
    expect([...types]).toEqual(["account", "key", "job", "transfer", "end"]);
  });

  it("manages keys and settings of the account", async () => {
    const created = await atelier.keys.create({ name: "laptop", scopes: ["generate"] });
    const other = createAtelier({ baseUrl: stack.url, apiKey: created.key });
    await expect(other.keys.list()).rejects.toMatchObject({ code: "key_not_permitted" });
    expect(await atelier.keys.update(created.id, { name: "desk" })).toMatchObject({ name: "desk" });
    const rotated = await atelier.keys.rotate(created.id, { graceHours: 1 });
    expect(rotated).toMatchObject({ id: created.id, name: "desk" });
    expect(await other.models.list()).not.toEqual([]);
    expect((await atelier.keys.revoke(created.id)).revoked_at).not.toBeNull();
    expect((await atelier.keys.list()).map(({ id }) => id)).toContain(created.id);
    const settings = { low_balance_eur: "1", retention_hours: 2 };
    expect(await atelier.account.update(settings)).toMatchObject({
      low_balance_eur: "1.00",
      retention_hours: 2,
    });
    await atelier.account.update({ low_balance_eur: null, retention_hours: null });
  });

  it("does not create a second key when the response to the first is lost", async () => {
    const losingFetch: typeof fetch = async (input, init) => {
      await fetch(input, init);
      throw new TypeError("the connection was lost");
    };
    const unreliable = createAtelier({
      baseUrl: stack.url,
      apiKey: account.key,
      fetch: losingFetch,
    });
    const before = await atelier.keys.list();
    await expect(unreliable.keys.create({ name: "lost" })).rejects.toMatchObject({
      code: "connection_failed",
    });
    expect(await atelier.keys.list()).toHaveLength(before.length + 1);
  });

  it("throws errors of the matching class", async () => {
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
  "makes and downloads an image in a browser with the published package",
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
      // Serves a page and its scripts from the origin of the service; other requests reach the service.
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

/** Whether a request is for the event stream of a job. */
function isStream(input: string | URL | Request): boolean {
  const url = input instanceof Request ? input.url : input.toString();
  return url.endsWith("/events");
}
