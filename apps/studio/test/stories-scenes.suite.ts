import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { hasBrowser } from "./support/provided.ts";
import { exported, importFile, pierStory, scenePrompts, shownId } from "./support/stories.ts";

const story = {
  ...pierStory,
  scenes: [
    { prompt: "Mira walks along the pier", characters: ["Mira"], location: "Harbour" },
    {
      prompt: "Rain falls on Mira",
      characters: [{ name: "Mira", state: "raincoat" }],
      location: "Harbour",
    },
  ],
};

interface ShownJob {
  readonly request: { readonly characters: unknown; readonly location: unknown };
}

describe.skipIf(!hasBrowser)("the scenes of a finished story", () => {
  const open = useBrowser();
  let author: TestAccount;
  let storyId: string;

  beforeAll(async () => {
    author = await newAccount();
    storyId = await makeStory();
  });

  /** Makes a story with the API, and waits until it is completed. */
  async function makeStory(body: object = story): Promise<string> {
    const response = await callApi(author, "POST", "/v1/generate/story", body);
    const { job_id: id } = (await response.json()) as { job_id: string };
    // The stream of its events ends with the job.
    await (await callApi(author, "GET", `/v1/jobs/${id}/events`)).text();
    return id;
  }

  const read = async (path: string) => (await callApi(author, "GET", path)).json();
  const openStory = (options: Parameters<typeof open>[0] = {}) =>
    open({ account: author, path: `/studio/stories/${storyId}`, ...options });
  const scenes = (page: Page) => page.getByRole("region", { name: /^Scenes/ });
  /** The names of the scenes in the order of the page. */
  const order = (page: Page) =>
    scenes(page)
      .locator("figcaption strong")
      .evaluateAll((names) => names.map((name) => name.textContent));

  it("are added with the cast and the place of the scene before, at the price of one image", async () => {
    const studio = await openStory();
    const { page } = studio;
    await page.getByText("A story can have up to 24 scenes").waitFor();
    await page.getByRole("button", { name: "Add a scene" }).click();
    const dialog = page.getByRole("dialog", { name: "Add scene 3" });
    await expect.poll(() => dialog.getByRole("checkbox", { name: "Mira" }).isChecked()).toBe(true);
    await expect.poll(() => dialog.getByLabel("Look of Mira").inputValue()).toBe("raincoat");
    await expect.poll(() => dialog.getByLabel("Place").inputValue()).toBe("Harbour");
    await dialog.getByRole("checkbox", { name: "Otto" }).check();
    await dialog.getByLabel("What happens").fill("Otto gives Mira a lantern");
    await dialog.getByRole("button", { name: /Make this scene.*€0.01/ }).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show Scene 3 in full size" }).waitFor();
    await scenes(page).getByText("3 of 24").waitFor();

    const { jobs } = (await read(`/v1/jobs?metadata.studio_story=${storyId}`)) as {
      jobs: { id: string }[];
    };
    const { request } = (await read(`/v1/jobs/${jobs[0]?.id}`)) as ShownJob;
    expect(request.characters).toMatchObject([
      { name: "Mira", reference: { job_id: storyId, portrait: "Mira", state: "raincoat" } },
      { name: "Otto", reference: { job_id: storyId, portrait: "Otto" } },
    ]);
    expect(request.location).toMatchObject({ name: "Harbour" });

    // The next one begins with the cast of the one that was added.
    await page.getByRole("button", { name: "Add a scene" }).click();
    const next = page.getByRole("dialog", { name: "Add scene 4" });
    await expect.poll(() => next.getByRole("checkbox", { name: "Otto" }).isChecked()).toBe(true);
    await expect.poll(() => next.getByLabel("Look of Mira").inputValue()).toBe("raincoat");
  });

  it("are made again with what they show when they were added", async () => {
    const { page } = await openStory();
    await page.getByRole("button", { name: "Make again: Scene 3" }).click();
    const dialog = page.getByRole("dialog", { name: "Make scene 3 again" });
    await expect
      .poll(() => dialog.getByLabel("What happens").inputValue())
      .toBe("Otto gives Mira a lantern");
    await dialog.getByLabel("What happens").fill("Otto gives Mira a lamp");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Show Scene 3, version 2 in full size" }).waitFor();
    await page.getByRole("button", { name: "Use this version: Scene 3", exact: true }).click();
    await expect
      .poll(() =>
        page.getByRole("button", { name: "Use this version: Scene 3, version 2" }).count(),
      )
      .toBe(1);
  });

  it("show a version that was made before the page read the versions", async () => {
    const id = await makeStory();
    const { page } = await open({ account: author, path: `/studio/stories/${id}` });
    await page.getByRole("button", { name: "Remove Scene 2 from the story" }).waitFor();
    // The page reads which version is shown before the new one is made, and the list of versions afterwards.
    const before = { scenes: [1, 2].map((scene) => ({ scene, job_id: id })) };
    const early = Promise.withResolvers<void>();
    await page.route(
      `**/studio/stories/${id}/scenes`,
      async (route) => {
        await route.fulfill({ json: before });
        early.resolve();
      },
      { times: 1 },
    );
    await page.route(/metadata\.studio_story/, async (route) => {
      await early.promise;
      await expect
        .poll(() => read(`/v1/jobs?metadata.studio_story=${id}`))
        .toMatchObject({ jobs: [{ status: "completed" }] });
      await route.continue();
    });
    await page.getByRole("button", { name: "Make again: Scene 2" }).click();
    await page.getByRole("button", { name: "Make this scene again" }).click();
    await page.getByRole("button", { name: "Use this version: Scene 2", exact: true }).waitFor();
  });

  it("are in the ZIP, the contact sheet and the book of the story", async () => {
    const { page } = await openStory();
    const { bytes } = await download(page, () =>
      page.getByRole("button", { name: "Download all" }).click(),
    );
    expect(bytes.includes("scene-3.png")).toBe(true);
    await page.getByRole("link", { name: "Pages" }).click();
    await expect
      .poll(() => page.getByLabel("Text of page 4").inputValue())
      .toBe("Otto gives Mira a lantern");
    await page.goBack();
    await page.getByRole("link", { name: "Contact sheet" }).click();
    await page.getByText("Otto gives Mira a lantern").waitFor();
  });

  it("are moved and removed with the keyboard, on every page and in every browser", async () => {
    const { page } = await openStory();
    await page.getByRole("button", { name: "Move Scene 3 earlier" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Scene 3 is now at position 2 of 3.").waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Move Scene 3 earlier");
    await page.getByRole("button", { name: "Remove Scene 1 from the story" }).focus();
    await page.keyboard.press("Enter");
    const expected = ["Scene 3", "Scene 3, version 2", "Scene 2"];
    await expect.poll(() => order(page)).toEqual(expected);
    await page.getByText("Scene 1 was removed from the story.").waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest("li")?.dataset["scene"]))
      .toBe("3");
    await expect
      .poll(async () => (await read(`/v1/jobs/${storyId}`)) as object)
      .toMatchObject({ book: { pages: [{ scene: 3 }, { scene: 2 }], leftOut: [1] } });

    const { page: other } = await openStory();
    await expect.poll(() => order(other)).toEqual(expected);
    await other.getByRole("link", { name: "Pages" }).click();
    await other.getByRole("button", { name: "Put back scene 1" }).waitFor();
    await other.goBack();
    await other.getByRole("button", { name: "Put back scene 1" }).click();
    await expect.poll(() => order(other)).toEqual([...expected, "Scene 1"]);
    await expect
      .poll(async () => (await read(`/v1/jobs/${storyId}`)) as object)
      .toMatchObject({ book: { leftOut: [] } });
  });

  it("have the menu of every picture", async () => {
    const { page } = await openStory();
    // The scenes are shown anew once those that were added are read.
    await page.getByRole("button", { name: "Remove Scene 3 from the story" }).waitFor();
    await page.getByRole("button", { name: "Actions: Mira walks along the pier" }).click();
    for (const name of ["Use as reference", "Keep", "Star", "Add to a collection"]) {
      await page.getByRole("menuitem", { name, exact: true }).waitFor();
    }
    await page.getByRole("menuitem", { name: "Upscale" }).click();
    await page.getByLabel("Factor").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/studio/");
  });

  it("are paid after the cast was drawn and approved", async () => {
    const studio = await open({ account: author, path: "/studio/stories/new" });
    const { page } = studio;
    await importFile(page, JSON.stringify(story));
    const generate = page.getByRole("button", { name: "Generate story" });
    await generate.getByText("€0.06").waitFor();
    const draw = page.getByRole("button", { name: "Draw the cast" });
    await page.getByLabel("Draw the cast first").check();
    await expect.poll(() => draw.textContent()).not.toContain("€0.06");
    await draw.getByText("€0.04").waitFor();
    await expectAccessible(studio);
    await draw.click();
    await page.getByText("Only the cast was drawn.").waitFor();
    await expectAccessible(studio);
    const castId = shownId(page);
    await page.getByRole("button", { name: "Use this cast" }).click();
    // The portraits are the pictures of the form, and only the scenes are paid.
    await generate.getByText("€0.02").waitFor();
    await expect.poll(() => page.getByLabel("Draw the cast first").isChecked()).toBe(false);
    expect(await exported(page)).toMatchObject({
      characters: [
        {
          name: "Mira",
          reference: { job_id: castId, portrait: "Mira" },
          states: {
            raincoat: { reference: { job_id: castId, portrait: "Mira", state: "raincoat" } },
          },
        },
        { name: "Otto", reference: { job_id: castId, portrait: "Otto" } },
      ],
      locations: [{ reference: { job_id: castId, location: "Harbour" } }],
    });
    await generate.click();
    await page.getByRole("button", { name: "Show Scene 2 in full size" }).waitFor();
  });

  it("are empty fields after a cast was drawn without them", async () => {
    const castId = await makeStory({ ...story, scenes: undefined, cast_only: true });
    const { page } = await open({ account: author, path: `/studio/stories/${castId}` });
    await page.getByRole("button", { name: "Use this cast" }).click();
    await page.getByLabel("What happens").first().waitFor();
    await expect.poll(() => scenePrompts(page)).toEqual(["", ""]);
  });

  it.each(looks)("are accessible: $name", async (look) => {
    const studio = await openStory(look);
    const { page } = studio;
    await page.getByRole("button", { name: "Show Scene 3 in full size" }).waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `story-scenes-${look.name}`);
    await page.getByRole("button", { name: "Add a scene" }).click();
    await page.getByRole("dialog").waitFor();
    await expectAccessible(studio);
  });
});
