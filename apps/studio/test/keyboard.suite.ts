import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("the keyboard alone", () => {
  const open = useBrowser();

  it("makes an image, finds it in the library and copies its hash", async () => {
    const { page } = await open();
    const prompt = "a lighthouse at dusk";
    await tabTo(page, /^Skip to content/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Prompt/, { most: 4 });
    await page.keyboard.type(prompt);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: `Show in full size: ${prompt}` }).waitFor();
    // The next prompt can be typed at once.
    await expect.poll(() => focusedName(page)).toMatch(/^Prompt/);

    await tabTo(page, /^Show in full size/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Image" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => focusedName(page)).toMatch(/^Show in full size/);

    await tabTo(page, /^Library/, { key: "Shift+Tab" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.getByRole("link", { name: prompt }).waitFor();
    await tabTo(page, /^a lighthouse at dusk/);
    await page.keyboard.press("Enter");
    const details = page.getByRole("dialog");
    await details.getByRole("button", { name: "Copy the SHA-256 of the PNG" }).waitFor();
    await tabTo(page, /^Copy the SHA-256 of the PNG/);
    await page.keyboard.press("Enter");
    // What is outside of the open dialog is neither seen nor read out.
    await details.getByRole("status").getByText("Copied", { exact: true }).waitFor();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^[0-9a-f]{64}$/);
    await page.keyboard.press("Escape");
    await expect.poll(() => focusedName(page)).toMatch(/^a lighthouse at dusk/);
  });

  it("reaches each page at its top", async () => {
    const { page } = await open({
      path: "/studio/skills",
      viewport: { width: 1_440, height: 500 },
    });
    await page.getByRole("heading", { name: "Skills", level: 1 }).waitFor();
    // The page becomes longer when its list is read.
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        return page.evaluate(() => scrollY);
      })
      .toBeGreaterThan(200);
    await tabTo(page, /^Account/, { key: "Shift+Tab" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect.poll(() => page.title()).toMatch(/^Account/);
  });
});

/** Presses Tab until an element with that name has the focus. */
async function tabTo(page: Page, name: RegExp, { key = "Tab", most = 60 } = {}): Promise<void> {
  const passed: string[] = [];
  while (passed.length < most) {
    await page.keyboard.press(key);
    const focused = await focusedName(page);
    if (name.test(focused)) return;
    passed.push(focused);
  }
  expect(passed).toContain(name);
}

/** The name of the element that has the focus, or the text of its label. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const label = focused?.id === "" ? null : document.querySelector(`[for="${focused?.id}"]`);
    return focused?.getAttribute("aria-label") ?? label?.textContent ?? focused?.textContent ?? "";
  });
}
