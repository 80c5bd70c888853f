import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { texts as germanChange } from "../src/languages/de/texts/change.ts";
import { texts as germanBook } from "../src/languages/de/texts/book.ts";
import { texts as germanMembers } from "../src/languages/de/texts/members.ts";
import { texts as germanCommon } from "../src/languages/de/texts.ts";
import { texts as german } from "../src/languages/de/texts/stories.ts";
import { texts as englishChange } from "../src/texts/change.ts";
import { texts as englishBook } from "../src/texts/book.ts";
import { texts as englishMembers } from "../src/texts/members.ts";
import { texts as common } from "../src/texts.ts";
import { texts as english } from "../src/texts/stories.ts";
import { callApi, newAccount } from "./support/accounts.ts";
import { useBrowser } from "./support/browser.ts";
import { countClicks } from "./support/clicks.ts";
import { download } from "./support/downloads.ts";
import { hasBrowser } from "./support/provided.ts";

const waitMs = 110_000;

const languages = [
  { name: "English", locale: "en-IE", texts: english, book: englishBook, change: englishChange },
  { name: "German", locale: "de-DE", texts: german, book: germanBook, change: germanChange },
];

const sceneTexts = {
  English: [
    "Mira and Otto meet at the harbour",
    "They fly a kite on the beach",
    "Rain falls, and they wait under a tree",
    "They light a lantern at dusk",
    "They look at the stars at night",
  ],
  German: [
    "Mira und Otto treffen sich am Hafen",
    "Sie lassen am Strand einen Drachen steigen",
    "Regen fällt, und sie warten unter einem Baum",
    "In der Dämmerung zünden sie eine Laterne an",
    "In der Nacht sehen sie die Sterne an",
  ],
} as const;

/** Moves the focus by the keyboard into the next field for a longer text. */
async function tabToText(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return page.evaluate(() => document.activeElement?.tagName);
    })
    .toBe("TEXTAREA");
}

