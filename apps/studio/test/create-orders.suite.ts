import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useBrowser } from "./support/browser.ts";
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

describe.skipIf(!hasBrowser)("an order of the Create page", () => {
  const open = useBrowser();

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
    await page.getByText("Copied", { exact: true }).waitFor();
    await promptField(page).fill("");
    await page.keyboard.press("Control+V");
    await expect.poll(() => promptField(page).inputValue()).toMatch(/^http.*\.png/);
  });
});
