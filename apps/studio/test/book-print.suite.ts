import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { texts as german } from "../src/languages/de/texts/book.ts";
import { texts as english } from "../src/texts/book.ts";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { readPdf } from "./support/pdf.ts";
import { hasBrowser } from "./support/provided.ts";
import { pierStory } from "./support/stories.ts";

const story = {
  ...pierStory,
  scenes: [
    { prompt: "Mira walks along the pier", characters: ["Mira"], location: "Harbour" },
    { prompt: "Otto waves from a boat", characters: ["Otto"], location: "Harbour" },
  ],
};

interface Upscale {
  readonly image: object;
  readonly metadata: { readonly studio_scene: string };
}

interface ShownJob {
  readonly id: string;
  readonly operation: string;
  readonly status: string;
}

describe.skipIf(!hasBrowser)("the print of a book", () => {
  const open = useBrowser();
  let author: TestAccount;
  let storyId: string;

  async function makeStory(account: TestAccount): Promise<string> {
    const response = await callApi(account, "POST", "/v1/generate/story", story);
    const { job_id: id } = (await response.json()) as { job_id: string };
    // The stream of its events ends with the job.
    await (await callApi(account, "GET", `/v1/jobs/${id}/events`)).text();
    return id;
  }

  beforeAll(async () => {
    author = await newAccount();
    storyId = await makeStory(author);
  });

  const read = async <Body>(account: TestAccount, path: string) =>
    (await (await callApi(account, "GET", path)).json()) as Body;
  const jobsOf = async (account: TestAccount) =>
    (await read<{ jobs: readonly ShownJob[] }>(account, "/v1/jobs?limit=100")).jobs;
  const balance = async (account: TestAccount) =>
    Number((await read<{ balance_eur: string }>(account, "/v1/account")).balance_eur);

  const openBook = (options: Parameters<typeof open>[0] = {}) =>
    open({ account: author, path: `/studio/stories/${storyId}/pages`, ...options });

  /** A story of its own, whose pictures a test makes larger. */
  async function openOwnBook() {
    const account = await newAccount();
    const id = await makeStory(account);
    const studio = await openBook({ account, path: `/studio/stories/${id}/pages` });
    return { ...studio, account, id };
  }

  async function openDialog(page: Page, texts: typeof english | typeof german = english) {
    await page.getByRole("button", { name: texts.book.savePrint }).click();
    return page.getByRole("dialog", { name: texts.book.savePrint });
  }

  /** The lowest and the highest resolution that the dialog states. */
  async function statedPpi(page: Page): Promise<readonly number[]> {
    const line = page.getByRole("dialog").getByText(/\d+ ppi \(/);
    const text = (await line.textContent()) ?? "";
    return (text.match(/\d+(?= (?:ppi|to|bis))/g) ?? []).map(Number);
  }

  it.each([
    { locale: "en-IE", texts: english },
    { locale: "de-DE", texts: german },
  ])("says page size and resolution before it saves, for $locale", async ({ locale, texts }) => {
    const studio = await openBook({ locale });
    const { page } = studio;
    const dialog = await openDialog(page, texts);
    await dialog.getByText(texts.book.printPages(210, 210, 3)).waitFor();
    await dialog.getByText(texts.book.printVerdicts.low(200, 300)).waitFor();
    await dialog.getByText(texts.book.largerPictures).waitFor();
    await expectAccessible(studio);
    const [lowest, highest = lowest] = await statedPpi(page);
    const { bytes } = await download(page, () =>
      dialog.getByRole("button", { name: texts.book.printNow }).click(),
    );
    await dialog.waitFor({ state: "detached" });
    const pdf = await readPdf(bytes);
    expect(Math.min(...pdf.ppi.flat())).toBe(lowest);
    expect(pdf.ppi.flat()).toContain(highest);
    expect(pdf.boxes).toEqual(Array.from({ length: 4 }, () => ({ sheet: 216, trim: 3 })));
    expect(pdf.language).toBe(locale.slice(0, 2));
    expect(pdf).toMatchObject({
      outputIntent: "sRGB IEC61966-2.1",
      fonts: ["Literata-Regular"],
      embedded: 1,
    });
    expect(pdf.tags).toEqual([
      ["Figure: Mira walks along the pier", "H1"],
      ["Figure: Mira walks along the pier", "P"],
      ["Figure: Otto waves from a boat", "P"],
      ["P"],
    ]);
  });

  it("upscales the pictures at the price that it says, and then prints them", async () => {
    const { page, account, id } = await openOwnBook();
    const before = await balance(account);
    const dialog = await openDialog(page);
    const [small = 0] = await statedPpi(page);
    const { bytes } = await download(page, () =>
      dialog.getByRole("button", { name: "Upscale 2 pictures to 2K for €0.02" }).click(),
    );
    const pdf = await readPdf(bytes);
    expect(Math.min(...pdf.ppi.flat())).toBeGreaterThanOrEqual(2 * small);
    await expect.poll(async () => (before - (await balance(account))).toFixed(2)).toBe("0.02");
    const made = (await jobsOf(account)).filter(({ operation }) => operation === "upscale");
    const files = await Promise.all(
      made.map(async (job) => {
        const { result } = await read<{ result: { formats: { jpeg: { url: string } } } }>(
          account,
          `/v1/jobs/${job.id}`,
        );
        return Buffer.from(await (await fetch(result.formats.jpeg.url)).arrayBuffer());
      }),
    );
    expect(files.map((file) => bytes.includes(file))).toEqual([true, true]);

    await dialog.waitFor({ state: "detached" });
    const again = await openDialog(page);
    await again.getByText("That is sharp").waitFor();
    await expect.poll(() => again.getByRole("button", { name: /Upscale/ }).count()).toBe(0);

    // Over the pictures, they are printed larger: the dialog measures the upscaled ones.
    await page.keyboard.press("Escape");
    await page.getByLabel(english.book.layout).selectOption(english.book.layouts.over);
    await page.getByText(english.book.saveStates.saved).waitFor();
    await openDialog(page);
    const [lowest = 0, highest = lowest] = await statedPpi(page);
    expect(lowest).toBeGreaterThan(small);
    const over = await download(page, () =>
      page.getByRole("dialog").getByRole("button", { name: english.book.printNow }).click(),
    );
    const printed = (await readPdf(over.bytes)).ppi.flat();
    expect([Math.min(...printed), Math.max(...printed)]).toEqual([lowest, highest]);
    expect((await jobsOf(account)).length).toBe(3);

    // The scene is made again as it was drawn, not as it was upscaled.
    await page.goto(page.url().replace("/pages", ""));
    await page.getByRole("button", { name: "Make again: Scene 1", exact: true }).first().click();
    const form = page.getByRole("dialog");
    await expect
      .poll(() => form.getByLabel("What happens").inputValue())
      .toBe("Mira walks along the pier");
    expect(id).toBe(storyIdOf(page));
  });

  it("draws the pictures again in a larger size at the price that it says", async () => {
    const { page, account } = await openOwnBook();
    const dialog = await openDialog(page);
    const [small = 0] = await statedPpi(page);
    const { bytes } = await download(page, () =>
      dialog.getByRole("button", { name: "Draw 2 pictures again in 2K for €0.04" }).click(),
    );
    expect(Math.min(...(await readPdf(bytes)).ppi.flat())).toBeGreaterThanOrEqual(2 * small);
    const made = (await jobsOf(account)).filter(({ operation }) => operation === "scene");
    expect(made.map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  it("says which pictures stay small, and offers these again", async () => {
    const { page, account } = await openOwnBook();
    const dialog = await openDialog(page);
    // The second picture has no flat background that could be removed: this job fails.
    await page.route("**/v1/generate/upscale", async (route) => {
      const { image, metadata } = route.request().postDataJSON() as Upscale;
      if (metadata.studio_scene === "1") return route.continue();
      const response = await route.fetch({
        url: route.request().url().replace("upscale", "remove-background"),
        postData: { model: "builtin-cutout", image, metadata },
      });
      return route.fulfill({ response });
    });
    await dialog.getByRole("button", { name: "Upscale 2 pictures to 2K for €0.02" }).click();
    await dialog.getByText("The picture of scene 2 was not made larger").waitFor();
    await page.unroute("**/v1/generate/upscale");
    const before = await balance(account);
    await download(page, () =>
      dialog.getByRole("button", { name: "Upscale 1 picture to 2K for €0.01" }).click(),
    );
    await expect.poll(async () => (before - (await balance(account))).toFixed(2)).toBe("0.01");
  });

  it.each(looks)("is accessible: $name", async (look) => {
    const studio = await openBook(look);
    const dialog = await openDialog(studio.page);
    await dialog.getByRole("button", { name: /Upscale 2 pictures to 4K for €/ }).waitFor();
    await expectAccessible(studio);
  });
});

const storyIdOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1);
