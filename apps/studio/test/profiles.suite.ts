import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const [wideLight, , , narrowDark] = looks;

/** Traces that a test may leave in a profile. */
const tracesIn = (page: Page) =>
  page.evaluate(() => ({
    stored: [localStorage.getItem("trace"), sessionStorage.getItem("trace")],
    script: "trace" in globalThis,
    width: innerWidth,
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    isPrinted: matchMedia("print").matches,
    isOnline: navigator.onLine,
    hovered: document.querySelectorAll("main :hover").length,
  }));

describe.skipIf(!hasBrowser)("the page of a test", () => {
  const open = useBrowser();
  let requests = 0;

  it("is left changed by one test", async () => {
    const { page, context } = await open();
    page.on("request", () => (requests += 1));
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    await page.evaluate(() => {
      localStorage.setItem("trace", "1");
      sessionStorage.setItem("trace", "1");
    });
    await page.route("**/studio/", (route) => route.abort());
    await context.route("**/v1/models", (route) => route.abort());
    await page.getByLabel("Prompt", { exact: true }).hover();
    await page.setViewportSize({ width: 800, height: 600 });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await context.newPage();
    await context.setOffline(true);
    expect(await tracesIn(page)).toMatchObject({
      stored: ["1", "1"],
      width: 800,
      isDark: true,
      isPrinted: true,
      isOnline: false,
    });
  });

  it("has nothing of it in the next test", async () => {
    const seen = requests;
    const { page, context } = await open({ account: null });
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    expect(requests).toBe(seen);
    expect(context.pages()).toEqual([page]);
    expect(await context.cookies()).toEqual([]);
    expect(await tracesIn(page)).toEqual({
      stored: [null, null],
      script: false,
      width: wideLight.viewport.width,
      isDark: false,
      isPrinted: false,
      isOnline: true,
      hovered: 0,
    });
  });

  it("is not used again with a script that one test added", async () => {
    const { page, context } = await open();
    await context.addInitScript(() => Object.assign(globalThis, { trace: true }));
    await page.reload();
    expect(await tracesIn(page)).toMatchObject({ script: true });
  });

  it("has no such script in the next test, nor what was typed into its form", async () => {
    const { page } = await open();
    expect(await tracesIn(page)).toMatchObject({ script: false });
    const prompt = await page.getByLabel("Prompt", { exact: true }).inputValue();
    expect(prompt).toBe("");
  });
});

describe.skipIf(!hasBrowser)("the check of accessibility", () => {
  const open = useBrowser();

  it("refuses a button without a name in the first look", async () => {
    const studio = await open(wideLight);
    await studio.page.evaluate(() =>
      document.querySelector("main")?.append(document.createElement("button")),
    );
    await expect(expectAccessible(studio)).rejects.toThrow("button-name");
  });

  it.each([wideLight, narrowDark])("refuses text without contrast: $name", async (look) => {
    const studio = await open(look);
    await studio.page.evaluate(() => {
      const text = document.createElement("p");
      text.textContent = "A text that nobody can read";
      text.style.cssText = "color: #777; background: #666";
      document.querySelector("main")?.prepend(text);
    });
    await expect(expectAccessible(studio)).rejects.toThrow("color-contrast");
  });
});
