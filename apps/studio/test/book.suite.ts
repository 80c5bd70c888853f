import { readdir, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { texts as german } from "../src/languages/de/texts/book.ts";
import { texts as english } from "../src/texts/book.ts";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import {
  expectAccessible,
  looks,
  takePicture,
  useBrowser,
  type Studio,
} from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { mintKey } from "./support/jobs.ts";
import { readPdf } from "./support/pdf.ts";
import { hasBrowser, provided } from "./support/provided.ts";
import { exported, importFile, shownId } from "./support/stories.ts";

const waitMs = 110_000;

/** Scenes that make the example as long as a story can be. */
const moreScenes = [
  "Mira runs along the pier with a kite",
  "Mira meets a cat beside the boats",
  "Otto reads a book in his house at night",
  "Mira and Otto eat apples under a tree",
  "Snow falls and Mira waves with a lantern",
  "Mira sleeps while the lighthouse shines",
];

const germanText = "Über dem Meer weiß Mira: „Jetzt süße Träume!“";
const french = "L’œuvre où Noël brûle déjà, ça va";
const polish = "Zażółć gęślą jaźń, łódź i świt";

interface Story {
  readonly result: {
    readonly scenes: readonly {
      readonly formats: { readonly jpeg: { readonly url: string } };
    }[];
  };
}

/** Lets every request fail that saves a book. */
async function failSaves({ page, allow }: Pick<Studio, "page" | "allow">): Promise<void> {
  allow(/ERR_FAILED/);
  await page.route("**/v1/jobs/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue(),
  );
}

describe.skipIf(!hasBrowser)("the pages of a story", () => {
  const open = useBrowser();
  let author: TestAccount;
  let storyId: string;
  /** The JPEG files of the scenes, as the service delivers them. */
  let files: Buffer[];

  beforeAll(async () => {
    author = await newAccount();
    const { page } = await open({ account: author, path: "/studio/stories/new?example" });
    const generate = page.getByRole("button", { name: "Generate story" });
    await generate.getByText("€0.08").waitFor();
    const story = await exported(page);
    const scenes = [
      ...(story["scenes"] as object[]),
      ...moreScenes.map((prompt) => ({ prompt, characters: [{ name: "Mira" }] })),
    ];
    await importFile(page, JSON.stringify({ ...story, scenes }));
    await generate.getByText("€0.14").waitFor();
    await generate.click();
    await page.getByRole("link", { name: "Pages" }).waitFor({ timeout: waitMs });
    storyId = shownId(page);
    const job = (await (await callApi(author, "GET", `/v1/jobs/${storyId}`)).json()) as Story;
    files = await Promise.all(
      job.result.scenes.map(async ({ formats }) =>
        Buffer.from(await (await fetch(formats.jpeg.url)).arrayBuffer()),
      ),
    );
  });

  const openBook = (options: Parameters<typeof open>[0] = {}): Promise<Studio> =>
    open({ account: author, path: `/studio/stories/${storyId}/pages`, ...options });

  async function savedBook(): Promise<{ readonly pages: readonly { readonly text: string }[] }> {
    const response = await callApi(author, "GET", `/v1/jobs/${storyId}`);
    return ((await response.json()) as { book: Awaited<ReturnType<typeof savedBook>> }).book;
  }
  const savedTexts = async () => (await savedBook()).pages.map(({ text }) => text);

  it("saves a finished story of ten scenes as a book of twelve pages in two clicks", async () => {
    const { page } = await open({ account: author, path: `/studio/stories/${storyId}` });
    await page.getByRole("link", { name: "Pages" }).click();
    const { name, bytes } = await download(page, () =>
      page.getByRole("button", { name: "Save as PDF" }).click(),
    );
    expect(name).toBe("the-lantern.pdf");
    expect((await readPdf(bytes)).pages).toHaveLength(12);
  });

  it("saves texts, order, cover and pages that were left out in the account, and in the files", async () => {
    const { page: editor } = await openBook();
    await editor.getByLabel("Title on the cover").fill("Die Łaterne");
    await editor.getByLabel("Language of the texts").selectOption("de");
    await editor.getByLabel("Picture on the cover").selectOption("Page 4");
    await editor.getByLabel("Text of page 2").fill(germanText);
    await editor.getByLabel("Text of page 3").fill(french);
    await editor.getByLabel("Text of page 4").fill(polish);
    await editor.getByLabel("Text of page 2").press("Alt+ArrowDown");
    await editor.getByRole("button", { name: "Leave out Page 11" }).click();
    await untilSaved(editor);

    // In another browser.
    const { page } = await openBook();
    await expect.poll(() => page.getByLabel("Text of page 3").inputValue()).toBe(germanText);
    await expect.poll(() => page.getByLabel("Text of page 2").inputValue()).toBe(french);
    await expect.poll(() => page.getByLabel("Text of page 11").count()).toBe(0);
    const pdf = await download(page, () =>
      page.getByRole("button", { name: "Save as PDF" }).click(),
    );
    const { pages, language, title } = await readPdf(pdf.bytes);
    expect(title).toBe("Die Łaterne");
    expect(language).toBe("de");
    expect(pages).toHaveLength(11);
    expect(pages.slice(0, 4)).toEqual(["Die Łaterne", french, germanText, polish]);
    expect(pages.at(-1)).toContain("von künstlicher Intelligenz erzeugt (Built-in illustrator)");
    // Scene 10 was left out.
    expect(files.map((file) => pdf.bytes.includes(file))).toEqual(
      files.map((_, index) => index !== 9),
    );

    await page.getByRole("button", { name: "Put back scene 10" }).click();
    await page.getByLabel("Text of page 11").waitFor();
    await untilSaved(page);
  });

  it("keeps what is typed without a connection, and saves it when the service responds", async () => {
    const studio = await openBook();
    studio.allow(/ERR_/);
    const { page, context } = studio;
    await context.setOffline(true);
    await page.getByLabel("Text of page 2").fill("Without a connection");
    await page.getByText("not saved in the account").waitFor();
    await expectAccessible(studio);
    expect(await savedTexts()).not.toContain("Without a connection");
    await context.setOffline(false);
    await untilSaved(page);
    expect(await savedTexts()).toContain("Without a connection");

    await context.setOffline(true);
    await page.getByLabel("Text of page 3").fill("In a page that was closed");
    await page.getByText("not saved in the account").waitFor();
    await page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`${provided().url}/studio/stories/${storyId}/pages`);
    await untilSaved(again);
    expect(await savedTexts()).toContain("In a page that was closed");
  });

  it("shows why changes are not saved, and keeps them in this browser", async () => {
    const reader = await mintKey(author, { name: "reader", scopes: ["read"] });
    const studio = await openBook({ account: reader });
    studio.allow(/403/);
    const { page } = studio;
    await page.getByLabel("Text of page 2").fill("Of a reader");
    await page.getByText("not saved in the account").waitFor();
    await page.getByText('the permission "Generate"').waitFor();
    await expectAccessible(studio);
    expect(await savedTexts()).not.toContain("Of a reader");
    await page.reload();
    await expect.poll(() => page.getByLabel("Text of page 2").inputValue()).toBe("Of a reader");
  });

  it("shows what another tab of the browser saved", async () => {
    const { page, context } = await openBook();
    const other = await context.newPage();
    await other.goto(`${provided().url}/studio/stories/${storyId}/pages`);
    await other.getByLabel("Text of page 4").fill("In another tab");
    await untilSaved(other);
    await expect.poll(() => page.getByLabel("Text of page 4").inputValue()).toBe("In another tab");
  });

  it("saves what was typed before it signs out", async () => {
    const { page } = await openBook();
    const events: string[] = [];
    const note = (request: Request) => {
      if (["PATCH", "DELETE"].includes(request.method())) events.push(request.method());
    };
    page.on("requestfinished", note);
    await page.getByLabel("Text of page 5").fill("Before signing out");
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(() => events).toContain("DELETE");
    expect(events).toEqual(["PATCH", "DELETE"]);
    expect(await savedTexts()).toContain("Before signing out");
  });

  it("asks before it signs out when the last save fails, and saves after all", async () => {
    const studio = await openBook();
    const { page } = studio;
    await failSaves(studio);
    await page.getByLabel("Text of page 4").fill("Typed before a save that failed");
    const signOut = page.getByRole("button", { name: "Sign out", exact: true });
    await signOut.click();
    const dialog = page.getByRole("dialog", { name: "Changes are not saved" });
    await dialog.waitFor();
    await expectAccessible(studio);
    await dialog.getByRole("button", { name: "Stay signed in" }).click();
    await expect
      .poll(() => page.getByLabel("Text of page 4").inputValue())
      .toBe("Typed before a save that failed");
    await page.unroute("**/v1/jobs/*");
    await signOut.click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    expect(await savedTexts()).toContain("Typed before a save that failed");
  });

  it("asks on every page while changes are not saved, and forgets them when that is confirmed", async () => {
    const studio = await openBook();
    const { page } = studio;
    await failSaves(studio);
    await page.getByLabel("Text of page 5").fill("Typed and given up");
    await page.getByText("not saved in the account").waitFor();
    await page.getByRole("link", { name: "Account" }).first().click();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("button", { name: "Stay signed in" }).click();
    expect((await callApi(author, "GET", "/v1/account")).status).toBe(200);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign out anyway" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).join()))
      .not.toContain("draft");
    expect(await savedTexts()).not.toContain("Typed and given up");
  });

  it("takes over a book that an earlier version kept in this browser, once", async () => {
    const change = (book: object | null) =>
      callApi(author, "PATCH", `/v1/jobs/${storyId}`, { book });
    await change(null);
    const earlier = {
      title: "Earlier",
      language: "de",
      cover: 2,
      pages: [{ scene: 2, text: "x" }],
    };
    const { page } = await openBook();
    await page.evaluate(([id, book]) => localStorage.setItem(`atelier.draft.book.${id}`, book), [
      storyId,
      JSON.stringify(earlier),
    ] as const);
    await page.reload();
    await untilSaved(page);
    expect(await savedBook()).toMatchObject(earlier);
    await change({ ...earlier, title: "Later" });
    await page.reload();
    await expect.poll(() => page.getByLabel("Title on the cover").inputValue()).toBe("Later");
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
      .not.toContain("Earlier");
    await change(null);
  });

  it("puts texts beside or over the pictures, and saves pages for the screen and for print", async () => {
    const studio = await openBook();
    const { page } = studio;
    for (const layout of ["beside", "over"]) {
      await page.getByLabel("Texts of the pages").selectOption(layout);
      await untilSaved(page);
      await loadPictures(page);
      await expectAccessible(studio);
      const screen = await download(page, () =>
        page.getByRole("button", { name: "Save as PDF" }).click(),
      );
      const { pages, boxes } = await readPdf(screen.bytes);
      expect(pages).toHaveLength(12);
      expect(pages[1]).toContain("Mira sets out");
      expect(boxes[1]).toEqual({ sheet: 210, trim: null });
      expect(files.every((file) => screen.bytes.includes(file))).toBe(true);
    }
    await page.getByRole("button", { name: "Save for print" }).click();
    const { name, bytes } = await download(page, () =>
      page.getByRole("button", { name: "Save the PDF" }).click(),
    );
    expect(name).toBe("the-lantern-print.pdf");
    const { pages, boxes } = await readPdf(bytes);
    expect(pages).toHaveLength(12);
    expect(boxes.every(({ sheet, trim }) => sheet === 216 && trim === 3)).toBe(true);
    const html = await download(page, () =>
      page.getByRole("button", { name: "Save as HTML" }).click(),
    );
    expect(html.bytes.toString()).toContain('<main class="over">');
    await page.getByLabel("Texts of the pages").selectOption("below");
    await untilSaved(page);
  });

  it("saves an HTML file that needs no other file and contains the unchanged images", async () => {
    const { page, context } = await openBook();
    const { name, bytes } = await download(page, () =>
      page.getByRole("button", { name: "Save as HTML" }).click(),
    );
    expect(name).toBe("the-lantern.html");
    const file = await context.newPage();
    const requests: string[] = [];
    file.on("request", (request) => requests.push(new URL(request.url()).protocol));
    await file.setContent(bytes.toString("utf8"));
    await expect.poll(() => file.locator("section").count()).toBe(12);
    await file.getByText("generated by artificial intelligence").waitFor();
    expect(requests.filter((protocol) => protocol !== "data:")).toEqual([]);
    const sources = await file
      .locator("img")
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
    const embedded = sources.map((source) => Buffer.from(source.split(",")[1] ?? "", "base64"));
    expect(embedded).toHaveLength(11);
    expect(files.every((jpeg) => embedded.some((one) => one.equals(jpeg)))).toBe(true);
    await expectAccessible({ page: file });
    await takePicture({ page: file }, "book-cover");
    await file.locator("section").nth(3).scrollIntoViewIfNeeded();
    await takePicture({ page: file }, "book-page");
  });

  it("shows the version of a scene that is chosen on its page", async () => {
    const made = await callApi(author, "POST", "/v1/generate/scene", {
      model: "builtin-illustrator",
      prompt: "Mira dances in the rain",
      metadata: { studio_story: storyId, studio_scene: "2" },
    });
    expect(made.status).toBe(200);
    const { page } = await openBook();
    const choice = page.getByLabel("Picture of page 3");
    await choice.waitFor();
    const shown = () => page.getByRole("listitem").nth(2).getByRole("img").getAttribute("alt");
    await expect.poll(shown).toBe("Mira dances in the rain");
    await choice.selectOption("Version 1");
    await expect.poll(shown).toContain("waits under a tree");
    await page.reload();
    await expect.poll(shown).toContain("waits under a tree");
  });

  it.each([
    { locale: "en-IE", texts: english, heading: "The characters" },
    { locale: "de-DE", texts: german, heading: "Die Figuren" },
  ])("has the chosen font, size of texts and further pages, for $locale", async (one) => {
    const { locale, texts, heading } = one;
    await callApi(author, "PATCH", `/v1/jobs/${storyId}`, { book: null });
    const { page: editor } = await openBook({ locale });
    const { dedication, author: about, cast } = texts.book.pageNames;
    await editor.getByLabel(texts.book.font).selectOption("Source Sans 3");
    await editor.getByLabel(texts.book.textSize).selectOption(texts.book.textSizes.large);
    for (const name of [dedication, about, cast])
      await editor.getByRole("checkbox", { name }).press("Space");
    await editor.getByRole("textbox", { name: dedication }).fill("For Ada, Για την Άντα, Для Ады");
    await editor.getByRole("textbox", { name: about }).fill("Ada counts stars.");
    await editor.getByText(texts.book.saveStates.saved).waitFor();

    // In another browser.
    const studio = await openBook({ locale });
    const { page } = studio;
    await expect
      .poll(() => page.getByRole("textbox", { name: dedication }).inputValue())
      .toBe("For Ada, Για την Άντα, Для Ады");
    await loadPictures(page);
    await expectAccessible(studio);
    const pdf = await download(page, () =>
      page.getByRole("button", { name: texts.book.savePdf }).click(),
    );
    const { pages, fonts, embedded, tags, language } = await readPdf(pdf.bytes);
    expect(language).toBe(locale.slice(0, 2));
    expect(pages).toHaveLength(15);
    expect(pages[1]).toBe("For Ada, Για την Άντα, Для Ады");
    expect(pages[2]).toBe(`${heading}Mira Otto`);
    expect(tags[2]).toEqual([
      "H2",
      "Figure: a girl with long red hair, a green coat and yellow boots",
      "P",
      "Figure: an old man with a white beard, glasses, a blue jacket and a red scarf",
      "P",
    ]);
    expect(pages[13]).toBe("Ada counts stars.");
    // The editor numbers the pages as the file does.
    const [first = "", second = ""] = pages.slice(3);
    for (const [number, text] of [
      [4, first],
      [5, second],
    ] as const) {
      const written = await page.getByLabel(texts.book.textOf(number)).inputValue();
      expect(text.replaceAll(" ", "")).toBe(written.replaceAll(" ", ""));
    }
    await page.getByLabel(texts.book.textOf(4)).press("Alt+ArrowRight");
    await page.getByText(texts.book.moved(1, 5, 15)).waitFor({ state: "attached" });
    expect([fonts, embedded]).toEqual([["SourceSans3-Regular"], 1]);

    const html = (
      await download(page, () => page.getByRole("button", { name: texts.book.saveHtml }).click())
    ).bytes.toString();
    expect(html.split("<section").length - 1).toBe(15);
    expect(html.split("<figure>").length - 1).toBe(2);
    expect(html).toContain("--scale:1.3");
    expect(html).toContain("<p>Ada counts stars.</p>");
    await callApi(author, "PATCH", `/v1/jobs/${storyId}`, { book: null });
  });

  it("loads the writers of files only when a book is saved", async () => {
    const { page } = await openBook();
    const loaded = () =>
      page.evaluate(() =>
        performance.getEntriesByType("resource").some(({ name }) => /write-pdf/.test(name)),
      );
    await page.waitForLoadState("networkidle");
    expect(await loaded()).toBe(false);
    const assets = fileURLToPath(new URL("../dist/assets/", import.meta.url));
    const writer = (await readdir(assets)).find((name) => /^write-pdf.*\.br$/.test(name));
    expect((await stat(assets + writer)).size).toBeLessThan(190_000);
  });

  it.each(looks)("is accessible: $name", async (look) => {
    const studio = await openBook(look);
    await loadPictures(studio.page);
    await expectAccessible(studio);
    await takePicture(studio, `story-pages-${look.name}`);
  });
});

const untilSaved = (page: Page) => page.getByText("All changes are saved.").waitFor();

/** Pictures below the window load when they come into view. */
async function loadPictures(page: Page): Promise<void> {
  for (const image of await page.locator("main img").all()) {
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBeGreaterThan(0);
  }
  await page.evaluate(() => scrollTo(0, 0));
}
