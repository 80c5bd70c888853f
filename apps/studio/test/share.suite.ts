import type { Share, ShareList } from "@atelier/schemas/endpoints";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { texts as germanPictures } from "../src/languages/de/texts/pictures.ts";
import { texts as german } from "../src/languages/de/texts/share.ts";
import { texts as englishPictures } from "../src/texts/pictures.ts";
import { texts as english } from "../src/texts/share.ts";
import { callApi, newAccount, newKey, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, useBrowser } from "./support/browser.ts";
import { makeImage } from "./support/jobs.ts";
import { hasBrowser, provided } from "./support/provided.ts";
import { pierStory } from "./support/stories.ts";

const languages = [
  { name: "English", locale: "en-IE", texts: english.share, menu: englishPictures.pictures },
  { name: "German", locale: "de-DE", texts: german.share, menu: germanPictures.pictures },
];

async function accountWithImage(): Promise<TestAccount> {
  const account = await newAccount();
  await makeImage(account, "builtin-illustrator");
  return account;
}

async function jobOf(account: TestAccount): Promise<string> {
  const response = await callApi(account, "GET", "/v1/jobs?limit=1");
  const { jobs } = (await response.json()) as { jobs: { id: string }[] };
  return jobs[0]?.id ?? "";
}

async function sharesOf(account: TestAccount): Promise<readonly Share[]> {
  const response = await callApi(account, "GET", "/v1/shares");
  return ((await response.json()) as ShareList).shares;
}

async function createLink(account: TestAccount): Promise<string> {
  const body = { job_id: await jobOf(account), days: 7 };
  const response = await callApi(account, "POST", "/v1/shares", body);
  return ((await response.json()) as { url: string }).url;
}

/** The link that a dialog shows. */
const linkIn = (page: Page) => page.getByRole("dialog").locator("code").innerText();

/** Opens a shared page, whose scripts are off; returns what was requested and failed. */
async function visit(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const loaded: string[] = [];
  const failed: string[] = [];
  page.on("response", (response) => loaded.push(`${response.status()} ${response.url()}`));
  page.on("requestfailed", (request) => failed.push(request.url()));
  await page.goto(url, { waitUntil: "networkidle" });
  return { page, loaded, failed };
}

