import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromiumArguments } from "@atelier/local-services";
import type { OpenApiDocument } from "@atelier/openapi";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createDocumentChecks } from "@atelier/openapi/testing";

const screenshotPath = fileURLToPath(
  new URL("../../../docs/images/api-reference.png", import.meta.url),
);

const execute = promisify(execFile);
const readGuide = (name: string) =>
  readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
const guides = { api: await readGuide("api.md"), openai: await readGuide("openai.md") };
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

describe("GET /docs", () => {
  it("serves a page that loads everything from this server", async () => {
    const page = await fetch(`${stack.url}/docs`);
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = ""]) => part);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) {
      expect(part).not.toMatch(/^\w+:|^\//);
      expect((await fetch(new URL(part, `${stack.url}/docs`))).status).toBe(200);
    }
  });

  it("has a CSP that allows only this server", async () => {
    const { headers } = await fetch(`${stack.url}/docs`);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy.split(";")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  it("accepts a trailing slash and returns 404 below it", async () => {
    const response = await fetch(`${stack.url}/docs/`);
    expect([response.status, response.url]).toEqual([200, `${stack.url}/docs`]);
    expect((await fetch(`${stack.url}/docs/index.html`)).status).toBe(404);
  });
});

/** The examples of a guide in one language. */
function examplesIn(guide: keyof typeof guides, language: string): string[] {
  const blocks = guides[guide].matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"));
  return [...blocks].map(([, code = ""]) => code);
}

/** Runs an example and returns its output. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(command, args, {
    // The folder whose dependencies include the packages of the examples.
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { PATH: process.env["PATH"], ATELIER_URL: stack.url, ATELIER_API_KEY: account.key },
  });
  return stdout;
}

describe("the examples of docs/api.md", () => {
  it.skipIf(!hasCurl)("work in a shell", { timeout: 120_000 }, async () => {
    const [models, image, story, jobs] = await Array.fromAsync(
      examplesIn("api", "sh"),
      async (code) => JSON.parse(await run("sh", ["-eu", "-c", code])),
    );
    expect(models.models[0].id).toBe("builtin-illustrator");
    expect(image).toMatchObject({ ai_generated: true, cost_eur: "0.01" });
    expect(story).toMatchObject({ status: "pending" });
    expect(jobs.jobs).toMatchObject([{ id: story.job_id, scenes_total: 2 }]);
  });
});

// `npm run test:clients` runs those with the clients of others.
it("the examples of docs/openai.md with OpenAI's client work", { timeout: 120_000 }, async () => {
  const examples = examplesIn("openai", "js").filter((code) => code.includes('from "openai"'));
  const [sdk = "", edit = "", chat = "", ...others] = await Promise.all(
    examples.map((code) => run(process.execPath, ["--input-type=module", "--eval", code])),
  );
  expect(others).toEqual([]);
  const { urls, size } = JSON.parse(sdk) as { urls: string[]; size: string };
  expect([urls.length, size]).toEqual([2, "1536x1024"]);
  expect(JSON.parse(edit)).toMatchObject({ size: "320x200" });
  expect(JSON.parse(chat)).toEqual({ url: "data:image/png;base64," });
});

describe.skipIf(inject("chromium") === null)("the reference page in a browser", () => {
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  /** The page's requests to other servers, and its console errors. */
  const elsewhere: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), "atelier-browser-"));
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: inject("chromium") ?? "",
      args: [...chromiumArguments],
      viewport: { width: 1280, height: 960 },
      timeout: 60_000,
    });
    page = await browser.newPage();
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== stack.url) elsewhere.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.setDefaultTimeout(60_000);
    await page.goto(`${stack.url}/docs`);
    await page.locator(".opblock").first().waitFor();
  }, 120_000);

  afterAll(async () => {
    if (process.env["UPDATE_SCREENSHOTS"] === "1") {
      await page.goto("about:blank");
      await page.goto(`${stack.url}/docs`);
      await page.locator(".opblock").first().waitFor();
      await page.screenshot({ path: screenshotPath });
    }
    await browser?.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it("shows every operation and every webhook of the document", { timeout: 120_000 }, async () => {
    const document = (await (await fetch(`${stack.url}/openapi.json`)).json()) as OpenApiDocument;
    const shown = await page.locator(".opblock").evaluateAll((blocks) =>
      blocks.map((block) =>
        ["method", "path"]
          .map((part) => block.querySelector(`.opblock-summary-${part}`)?.textContent)
          .join(" ")
          // The page inserts zero-width spaces as line break opportunities.
          .replaceAll("\u200B", ""),
      ),
    );
    const webhooks = Object.keys(document.webhooks ?? {}).map((type) => `POST ${type}`);
    const { operations } = createDocumentChecks(document);
    expect(shown.toSorted()).toEqual([...operations, ...webhooks].toSorted());
    expect(await page.title()).toBe("Atelier API reference");
  });

  it("sends a request with the entered key", { timeout: 120_000 }, async () => {
    await page.getByRole("button", { name: "Authorize" }).first().click();
    const dialog = page.locator(".modal-ux");
    await dialog.locator("input").first().fill(account.key);
    await dialog.getByRole("button", { name: "Apply credentials" }).first().click();
    await dialog.getByRole("button", { name: "Close" }).last().click();

    const models = page.locator("#operations-Models_and_account-listModels");
    await models.locator(".opblock-summary-control").click();
    await models.getByRole("button", { name: "Execute" }).click();
    const answer = models.locator(".live-responses-table .response").first();
    await answer.locator(".response-col_status", { hasText: "200" }).waitFor();
    expect(await answer.textContent()).toContain("builtin-illustrator");
    expect(await models.locator(".request-url").textContent()).toContain(`${stack.url}/v1/models`);
  });

  it("makes no request to another server and logs no errors", { timeout: 120_000 }, async () => {
    await page.waitForLoadState("networkidle");
    expect({ elsewhere, complaints: errors }).toEqual({ elsewhere: [], complaints: [] });
  });
});
