import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { hasBrowser } from "./support/provided.ts";
import { exported, pierStory } from "./support/stories.ts";

const story = {
  ...pierStory,
  scenes: [
    { prompt: "Mira walks along the pier", characters: ["Mira"], location: "Harbour" },
    { prompt: "Rain falls on Mira", characters: [{ name: "Mira", state: "raincoat" }] },
    { prompt: "Otto gives Mira a lantern", characters: ["Mira", "Otto"] },
  ],
};

interface ShownJob {
  readonly id: string;
  readonly kind: string;
  readonly request: object;
  readonly metadata: Readonly<Record<string, string>>;
  readonly result: { readonly characters: readonly { readonly reference_url: string }[] };
}

describe.skipIf(!hasBrowser)("the cast of a finished story", () => {
  const open = useBrowser();
  let author: TestAccount;
  let storyId: string;

  beforeAll(async () => {
    author = await newAccount();
    storyId = await makeStory(story);
  });

  async function makeStory(body: object): Promise<string> {
    const response = await callApi(author, "POST", "/v1/generate/story", body);
    const { job_id: id } = (await response.json()) as { job_id: string };
    // The stream of its events ends with the job.
    await (await callApi(author, "GET", `/v1/jobs/${id}/events`)).text();
    return id;
  }

  const read = async (path: string) => (await callApi(author, "GET", path)).json();
  const jobsOf = async (id = storyId) => {
    const { jobs } = (await read(`/v1/jobs?metadata.studio_story=${id}`)) as { jobs: ShownJob[] };
    return Promise.all(jobs.map(async (job) => (await read(`/v1/jobs/${job.id}`)) as ShownJob));
  };
  const openStory = (options: Parameters<typeof open>[0] = {}) =>
    open({ account: author, path: `/studio/stories/${storyId}`, ...options });
  const balance = async () => ((await read("/v1/account")) as { balance_eur: string }).balance_eur;

  /** Makes a picture of the cast again with another description. */
  async function drawAgain(page: Page, name: string, text: string): Promise<void> {
    await page.getByRole("button", { name: `Make again: ${name}`, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Make again: ${name}` });
    await dialog.getByRole("textbox").fill(text);
    await dialog.getByRole("button", { name: /Make again.*€0.01/ }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Show ${name}, version 2 in full size` }).waitFor();
  }
  const use = (page: Page, name: string) =>
    page.getByRole("button", { name: `Use this version: ${name}`, exact: true }).click();

  it("has one portrait made again at its price, which is used once it is chosen", async () => {
    const studio = await openStory();
    const { page } = studio;
    const before = Number(await balance());
    await page.getByRole("button", { name: "Make again: Mira", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Make again: Mira" });
    await expect
      .poll(() => dialog.getByLabel("Appearance").inputValue())
      .toBe(story.characters[0]?.description);
    await dialog.getByRole("button", { name: /Make again.*€0.01/ }).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await drawAgain(page, "Mira", "a girl with short black hair and a red coat");
    await expect.poll(async () => Number((before - Number(await balance())).toFixed(6))).toBe(0.01);
    await expect.poll(() => page.getByText("show an older portrait").count()).toBe(0);

    await use(page, "Mira, version 2");
    await page.getByText("2 scenes show an older portrait or place.").waitFor();
    await expect.poll(() => page.getByText("Shows an older picture").count()).toBe(2);
    await page.getByText("Drawn with an older portrait").waitFor();
    await expectAccessible(studio);
    const [made] = await jobsOf();
    await expect
      .poll(() => read(`/v1/jobs/${storyId}`))
      .toMatchObject({ book: { cast: [{ portrait: "Mira", job_id: made?.id }] } });
  });

  it.each(looks)("is accessible with outdated scenes: $name", async (look) => {
    const studio = await openStory(look);
    await studio.page.getByText("2 scenes show an older portrait or place.").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `story-cast-${look.name}`);
  });

  it("has outdated scenes made again with one button, at the price of all", async () => {
    const { page } = await openStory();
    const before = Number(await balance());
    await page.getByRole("button", { name: "Make all 2 again · €0.02" }).click();
    await page.getByRole("button", { name: "Show Scene 1, version 2 in full size" }).waitFor();
    await page.getByRole("button", { name: "Show Scene 3, version 2 in full size" }).waitFor();
    await expect.poll(() => page.getByText("older").count()).toBe(1);
    await page.getByText("Drawn with an older portrait").waitFor();
    await expect.poll(async () => Number((before - Number(await balance())).toFixed(6))).toBe(0.02);

    const jobs = await jobsOf();
    const portrait = jobs.find(({ kind }) => kind === "story");
    const reference = { job_id: portrait?.id, portrait: "Mira" };
    const requestOf = (scene: string) =>
      jobs.find(({ metadata }) => metadata["studio_scene"] === scene)?.request;
    expect(requestOf("1")).toMatchObject({
      prompt: "Mira walks along the pier",
      characters: [
        { name: "Mira", description: "a girl with short black hair and a red coat", reference },
      ],
      location: { reference: { job_id: storyId, location: "Harbour" } },
    });
    expect(requestOf("3")).toMatchObject({
      characters: [{ reference }, { reference: { job_id: storyId, portrait: "Otto" } }],
    });
  });

  it("has a look made again with the chosen portrait, and a place with what it was drawn by", async () => {
    const { page } = await openStory();
    await drawAgain(page, "Mira, raincoat", "wearing a blue raincoat");
    await drawAgain(page, "Harbour", "a harbour at night");
    await use(page, "Mira, raincoat, version 2");
    await page.getByText("1 scene shows an older portrait or place.").waitFor();
    await expect.poll(() => page.getByText("Drawn with an older portrait").count()).toBe(0);
    await use(page, "Harbour, version 2");
    await page.getByRole("button", { name: "Make all 2 again · €0.02" }).waitFor();
    const jobs = (await jobsOf()).filter(({ kind }) => kind === "story");
    const portrait = jobs.at(-1);
    expect(jobs.map(({ request }) => request)).toMatchObject([
      { locations: [{ name: "Harbour", description: "a harbour at night" }], scenes: [] },
      { characters: [{ reference: { job_id: portrait?.id, portrait: "Mira" } }], scenes: [] },
      { characters: [{ name: "Mira" }], scenes: [] },
    ]);
    // The page saves a choice after a pause.
    const harbour = expect.objectContaining({ location: "Harbour", job_id: jobs[0]?.id });
    await expect
      .poll(() => read(`/v1/jobs/${storyId}`))
      .toMatchObject({ book: { cast: expect.arrayContaining([harbour]) } });
  });

  it("is in the ZIP and on the contact sheet as it was chosen, and has no page under Stories", async () => {
    const { page } = await openStory();
    const portrait = (await jobsOf()).findLast(({ kind }) => kind === "story");
    const file = await fetch(portrait?.result.characters[0]?.reference_url ?? "");
    const { bytes } = await download(page, () =>
      page.getByRole("button", { name: "Download all" }).click(),
    );
    expect(bytes.includes(Buffer.from(await file.arrayBuffer()))).toBe(true);
    await page.getByRole("link", { name: "Contact sheet" }).click();
    await page.getByText("Mira, version 2", { exact: true }).waitFor();
    await page.getByText("Harbour, version 2", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Stories" }).first().click();
    await page.getByText("The pier").waitFor();
    await expect.poll(() => page.getByText("Harbour").count()).toBe(0);
    await page.getByRole("link", { name: "Library" }).first().click();
    const tile = page.locator("[data-tile]").filter({ hasText: "Harbour" });
    await tile.locator("img").waitFor();
    await expect.poll(() => page.getByText("images deleted").count()).toBe(0);
    await tile.click();
    await page.getByRole("dialog").locator("img").first().waitFor();
  });

  it("is approved picture by picture before the scenes are paid", async () => {
    const castId = await makeStory({ ...story, cast_only: true });
    const { page } = await open({ account: author, path: `/studio/stories/${castId}` });
    await drawAgain(page, "Otto", "an old man with a black hat");
    await use(page, "Otto, version 2");
    await page.getByRole("button", { name: "Use this version: Otto", exact: true }).waitFor();
    const [made] = await jobsOf(castId);
    await page.getByRole("button", { name: "Use this cast" }).click();
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.03").waitFor();
    expect(await exported(page)).toMatchObject({
      characters: [
        { reference: { job_id: castId, portrait: "Mira" } },
        {
          description: "an old man with a black hat",
          reference: { job_id: made?.id, portrait: "Otto" },
        },
      ],
    });
  });

  it("keeps the menu of a scene open while scenes that were added are read", async () => {
    const studio = await open({ account: author });
    const { page } = studio;
    const reading = Promise.withResolvers<void>();
    await page.route(/metadata\.studio_story/, async (route) => {
      await reading.promise;
      await route.continue();
    });
    await page.goto(`${new URL(page.url()).origin}/studio/stories/${storyId}`);
    await page.getByRole("button", { name: "Actions: Rain falls on Mira" }).click();
    await page.getByRole("menuitem", { name: "Upscale" }).waitFor();
    reading.resolve();
    await page.getByRole("button", { name: "Remove Scene 2 from the story" }).waitFor();
    await expect.poll(() => page.getByRole("menuitem", { name: "Upscale" }).isVisible()).toBe(true);
  });
});
