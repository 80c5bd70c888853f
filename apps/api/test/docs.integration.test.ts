import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromiumArguments } from "@atelier/test-services";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createDocumentChecks } from "./support/openapi-checks.ts";

const screenshotPath = fileURLToPath(
  new URL("../../../docs/images/api-reference.png", import.meta.url),
);

const execute = promisify(execFile);
const guide = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8");
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

describe("GET /docs", () => {
  it("is a page whose parts all come from this server", async () => {
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

  it("lets scripts and connections go to this server only", async () => {
    const { headers } = await fetch(`${stack.url}/docs`);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy.split(";")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  it("is found with a slash at its end, and has nothing else below it", async () => {
    const response = await fetch(`${stack.url}/docs/`);
    expect([response.status, response.url]).toEqual([200, `${stack.url}/docs`]);
    expect((await fetch(`${stack.url}/docs/index.html`)).status).toBe(404);
  });
});

/** The examples of the guide in a language. */
function examplesIn(language: string): string[] {
  const blocks = guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"));
  return [...blocks].map(([, code = ""]) => code);
}

/** What an example prints. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(command, args, {
    // Where the packages of the examples are.
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { PATH: process.env["PATH"], ATELIER_URL: stack.url, ATELIER_API_KEY: account.key },
  });
  return stdout;
}

describe("the examples of docs/api.md", () => {
  it.skipIf(!hasCurl)("work in a shell", { timeout: 120_000 }, async () => {
    const [models, image, story, jobs] = await Array.fromAsync(examplesIn("sh"), async (code) =>
      JSON.parse(await run("sh", ["-eu", "-c", code])),
    );
    expect(models.models[0].id).toBe("builtin-illustrator");
    expect(image).toMatchObject({ ai_generated: true, cost_eur: "0.01" });
    expect(story).toMatchObject({ status: "pending" });
    expect(jobs.jobs).toMatchObject([{ id: story.job_id, scenes_total: 2 }]);
  });

  it("work with OpenAI's client library", { timeout: 120_000 }, async () => {
    const codes = examplesIn("js");
    expect(codes).toHaveLength(1);
    const url = await run(process.execPath, ["--input-type=module", "--eval", codes[0] ?? ""]);
    expect((await fetch(url.trim())).headers.get("Content-Type")).toBe("image/png");
  });
});

describe.skipIf(inject("chromium") === null)("the reference page in a browser", () => {
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  /** What the page asked for elsewhere, and what it complained about. */
  const elsewhere: string[] = [];
  const complaints: string[] = [];

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
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
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

  it("shows every operation of the document", { timeout: 120_000 }, async () => {
    const document = await (await fetch(`${stack.url}/openapi.json`)).json();
    const shown = await page.locator(".opblock").evaluateAll((blocks) =>
      blocks.map((block) =>
        ["method", "path"]
          .map((part) => block.querySelector(`.opblock-summary-${part}`)?.textContent)
          .join(" ")
          // The page writes them with places to break a line.
          .replaceAll("\u200B", ""),
      ),
    );
    expect(shown.toSorted()).toEqual(createDocumentChecks(document as never).operations.toSorted());
    expect(await page.title()).toBe("Atelier API reference");
  });

  it("tries an operation with the key that is typed in", { timeout: 120_000 }, async () => {
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

  it(
    "asks no other server for anything, and complains of nothing",
    { timeout: 120_000 },
    async () => {
      await page.waitForLoadState("networkidle");
      expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
    },
  );
});
