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

/** The buttons, links, choices and handles that a message covers. */
function coveredActions({ page }: Pick<Studio, "page">, shownText: string): Promise<string[]> {
  return page.evaluate((text) => {
    const shown = [...document.querySelectorAll("[role=status] span")]
      .find((one) => one.textContent.includes(text))
      ?.getBoundingClientRect();
    if (shown === undefined) return ["no message"];
    return [
      ...document.querySelectorAll("button, a[href], summary, label:has(input), [role=slider]"),
    ]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const apart =
          box.right <= shown.left ||
          box.left >= shown.right ||
          box.bottom <= shown.top ||
          box.top >= shown.bottom;
        return box.width > 0 && !apart;
      })
      .map((one) => one.textContent || (one.getAttribute("aria-label") ?? one.outerHTML));
  }, shownText);
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
      expect(await coveredActions(studio, message)).toEqual([]);
      await expectAccessible(studio);
    }
  });

  it("shows messages on a phone where they cover no tool and no handle of Create", async () => {
    const account = await newAccount();
    const made = await callApi(account, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "a boat on a lake",
    });
    const { id } = (await made.json()) as { id: string };
    for (const [tool, text] of [
      ["Extend", "The image is in the form."],
      ["Edit", "Describe the change, and choose the area if only a part may change."],
    ] as const) {
      const studio = await open({ account, viewport: narrow, path: `/studio/?job=${id}` });
      const { page } = studio;
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: tool, exact: true }).click();
      await page.getByRole("status").getByText(text).waitFor();
      if (tool === "Extend") await page.getByRole("slider").first().waitFor();
      await expect.poll(() => coveredActions(studio, text)).toEqual([]);
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
      await expect.poll(() => page.getByText("Loading Studio…").count()).toBe(0);
    }
  });
});
