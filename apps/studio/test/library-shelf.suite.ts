import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const prompts = ["a red boat", "a green boat", "a blue boat"];

describe.skipIf(!hasBrowser)("stars, titles and collections of the library", () => {
  const open = useBrowser();
  let account: TestAccount;

  beforeAll(async () => {
    account = await newAccount();
    for (const prompt of prompts) {
      const response = await callApi(account, "POST", "/v1/generate/image", {
        model: "builtin-pattern",
        prompt,
      });
      if (response.status !== 200) throw new Error(`the image was not made: ${response.status}`);
    }
  });

  const openLibrary = (options: Parameters<typeof open>[0] = {}) =>
    open({ account, path: "/studio/library", ...options });
  const jobs = (page: Page) => page.getByRole("list", { name: "Jobs" });
  const tiles = (page: Page) => jobs(page).getByRole("link");
  const tile = (page: Page, name: string) => jobs(page).getByRole("link", { name });
  const shelf = (page: Page) => page.getByRole("group", { name: "Stars and collections" });
  const starredChip = (page: Page) => shelf(page).getByRole("button", { name: "Starred" });
  async function listed(query: string): Promise<string[]> {
    const response = await callApi(account, "GET", `/v1/jobs?${query}`);
    const list = (await response.json()) as { jobs: { title: string | null; prompt: string }[] };
    return list.jobs.map(({ title, prompt }) => title ?? prompt);
  }

  it("stars a job from its tile with the keyboard, lists starred jobs, and removes the star", async () => {
    const { page } = await openLibrary();
    await tile(page, "a green boat").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const star = page.getByRole("button", { name: "Star: a green boat" });
    await expect.poll(() => star.getAttribute("aria-pressed")).toBe("true");
    expect(await listed("starred=true")).toEqual(["a green boat"]);
    await starredChip(page).click();
    await expect.poll(() => tiles(page).count()).toBe(1);
    await page.reload();
    await expect.poll(() => tiles(page).count()).toBe(1);
    await starredChip(page).click();
    await expect.poll(() => tiles(page).count()).toBe(3);
    const other = page.getByRole("button", { name: "Star: a blue boat" });
    await other.click();
    await expect.poll(() => other.getAttribute("aria-pressed")).toBe("true");
    await starredChip(page).click();
    await expect.poll(() => tiles(page).count()).toBe(2);
    await other.click();
    await expect.poll(() => tiles(page).count()).toBe(1);
    await star.click();
    await page.getByText("Nothing is starred yet").waitFor();
    expect(await listed("starred=true")).toEqual([]);
  });

  it("shows and finds a job by the title that it is given, and by its prompt again", async () => {
    const { page } = await openLibrary();
    await tile(page, "a red boat").click();
    const dialog = page.getByRole("dialog").first();
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Cover of May");
    await page.keyboard.press("Enter");
    await dialog.getByText("Cover of May").waitFor();
    await dialog.getByText("a red boat", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await tile(page, "Cover of May").waitFor();
    await page.getByLabel("Search").fill("cover");
    await expect.poll(() => tiles(page).count()).toBe(1);
    await page.getByLabel("Search").fill("");
    await tile(page, "Cover of May").click();
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Title", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.keyboard.press("Escape");
    await tile(page, "a red boat").waitFor();
  });

  it("adds a picture to a new collection from its menu, renames it and deletes it", async () => {
    const { page } = await openLibrary();
    await tile(page, "a blue boat").hover();
    await page.getByRole("button", { name: "Actions: a blue boat" }).click();
    await page.getByRole("menuitem", { name: "Add to a collection" }).click();
    const dialog = page.getByRole("dialog", { name: "Add to a collection" });
    await dialog.getByLabel("New collection").fill("Boats");
    await page.keyboard.press("Enter");
    await page.getByText("Added to “Boats”.").waitFor();
    await shelf(page).getByLabel("Collection").selectOption({ label: "Boats (1)" });
    await expect.poll(() => tiles(page).count()).toBe(1);
    await page.getByRole("button", { name: "Rename collection" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ships");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => shelf(page).getByLabel("Collection").locator("option:checked").textContent())
      .toBe("Ships (1)");
    await tile(page, "a blue boat").hover();
    await page.getByRole("button", { name: "Actions: a blue boat" }).click();
    await page.getByRole("menuitem", { name: "Remove from “Ships”" }).click();
    await page.getByText("This collection is empty").waitFor();
    await page.getByRole("button", { name: "Delete collection" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete collection" }).click();
    await expect.poll(() => tiles(page).count()).toBe(3);
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  it("lists images that are similar to one from its menu, with the keyboard, until the filter is removed", async () => {
    const owner = await newAccount();
    const make = async (body: object) => {
      const made = await callApi(owner, "POST", "/v1/generate/image", {
        model: "builtin-illustrator",
        ...body,
      });
      expect(made.status).toBe(200);
    };
    await make({ prompt: "an oak", seed: 5 });
    await make({ prompt: "an oak", seed: 5, image_size: "2K" });
    await make({ prompt: "a busy street with shops", seed: 5 });
    const studio = await open({ account: owner, path: "/studio/library", locale: "de-DE" });
    const { page } = studio;
    const links = page.getByRole("list", { name: "Aufträge" }).getByRole("link");
    await expect.poll(() => links.count()).toBe(3);
    await page.getByRole("button", { name: "Aktionen: an oak" }).first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Ähnliche Bilder" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => links.count()).toBe(2);
    const chip = page.getByRole("button", { name: "Ähnliche Bilder: diesen Filter entfernen" });
    await expect
      .poll(() => chip.locator("img").evaluate((one: HTMLImageElement) => one.naturalWidth))
      .toBeGreaterThan(0);
    await expectAccessible(studio);
    await chip.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => links.count()).toBe(3);
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
      .toBe("Mit Stern");

    studio.allow(/404/);
    await page.goto(page.url() + `?similar_to=${"0".repeat(64)}`);
    await page.getByText("Das Bild zum Vergleichen ist nicht bekannt").waitFor();
    await expectAccessible(studio);
    await page.getByRole("button", { name: "Filter zurücksetzen" }).last().click();
    await expect.poll(() => links.count()).toBe(3);
  });

  it("stars, adds and removes several jobs that are selected with the keyboard", async () => {
    const { page } = await openLibrary();
    await page.getByRole("button", { name: "New collection" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Fleet");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("This collection is empty").waitFor();
    await shelf(page).getByLabel("Collection").selectOption("All collections");
    await shelf(page).getByRole("button", { name: "Select" }).click();
    const checks = jobs(page).getByRole("checkbox");
    await checks.first().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.getByText("2 selected").waitFor();
    const bar = page.getByRole("group", { name: "Selected jobs" });
    await bar.getByRole("button", { name: "Add to a collection" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /Fleet/ }).click();
    await page.getByText("2 jobs added to “Fleet”.").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent.trim());
    await expect.poll(focused).toBe("Select");

    await shelf(page).getByLabel("Collection").selectOption({ label: "Fleet (2)" });
    await expect.poll(() => tiles(page).count()).toBe(2);
    await shelf(page).getByRole("button", { name: "Select" }).click();
    await checks.first().click();
    await bar.getByRole("button", { name: "Remove from “Fleet”" }).click();
    await expect.poll(() => tiles(page).count()).toBe(1);
    await shelf(page).getByLabel("Collection").selectOption("All collections");
    await shelf(page).getByRole("button", { name: "Select" }).click();
    await expect.poll(() => checks.count()).toBe(3);
    for (const check of await checks.all()) await check.click();
    await bar.getByRole("button", { name: "Star" }).click();
    await page.getByText("3 jobs starred.").waitFor();
    expect(await listed("starred=true")).toHaveLength(3);
  });

  it.each(looks)("are accessible: $name", async (look) => {
    const studio = await openLibrary(look);
    const { page } = studio;
    await tiles(page).first().waitFor();
    await page.getByRole("button", { name: "Select" }).click();
    await jobs(page).getByRole("checkbox").first().click();
    await expectAccessible(studio);
    await takePicture(studio, `library-selection-${look.name}`, { isStreaming: true });
    await page.getByRole("button", { name: "Add to a collection" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /Fleet/ }).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
  });
});
