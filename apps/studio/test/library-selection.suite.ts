import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { texts as german } from "../src/languages/de/texts/library.ts";
import { texts as english } from "../src/texts/library.ts";
import { callApi, newAccount, openDatabase, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { countClicks } from "./support/clicks.ts";
import { download } from "./support/downloads.ts";
import { accountWithImages } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

const languages = [
  { name: "English", locale: "en-IE", texts: english.library },
  { name: "German", locale: "de-DE", texts: german.library },
];

const path = "/studio/library";

const bar = (page: Page) => page.getByRole("group", { name: "Selected jobs" });

async function selectByKeyboard(page: Page, count: number): Promise<void> {
  await page.getByRole("list", { name: "Jobs" }).getByRole("link").first().focus();
  await page.keyboard.press("Control+a");
  await page.getByText(`${count} selected`).waitFor();
}

describe.skipIf(!hasBrowser)("the selection of the library", () => {
  const open = useBrowser();

  it.each(languages)(
    "downloads and deletes 200 images in at most 6 clicks, in $name",
    async ({ locale, texts }) => {
      const account = await accountWithImages(200);
      const studio = await open({ account, locale, path });
      const { page } = studio;
      await page.getByText(texts.shown(60, "60", true)).waitFor();
      const clicks = await countClicks(studio);
      const press = (name: string | RegExp) =>
        page.getByRole("button", { name, exact: true }).click();
      await press(texts.select);
      await press(texts.selectAll);
      await page.getByText(texts.selected(200)).waitFor();
      await press(texts.download);
      const { name, bytes } = await download(page, () =>
        page.getByRole("menuitem", { name: texts.zipAs("WEBP") }).click(),
      );
      expect(name).toBe("atelier-images.zip");
      const files = Object.keys(unzipSync(bytes));
      expect(files).toHaveLength(200);
      expect(files[0]).toBe("001-a-lighthouse-at-dusk.webp");
      await press(texts.deleteSelected);
      await press(texts.deleteImages(200));
      await page.getByText(texts.deletedJobs(200)).waitFor({ timeout: 90_000 });
      expect(await countImages(account)).toBe(0);
      expect(clicks()).toBeLessThanOrEqual(6);
    },
  );

  it("keeps what the user changes while the rest of the list is read", async () => {
    const account = await accountWithImages(70);
    const { page } = await open({ account, path });
    const selectAll = () => page.getByRole("button", { name: "Select all" }).click();
    const check = page.getByRole("list", { name: "Jobs" }).getByRole("checkbox").first();
    await page.getByRole("button", { name: "Select", exact: true }).click();

    let release = await holdPages(page);
    await selectAll();
    await page.getByText("60 selected").waitFor();
    await check.click();
    await page.getByText("59 selected").waitFor();
    release();
    await page.getByText("69 selected").waitFor();
    await expect.poll(() => check.getAttribute("aria-checked")).toBe("false");

    await page.reload();
    await page.getByRole("button", { name: "Select", exact: true }).click();
    release = await holdPages(page);
    await selectAll();
    await page.getByText("60 selected").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    release();
    await page.getByText(english.library.shown(70, "70", false)).waitFor();
    await expect.poll(() => page.getByRole("group", { name: "Selected jobs" }).count()).toBe(0);
  });

  it("keeps what it stars for accounts that want it, and releases that with the undo", async () => {
    const account = await accountWithImages(2);
    await callApi(account, "PATCH", "/v1/account", { keep_starred: true });
    const { page } = await open({ account, path });
    const emptyQuota = page.getByText("Kept: 0 kB of");
    await emptyQuota.waitFor();
    await selectByKeyboard(page, 2);
    await bar(page).getByRole("button", { name: "Star" }).click();
    await page.getByText("2 jobs starred.").waitFor();
    await emptyQuota.waitFor({ state: "detached" });
    expect(await countKept(account)).toBe(2);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => countJobs(account, "starred=true")).toBe(0);
    expect(await countKept(account)).toBe(0);
    await emptyQuota.waitFor();

    await openDatabase().query("UPDATE account SET kept_bytes = 1000000000 WHERE id = $1", [
      account.accountId,
    ]);
    await selectByKeyboard(page, 2);
    await bar(page).getByRole("button", { name: "Star" }).click();
    await page
      .getByText("2 jobs starred. The quota for kept images has no room for 2 of them.")
      .waitFor();
  });

  it("sends no request of an account that has signed out, and says nothing about it", async () => {
    const account = await accountWithImages(2);
    const { page } = await open({ account, path });
    const { promise, resolve } = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route(/\/v1\/jobs\/[\w-]+$/, async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback();
      sent.push(route.request().url());
      const response = await route.fetch();
      await promise;
      return route.fulfill({ response });
    });
    await selectByKeyboard(page, 2);
    await bar(page).getByRole("button", { name: "Star" }).click();
    await expect.poll(() => countJobs(account, "starred=true")).toBe(1);
    await expect
      .poll(() => bar(page).getByRole("button", { name: "Done" }).isDisabled())
      .toBe(true);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").fill((await newAccount("3")).key);
    await page.keyboard.press("Enter");
    await page.getByText("€3.00").first().waitFor();
    const answered = page.waitForResponse((response) => response.url() === sent[0]);
    resolve();
    await answered;
    await page.reload();
    await page.getByText("€3.00").first().waitFor();
    expect(sent).toHaveLength(1);
    await expect.poll(() => page.getByText("starred.").count()).toBe(0);
  });

  describe("of three jobs", () => {
    let account: TestAccount;
    beforeAll(async () => {
      account = await accountWithImages(3);
    });
    const checks = (page: Page) => page.getByRole("list", { name: "Jobs" }).getByRole("checkbox");
    const count = (query: string) => countJobs(account, query);
    const selectAll = (page: Page) => selectByKeyboard(page, 3);

    it("takes all, ranges and single jobs by keyboard and pointer", async () => {
      const { page } = await open({ account, path });
      await selectAll(page);
      await expect.poll(() => checks(page).count()).toBe(3);
      await page.keyboard.press("Escape");
      await bar(page).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Select", exact: true }).click();
      await checks(page).first().focus();
      await page.keyboard.press("Shift+ArrowRight");
      await page.getByText("2 selected").waitFor();
      await page.keyboard.press("Shift+ArrowRight");
      await page.getByText("3 selected").waitFor();
      await page.keyboard.press("Space");
      await page.getByText("2 selected").waitFor();
      await checks(page).nth(1).click();
      await page.getByText("1 selected").waitFor();
      await checks(page).nth(0).click();
      await page.getByText("0 selected").waitFor();
      await checks(page).nth(0).click();
      await checks(page)
        .nth(2)
        .click({ modifiers: ["Shift"] });
      await page.getByText("3 selected").waitFor();
    });

    it("keeps, stars and collects jobs, and undoes it within ten seconds", async () => {
      const { page } = await open({ account, path });
      const undo = page.getByRole("button", { name: "Undo" });
      await selectAll(page);
      await bar(page).getByRole("button", { name: "Star" }).click();
      await page.getByText("3 jobs starred.").waitFor();
      expect(await count("starred=true")).toBe(3);
      await undo.click();
      await page.getByText("Undone.").waitFor();
      await expect.poll(() => count("starred=true")).toBe(0);

      await selectAll(page);
      await bar(page).getByRole("button", { name: "Keep" }).click();
      await page.getByText("The images of 3 jobs are kept until you delete them.").waitFor();
      expect(await countKept(account)).toBe(3);
      await page.keyboard.press("Control+z");
      await expect.poll(() => countKept(account)).toBe(0);

      await selectAll(page);
      await bar(page).getByRole("button", { name: "Add to a collection" }).click();
      const dialog = page.getByRole("dialog", { name: "Add 3 jobs to a collection" });
      await dialog.getByLabel("New collection").fill("Boats");
      await page.keyboard.press("Enter");
      await page.getByText("3 jobs added to “Boats”.").waitFor();
      await undo.click();
      await page.getByLabel("Collection").locator("option", { hasText: "Boats (0)" }).waitFor({
        state: "attached",
      });
    });

    it("says in a sentence that more than 2 GB are too much for one ZIP", async () => {
      const large = await accountWithImages(3);
      await openDatabase().query(
        `UPDATE image SET size_bytes = 700000000 FROM render, generation
          WHERE render.id = render_id AND generation.id = generation_id AND format = 'png'
            AND account_id = $1`,
        [large.accountId],
      );
      const { page } = await open({ account: large, path });
      await selectAll(page);
      await bar(page).getByRole("button", { name: "Download" }).click();
      await page.getByRole("menuitem", { name: "ZIP of PNG 2,100 MB" }).click();
      await page.getByText("As PNG, these images have more than 2 GB").waitFor();
      expect(await countImages(large)).toBe(9);
    });

    it.each(looks)("is accessible: $name", async (look) => {
      const studio = await open({ account, path, ...look });
      const { page } = studio;
      await selectAll(page);
      await bar(page).getByRole("button", { name: "Download" }).click();
      await page.getByRole("menuitem", { name: "ZIP of PNG" }).waitFor();
      await expectAccessible(studio);
      await page.keyboard.press("Escape");
      await bar(page).getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete 3 images" }).waitFor();
      await expectAccessible(studio);
      await page.keyboard.press("Escape");
      await bar(page).getByRole("button", { name: "Star" }).click();
      await page.getByRole("button", { name: "Undo" }).waitFor();
      await expectAccessible(studio);
      await page.keyboard.press("Control+z");
      await page.getByText("Undone.").waitFor();
    });
  });
});

/** Holds the pages after the first one back until the returned function is called. */
async function holdPages(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/v1\/jobs\?.*cursor=/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

async function countImages({ accountId }: TestAccount): Promise<number> {
  const [row] = await openDatabase().query<{ images: number }>(
    `SELECT count(*)::int AS images FROM image JOIN render ON render.id = render_id
       JOIN generation ON generation.id = generation_id
      WHERE account_id = $1 AND deleted_at IS NULL`,
    [accountId],
  );
  return row?.images ?? -1;
}

async function countJobs(account: TestAccount, query: string): Promise<number> {
  const response = await callApi(account, "GET", `/v1/jobs?${query}`);
  return ((await response.json()) as { jobs: unknown[] }).jobs.length;
}

async function countKept(account: TestAccount): Promise<number> {
  const response = await callApi(account, "GET", "/v1/kept");
  return ((await response.json()) as { kept: unknown[] }).kept.length;
}
