import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { useBrowser } from "./support/browser.ts";
import { loseResponse } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

const promptField = (page: Page) => page.getByLabel("Prompt", { exact: true });
const madeImage = (page: Page) => page.getByRole("button", { name: /^Show in full size/ });

/** Counts the requests for images. */
function countOrders(page: Page): () => number {
  let orders = 0;
  page.on("request", (request) => {
    if (request.url().includes("/v1/generate/")) orders += 1;
  });
  return () => orders;
}

async function listJobs(account: TestAccount): Promise<readonly object[]> {
  const { jobs } = (await (await callApi(account, "GET", "/v1/jobs")).json()) as { jobs: object[] };
  return jobs;
}

describe.skipIf(!hasBrowser)("an order of the Create page", () => {
  const open = useBrowser();

  it("is made and charged once when its response is lost, also after a reload", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    studio.allow(/ERR_FAILED/);
    const { page } = studio;
    await loseResponse(page);
    await promptField(page).fill("a lighthouse at dusk");
    await page.keyboard.press("Control+Enter");
    await page.getByText("does not make another one").waitFor();
    await page.reload();
    await page.getByRole("button", { name: /^Generate image.*€0.01/ }).click();
    await madeImage(page).waitFor();
    await page.getByText("€9.99").first().waitFor();
    expect(await listJobs(account)).toHaveLength(1);
  });

  it("is not sent by Enter in a field, nor from a dialog", async () => {
    const { page } = await open();
    const orders = countOrders(page);
    await promptField(page).fill("a lighthouse at dusk");
    await page.getByLabel("Seed").fill("5");
    await page.getByLabel("Seed").press("Enter");
    await page.getByRole("radio", { name: "16:9" }).press("Enter");
    await page.getByRole("button", { name: "Code" }).click();
    await page.getByRole("dialog").locator("pre").press("Control+Enter");
    await page.keyboard.press("Escape");
    await page.getByLabel("Seed").press("Control+Enter");
    await madeImage(page).waitFor();
    expect(orders()).toBe(1);
  });

  it("works over plain HTTP on another host, where browsers have no clipboard", async () => {
    const { page, context } = await open();
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, "isSecureContext", { value: false });
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      Object.defineProperty(crypto, "randomUUID", { value: undefined });
    });
    await page.reload();
    await promptField(page).fill("a lighthouse at dusk");
    await page.keyboard.press("Control+Enter");
    await madeImage(page).waitFor();
    await page.getByRole("button", { name: "Copy URL" }).click();
    await page.getByText("Copied").waitFor();
    await promptField(page).fill("");
    await page.keyboard.press("Control+V");
    await expect.poll(() => promptField(page).inputValue()).toMatch(/^http.*\.png/);
  });
});