describe.skipIf(!hasBrowser)("sharing", () => {
  const open = useBrowser();

  it.each(languages)(
    "a picture says how long the link works, shows it once, and stops it, in $name",
    async ({ locale, texts, menu }) => {
      const account = await accountWithImage();
      const path = `/studio/?job=${await jobOf(account)}`;
      const studio = await open({ account, locale, path });
      const { page } = studio;
      await page.getByRole("button", { name: menu.actions }).click();
      await page.getByRole("menuitem", { name: menu.share, exact: true }).click();
      const dialog = page.getByRole("dialog", { name: texts.title });
      const end = dialog.locator("p[role=status]");
      await dialog.getByText(texts.lead).waitFor();
      const kept = await end.innerText();
      await dialog.getByRole("checkbox", { name: texts.keep }).uncheck();
      const withImages = texts.endsWithImages("|").split("|").at(-1) ?? "";
      await expect.poll(() => end.innerText()).toContain(withImages.trim());
      await expectAccessible(studio);
      await dialog.getByRole("checkbox", { name: texts.keep }).check();
      await expect.poll(() => end.innerText()).toBe(kept);
      await dialog.getByRole("radio", { name: texts.dayCount(30) }).check();
      await dialog.getByRole("button", { name: texts.action }).click();
      await page.getByRole("button", { name: texts.copy }).waitFor();
      const link = await linkIn(page);
      expect(link).toMatch(/\/s\/[\w-]{22}$/);
      await expectAccessible(studio);
      expect(await sharesOf(account)).toMatchObject([{ image: 0, kept: true }]);
      await page.goto(`${provided().url}/studio/account`);
      const list = page.getByRole("list", { name: texts.list });
      await list.getByText(texts.ofImage(1)).waitFor();
      await list.getByText("a lighthouse at dusk").waitFor();
      await expectAccessible(studio);
      await list.getByRole("button").click();
      const asked = page.getByRole("dialog", { name: texts.stopTitle });
      await asked.getByRole("button", { name: texts.stop, exact: true }).click();
      await page.getByText(texts.empty).waitFor();
      expect((await fetch(link)).status).toBe(404);
    },
  );

  it("a picture is shared by keyboard on a phone", async () => {
    const account = await accountWithImage();
    const path = `/studio/?job=${await jobOf(account)}`;
    const studio = await open({ account, path, viewport: narrow });
    const { page } = studio;
    const actions = page.getByRole("button", { name: "More actions" });
    await actions.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Share" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "7 days" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expectAccessible(studio);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Copy the link" }).waitFor();
    await expectAccessible(studio);
    const [made] = await sharesOf(account);
    expect(Date.parse(made?.expires_at ?? "") - Date.parse(made?.created_at ?? "")).toBe(
      86_400_000,
    );
  });

  it("a book is shared from its story and from its pages", async () => {
    const account = await newAccount();
    const scenes = ["Mira looks at the boats", "Otto mends a net"].map((prompt) => ({ prompt }));
    const story = { ...pierStory, scenes };
    const response = await callApi(account, "POST", "/v1/generate/story", story);
    const { job_id: id } = (await response.json()) as { job_id: string };
    // The stream of its events ends with the job.
    await (await callApi(account, "GET", `/v1/jobs/${id}/events`)).text();
    for (const path of [`/studio/stories/${id}`, `/studio/stories/${id}/pages`]) {
      const { page } = await open({ account, path });
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByText("without texts.").waitFor();
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("button", { name: "Copy the link" }).waitFor();
    }
    expect(await sharesOf(account)).toMatchObject([{ image: null }, { image: null }]);
  });

  it("is not offered for images of test keys", async () => {
    const account = await newAccount();
    const test = await newKey(account, "test");
    await makeImage(test);
    const { page } = await open({ account: test, path: `/studio/?job=${await jobOf(test)}` });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Keep" }).waitFor();
    await expect.poll(() => page.getByRole("menuitem", { name: "Share" }).count()).toBe(0);
  });

  it.each(looks)("the shared page is accessible and shows its pictures: $name", async (look) => {
    const link = await createLink(await accountWithImage());
    const studio = await open({ account: null, path: "/studio/verify", ...look });
    const { page, loaded, failed } = await visit(studio.context, link);
    expect(failed).toEqual([]);
    expect(loaded).toContainEqual(expect.stringMatching(/^302 .*\/s\/.*\/0\/(full|thumbnail)$/));
    expect(loaded).toContainEqual(expect.stringMatching(/^200 .*\/images\/renders\//));
    await page.close();
    // Without its policy, so that axe runs.
    const html = await (await fetch(link)).text();
    await studio.page.route(link, (route) =>
      route.fulfill({ contentType: "text/html", body: html }),
    );
    await studio.page.goto(link);
    const width = await studio.page
      .locator("img")
      .evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(width).toBeGreaterThan(0);
    await expectAccessible(studio);
  });

  it("a script in a shared drawing does not run", async () => {
    const link = await createLink(await accountWithImage());
    const { context } = await open({ account: null, path: "/studio/verify" });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="fetch('/readyz?onload')">
      <script>fetch("/readyz?script")</script><image href="/readyz?image" width="8" height="8"/>
      <foreignObject width="64" height="64"><img xmlns="http://www.w3.org/1999/xhtml" src="/readyz?html" onerror="fetch('/readyz?onerror')"/></foreignObject>
    </svg>`;
    await context.route("**/s/*/0/*", (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: svg }),
    );
    const { page, loaded } = await visit(context, link);
    expect(loaded).toContainEqual(expect.stringMatching(/^200 .*\/0\/(full|thumbnail)$/));
    expect(loaded.filter((one) => one.includes("readyz"))).toEqual([]);
    // Opened by itself it has the policy of its response, which the test takes away: the script is real.
    const { page: own, loaded: ownLoaded } = await visit(context, `${link}/0/full`);
    expect(ownLoaded.some((one) => one.includes("readyz?script"))).toBe(true);
    await Promise.all([page.close(), own.close()]);
  });
});
