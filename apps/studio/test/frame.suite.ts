import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, useBrowser, type Studio } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const wide = { width: 1440, height: 900 };

const message = "Exported, but some texts are empty";

/** Exports an empty story, which shows a long message. */
async function provokeMessage(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText(message).waitFor();
}

/** The buttons and links that the message covers. */
function coveredActions({ page }: Pick<Studio, "page">): Promise<string[]> {
  return page.evaluate((text) => {
    const shown = [...document.querySelectorAll("[role=status] span")]
      .find((one) => one.textContent.includes(text))
      ?.getBoundingClientRect();
    if (shown === undefined) return ["no message"];
    return [...document.querySelectorAll("button, a[href]")]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const apart =
          box.right <= shown.left ||
          box.left >= shown.right ||
          box.bottom <= shown.top ||
          box.top >= shown.bottom;
        return box.width > 0 && !apart;
      })
      .map((one) => one.textContent);
  }, message);
}

describe.skipIf(!hasBrowser)("the frame of the pages", () => {
  const open = useBrowser();

  it("has the headings of all pages at the same left edge and in the same size", async () => {
    const account = await newAccount();
    const generated = await callApi(account, "POST", "/v1/generate/story", {
      model: "builtin-illustrator",
      characters: [{ name: "Mira", description: "a girl with a yellow coat" }],
      scenes: [{ prompt: "Mira flies a kite" }, { prompt: "Mira climbs a tree" }],
    });
    const { job_id: id } = (await generated.json()) as { job_id: string };
    const paths = ["", "stories", "stories/new", `stories/${id}`, `stories/${id}/sheet`, "library"];
    const others = ["usage", "keys", "webhooks", "skills", "account", "verify"];
    for (const viewport of [wide, narrow, { width: 2560, height: 1300 }]) {
      const { page } = await open({ account, viewport });
      const found = new Set<string>();
      for (const path of [...paths, ...others]) {
        await page.goto(new URL(`/studio/${path}`, page.url()).href);
        const heading = page.locator("h1").first();
        await heading.waitFor();
        await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
        const place = await page.evaluate(() => {
          const element = document.querySelector("h1");
          return element === null
            ? null
            : `${element.getBoundingClientRect().x} ${getComputedStyle(element).fontSize}`;
        });
        found.add(String(place));
      }
      expect([...found]).toHaveLength(1);
    }
  });

  it("shows messages where they cover no button and no link", async () => {
    for (const viewport of [wide, narrow]) {
      const studio = await open({ viewport, path: "/studio/stories/new" });
      await studio.page.getByRole("button", { name: "Generate story" }).waitFor();
      await provokeMessage(studio.page);
      expect(await coveredActions(studio)).toEqual([]);
      await expectAccessible(studio);
    }
  });

  it("says that Studio is loading before scripts and styles have arrived", async () => {
    for (const { colorScheme, viewport } of looks.slice(1, 3)) {
      const { page: first, context } = await open({ colorScheme, viewport });
      const page = await context.newPage();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route("**/studio/assets/**", async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(first.url(), { waitUntil: "commit" });
      await page.getByText("Loading Studio…").waitFor();
      // It is not only in the document but has been painted.
      await expect
        .poll(() => page.evaluate(() => performance.getEntriesByType("paint").length))
        .toBeGreaterThan(0);
      release();
      await page.getByRole("heading", { name: "Create an image" }).waitFor();
      expect(await page.getByText("Loading Studio…").count()).toBe(0);
    }
  });
});