describe.skipIf(!hasBrowser)("the clicks", () => {
  const open = useBrowser();

  it.each(languages)(
    "to a story of two characters and five scenes are at most 12, in $name",
    async ({ name, locale, texts }) => {
      const studio = await open({ locale });
      const { page, account } = studio;
      const clicks = await countClicks(studio);
      const { keyboard } = page;
      const press = (role: "button" | "link", button: string) =>
        page.getByRole(role, { name: button, exact: true }).first().click();
      await press("link", texts.pages.stories);
      await press("link", texts.pages.newStory);
      await page.getByLabel(texts.stories.name, { exact: true }).first().click();
      await keyboard.type("Mira");
      await tabToText(page);
      await keyboard.type("a girl with red hair and a green coat");
      await press("button", texts.stories.addCharacter);
      // The form puts the focus into the first field of what was added.
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
      await keyboard.type("Otto");
      await tabToText(page);
      await keyboard.type("an old man with a white beard");
      const [first = "", second = "", ...more] = sceneTexts[name as keyof typeof sceneTexts];
      const scene = page.getByRole("group", { name: texts.stories.sceneNumber(1), exact: true });
      await scene.getByLabel(texts.stories.happens).click();
      await keyboard.type(first);
      await scene.getByRole("checkbox", { name: "Mira" }).click();
      await scene.getByRole("checkbox", { name: "Otto" }).click();
      await page
        .getByRole("group", { name: texts.stories.sceneNumber(2), exact: true })
        .getByLabel(texts.stories.happens)
        .click();
      await keyboard.type(second);
      for (const [index, text] of more.entries()) {
        await press("button", texts.stories.addScene);
        const added = page.getByRole("group", {
          name: texts.stories.sceneNumber(index + 3),
          exact: true,
        });
        const field = added.getByLabel(texts.stories.happens);
        await expect
          .poll(() => field.evaluate((element) => element === document.activeElement))
          .toBe(true);
        await keyboard.type(text);
      }
      await page.getByRole("button", { name: texts.stories.generate }).click();
      await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
      const id = new URL(page.url()).pathname.split("/").at(-1);
      const fifth = texts.stories.open(texts.stories.sceneNumber(5));
      await page.getByRole("button", { name: fifth }).waitFor({ timeout: waitMs });
      if (account === null) throw new Error("the page has no account");
      const job = (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as object;
      const cast = { characters: [{ name: "Mira" }, { name: "Otto" }] };
      expect(job).toMatchObject({
        status: "completed",
        request: {
          scenes: sceneTexts[name as keyof typeof sceneTexts].map((prompt) => ({
            prompt,
            ...cast,
          })),
        },
      });
      expect(clicks()).toBeGreaterThan(5);
      expect(clicks()).toBeLessThanOrEqual(12);
    },
  );

  it.each([
    { name: "English", locale: "en-IE", texts: common, members: englishMembers },
    { name: "German", locale: "de-DE", texts: germanCommon, members: germanMembers },
  ])(
    "from an account to the first image of an invited member and its cost are at most 4, in $name",
    async ({ locale, texts, members }) => {
      const owner = await open({ locale });
      const ofOwner = await countClicks(owner);
      const { page } = owner;
      await page.getByRole("link", { name: texts.pages.members }).first().click();
      await page.getByRole("button", { name: members.members.invite }).click();
      await page.locator("input:focus").waitFor();
      await page.keyboard.type("Mira");
      const form = page.getByRole("dialog");
      await form.getByRole("button", { name: members.members.invite }).click();
      await page.getByText(members.members.linkCopied).waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());

      const invited = await open({ account: null, locale, path: `/studio/${new URL(link).hash}` });
      const ofInvited = await countClicks(invited);
      // The page begins with the focus in the prompt, and with the price on the button.
      await invited.page.locator("textarea:focus").waitFor();
      await invited.page.keyboard.type("a boat on a lake");
      await invited.page.locator("form button[type=submit]").filter({ hasText: "€" }).click();
      const cost = invited.page.locator("#stage dl div").filter({ hasText: texts.create.cost });
      await cost.filter({ hasText: /0[.,]01/ }).waitFor();
      expect(ofOwner() + ofInvited()).toBe(4);
    },
  );

  it.each(languages)(
    "from a picture to the same in 16:9 are at most 3, in $name",
    async ({ locale, change }) => {
      const account = await newAccount();
      const made = await callApi(account, "POST", "/v1/generate/image", {
        model: "builtin-illustrator",
        prompt: "a boat on a lake",
      });
      const { id } = (await made.json()) as { id: string };
      const studio = await open({ account, locale, path: `/studio/?job=${id}` });
      const { page } = studio;
      await page.locator("#stage img").first().waitFor();
      const clicks = await countClicks(studio);
      await page
        .getByRole("radio", { name: change.create.operations.outpaint, exact: true })
        .click();
      await page.getByRole("button", { name: "16:9", exact: true }).click();
      await page.locator("form button[type=submit]").filter({ hasText: "€" }).click();
      await page.waitForURL((url) => ![null, id].includes(url.searchParams.get("job")));
      const wide = new URL(page.url()).searchParams.get("job");
      await page.locator("#stage figure").nth(1).waitFor();
      const job = (await (await callApi(account, "GET", `/v1/jobs/${wide}`)).json()) as {
        result: { width: number; height: number };
      };
      expect(job.result).toMatchObject({ width: 1_820, height: 1_024 });
      expect(clicks()).toBe(3);
    },
  );

  it.each(languages)(
    "from a finished example of ten scenes to a PDF of twelve pages are at most 8, in $name",
    async ({ locale, texts, book }) => {
      const account = await newAccount();
      const { example } = texts.stories;
      const scenes = [...Object.values(example.scenes), ...Object.values(example.scenes)];
      const response = await callApi(account, "POST", "/v1/generate/story", {
        model: "builtin-illustrator",
        title: example.title,
        style: example.style,
        characters: [
          { name: example.mira.name, description: example.mira.description },
          { name: example.otto.name, description: example.otto.description },
        ],
        scenes: [...scenes, example.scenes.dusk, example.scenes.night].map((prompt) => ({
          prompt,
        })),
      });
      const { job_id: id } = (await response.json()) as { job_id: string };
      await (await callApi(account, "GET", `/v1/jobs/${id}/events`)).text();

      const studio = await open({ account, locale });
      const { page } = studio;
      const clicks = await countClicks(studio);
      await page.getByRole("link", { name: texts.pages.stories, exact: true }).first().click();
      await page.locator(`[href$="${id}"]`).click();
      await page.getByRole("link", { name: texts.pages.book, exact: true }).click();
      // A title and a text of one's own.
      await page.getByLabel(book.book.titleOf).click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Mira & Otto");
      await page.getByLabel(book.book.textOf(2)).click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Once");
      const { name, bytes } = await download(page, () =>
        page.getByRole("button", { name: book.book.savePdf }).click(),
      );
      expect(name).toBe("mira-otto.pdf");
      expect(bytes.toString("latin1").match(/\/Type \/Page\n/g)).toHaveLength(12);
      expect(clicks()).toBeGreaterThan(3);
      expect(clicks()).toBeLessThanOrEqual(8);
    },
  );
});
