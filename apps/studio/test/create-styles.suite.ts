import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const words = "ink drawing, fine hatching, cream paper";

describe.skipIf(!hasBrowser)("styles", () => {
  const open = useBrowser();
  const prompt = (page: Page) => page.getByLabel("Prompt", { exact: true });
  const style = (page: Page) => page.getByRole("button", { name: "Choose a style", exact: true });
  const choice = (page: Page, name: RegExp) =>
    page.getByRole("dialog").getByRole("button", { name });
  const remove = (page: Page, name: string) =>
    page.getByRole("button", { name: `Style “${name}”: remove its words` });
  const pictures = (page: Page) =>
    page.evaluate(
      () =>
        performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".webp"))
          .length,
    );

  it("add their words to the prompt that is sent, one at a time, and are removed with one key", async () => {
    const account = await newAccount();
    const { page } = await open({ account });
    await prompt(page).fill("A fox on a hill.");
    expect(await pictures(page)).toBe(0);
    await style(page).focus();
    await page.keyboard.press("Enter");
    await choice(page, /^Neon night/).click();
    await remove(page, "Neon night").waitFor();
    await style(page).click();
    await choice(page, /^Ink drawing/).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => prompt(page).inputValue()).toBe(`A fox on a hill. ${words}`);
    await expect.poll(() => remove(page, "Neon night").count()).toBe(0);

    await page.reload();
    await remove(page, "Ink drawing").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => prompt(page).inputValue()).toBe("A fox on a hill.");
    await expect
      .poll(() => style(page).evaluate((button) => button === document.activeElement))
      .toBe(true);

    await style(page).click();
    await choice(page, /^Ink drawing/).click();
    await prompt(page).press("Control+Enter");
    await page.getByRole("button", { name: "More actions" }).waitFor();
    const listed = await callApi(account, "GET", "/v1/jobs");
    const { jobs } = (await listed.json()) as { jobs: { prompt: string }[] };
    expect(jobs.map((job) => job.prompt)).toEqual([`A fox on a hill. ${words}`]);

    await style(page).click();
    await expect.poll(() => choice(page, /^Ink drawing/).getAttribute("aria-pressed")).toBe("true");
    await choice(page, /^Ink drawing/).click();
    await expect.poll(() => prompt(page).inputValue()).toBe("A fox on a hill.");
  });

  it("are saved from the menu of a picture, and deleted, while the presets do not show them", async () => {
    const account = await newAccount();
    const made = await callApi(account, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "a castle in thick oil paint",
    });
    expect(made.status).toBe(200);
    const studio = await open({ account, path: "/studio/library" });
    const { page } = studio;
    await page.getByRole("button", { name: /^Actions: a castle/ }).click();
    await page.getByRole("menuitem", { name: "Save as style" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Oil");
    const field = page.getByLabel("Words that the style adds to a prompt");
    await expect.poll(() => field.inputValue()).toBe("a castle in thick oil paint");
    await field.fill("thick oil paint");
    await expectAccessible(studio);
    await page.getByRole("button", { name: "Save style" }).click();
    await page.getByText("The style “Oil” is saved.").waitFor();
    const { presets } = (await (await callApi(account, "GET", "/v1/presets")).json()) as {
      presets: { picture: string }[];
    };
    expect(presets[0]?.picture.length).toBeLessThanOrEqual(10_924);

    await page.goto(new URL("/studio/", page.url()).href);
    await prompt(page).fill("a dog");
    await style(page).click();
    const image = choice(page, /^Oil/).locator("img");
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(160);
    await choice(page, /^Oil/).scrollIntoViewIfNeeded();
    await choice(page, /^Oil/).click();
    await expect.poll(() => prompt(page).inputValue()).toBe("a dog, thick oil paint");
    await page.getByRole("button", { name: "Presets" }).click();
    await page.getByText("There are no presets yet.").waitFor();
    await page.keyboard.press("Escape");

    await style(page).click();
    await page.getByRole("button", { name: "Delete the style Oil" }).click();
    await page.getByRole("button", { name: "Delete style", exact: true }).click();
    await page.getByText("Choose “Save as style”").waitFor();
  });

  it("are offered for the style of a story", async () => {
    const { page } = await open({ path: "/studio/stories/new" });
    await style(page).click();
    await choice(page, /^Ink drawing/).click();
    const field = page.getByRole("textbox", { name: /^Style/ });
    await expect.poll(() => field.inputValue()).toBe(words);
    await remove(page, "Ink drawing").click();
    await expect.poll(() => field.inputValue()).toBe("");
  });

  it.each(looks)("are accessible, with pictures that are loaded late: $name", async (look) => {
    const studio = await open(look);
    const { page } = studio;
    await prompt(page).fill("a lighthouse");
    await style(page).click();
    await choice(page, /^Storybook/).waitFor();
    await expect.poll(() => pictures(page)).toBeGreaterThan(0);
    await expectAccessible(studio);
  });

  it("have words and no pictures for other models, in German with the English words", async () => {
    const studio = await open({ locale: "de-DE" });
    const { page } = studio;
    await page.getByRole("combobox", { name: "Modell" }).selectOption("builtin-pattern");
    await page.getByRole("button", { name: "Stil wählen", exact: true }).click();
    await choice(page, /^Tuschezeichnung/).waitFor();
    await expect.poll(() => page.getByRole("dialog").locator("img").count()).toBe(0);
    await expect.poll(() => page.getByRole("dialog").locator("[lang=en]").count()).toBe(12);
    await expectAccessible(studio);
  });
});
