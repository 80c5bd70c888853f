import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, newKey } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const badges = (page: Page) => page.getByText("TEST", { exact: true });

describe.skipIf(!hasBrowser)("the badge of test keys", () => {
  const open = useBrowser();

  it.each(looks)("marks their images and jobs: $name", async (look) => {
    const live = await newAccount();
    const account = await newKey(live, "test");
    const response = await callApi(account, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "an oak",
    });
    const { id } = (await response.json()) as { id: string };
    const studio = await open({ account, path: `/studio/?job=${id}`, ...look });
    const { page } = studio;
    await page.getByRole("definition").filter({ hasText: "TEST" }).waitFor();
    await page.getByRole("link", { name: /^TEST: an oak/ }).waitFor();
    await expectAccessible(studio);
    await page.goto(new URL("/studio/library", page.url()).href);
    await page.getByRole("list", { name: "Jobs" }).getByRole("link", { name: /TEST/ }).click();
    await page.getByRole("dialog").getByText("TEST", { exact: true }).waitFor();
    await expectAccessible(studio);
  });

  it("is not on those of live keys", async () => {
    const account = await newAccount();
    await callApi(account, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "an oak",
    });
    const { page } = await open({ account, path: "/studio/library" });
    await page.getByRole("link", { name: /an oak/ }).click();
    await page.getByRole("dialog").getByText("an oak").first().waitFor();
    await expect.poll(() => badges(page).count()).toBe(0);
  });

  it("is on the keys themselves", async () => {
    const account = await newAccount();
    await newKey(account, "test");
    const { page } = await open({ account, path: "/studio/keys" });
    await page.getByRole("heading", { name: /^another TEST/ }).waitFor();
    await expect.poll(() => badges(page).count()).toBe(1);
  });
});
