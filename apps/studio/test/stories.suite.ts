import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { download } from "./support/downloads.ts";
import {
  expectAccessible,
  looks,
  takePicture,
  useBrowser,
  type Studio,
} from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";
import { card, exported, importFile, scenePrompts, shownId } from "./support/stories.ts";

const waitMs = 110_000;

/** Waits until the story is on its board and completed, with an image in every card. */
async function untilFilled(page: Page, images: number): Promise<void> {
  await page.getByRole("button", { name: "Download all" }).waitFor({ timeout: waitMs });
  await expect.poll(() => loadedImages(page), { timeout: waitMs }).toBe(images);
}

/** How many images the cards show; those below the window load when they come into view. */
async function loadedImages(page: Page): Promise<number> {
  const images = await page.locator("figure img").all();
  let loaded = 0;
  for (const image of images) {
    await image.scrollIntoViewIfNeeded();
    if (await image.evaluate((element: HTMLImageElement) => element.naturalWidth > 0)) loaded += 1;
  }
  return loaded;
}

async function fillSubject(group: Locator, name: string, appearance: string): Promise<void> {
  await group.getByLabel("Appearance").fill(appearance);
  await group.getByLabel("Name", { exact: true }).fill(name);
}

describe.skipIf(!hasBrowser)("stories", () => {
  const open = useBrowser();
  let author: TestAccount;
  /** The story of the example, completed by the first test. */
  let storyId: string;

  beforeAll(async () => {
    author = await newAccount();
  });

  it("makes a story of two characters from the example in three clicks", async () => {
    const studio = await open({ account: author });
    const { page } = studio;
    await page.getByRole("link", { name: "Stories" }).first().click();
    await page.getByText("No stories yet").waitFor();
    await expectAccessible(studio);
    await page.getByRole("link", { name: "Start from an example" }).click();
    const generate = page.getByRole("button", { name: "Generate story" });
    await generate.getByText("€0.08").waitFor();
    await generate.click();

    await page.getByRole("progressbar", { name: "Progress of the story" }).waitFor();
    await expectAccessible(studio);
    await takePicture(studio, "story-live");
    await untilFilled(page, 8);
    storyId = shownId(page);
    const story = (await (await callApi(author, "GET", `/v1/jobs/${storyId}`)).json()) as {
      status: string;
      request: { characters: unknown[] };
    };
    expect(story.status).toBe("completed");
    expect(story.request.characters).toHaveLength(2);
    await page.getByText("€9.92").first().waitFor();
  });

  it.each(looks)("shows the list, the form and a finished story: $name", async (look) => {
    const studio = await open({ ...look, account: author, path: "/studio/stories" });
    const { page } = studio;
    const entry = page.getByRole("link", { name: /The lantern/ });
    await entry.waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `stories-${look.name}`);
    await entry.click();
    await untilFilled(page, 8);
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(studio);
    await takePicture(studio, `story-${look.name}`);

    await page.getByRole("button", { name: "Show Scene 1 in full size" }).click();
    const viewer = page.getByRole("dialog");
    await viewer.locator("img").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `story-viewer-${look.name}`);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Contact sheet" }).click();
    await page.getByRole("button", { name: "Print or save as PDF" }).waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `story-sheet-${look.name}`);

    await page.goto(new URL("/studio/stories/new?example", page.url()).href);
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.08").waitFor();
    await page.locator("summary").first().click();
    await expectAccessible(studio);
    await page.locator("summary").first().click();
    await expect.poll(() => scenePrompts(page)).toHaveLength(4);
    await takePicture(studio, `story-form-${look.name}`);
  });

  it("walks through the images with the arrow keys, with their files and hashes", async () => {
    const { page } = await open({ account: author, path: `/studio/stories/${storyId}` });
    await page.getByRole("button", { name: "Show Scene 4 in full size" }).focus();
    await page.keyboard.press("Enter");
    const viewer = page.getByRole("dialog", { name: "Scene 4" });
    await viewer.getByText("Image 8 of 8").waitFor();
    const story = (await (await callApi(author, "GET", `/v1/jobs/${storyId}`)).json()) as {
      result: { scenes: { image_hash: string }[] };
    };
    await viewer.getByText(story.result.scenes[3]?.image_hash ?? "none").waitFor();
    for (const format of ["PNG", "JPEG", "WEBP"]) {
      await viewer.getByRole("link", { name: `Download ${format}` }).waitFor();
    }
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "Mira", exact: true }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await viewer.waitFor();
    await page.keyboard.press("Escape");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Show Scene 4 in full size");
  });

  it("downloads all images as a ZIP", async () => {
    const { page } = await open({ account: author, path: `/studio/stories/${storyId}` });
    const { name, bytes: zip } = await download(page, () =>
      page.getByRole("button", { name: "Download all" }).click(),
    );
    expect(name).toBe("the-lantern.zip");
    expect(zip.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    expect(zip.toString("latin1").split("PK\u0001\u0002")).toHaveLength(1 + 8);
  });

  it("shows all scenes in the same width, on the page and on the contact sheet", async () => {
    // The last row has fewer scenes than the others.
    for (const path of ["", "/sheet"]) {
      const { page } = await open({ account: author, path: `/studio/stories/${storyId}${path}` });
      await page.getByRole("img", { name: "Otto greets Mira at dusk" }).first().waitFor();
      const widths = await page
        .getByRole("main")
        .locator("ol > li")
        .evaluateAll((items) =>
          items.map((item) => Math.round(item.getBoundingClientRect().width)),
        );
      expect(widths.length).toBeGreaterThanOrEqual(4);
      expect(new Set(widths).size).toBe(1);
    }
  });

  it("prints the contact sheet without what surrounds it", async () => {
    const { page } = await open({ account: author, path: `/studio/stories/${storyId}/sheet` });
    await page.getByRole("img", { name: "Otto greets Mira at dusk with a lantern" }).waitFor();
    await expect.poll(() => page.getByRole("navigation").count()).toBe(1);
    await page.emulateMedia({ media: "print" });
    await page.getByRole("heading", { name: "The lantern" }).waitFor();
    await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
    await expect.poll(() => page.getByRole("button").count()).toBe(0);
  });

  it("makes a scene again beside the old one and leaves the job of the story unchanged", async () => {
    const studio = await open({ account: author, path: `/studio/stories/${storyId}` });
    const { page } = studio;
    const hash = async () =>
      (
        (await (await callApi(author, "GET", `/v1/jobs/${storyId}`)).json()) as {
          result: { scenes: { image_hash: string }[] };
        }
      ).result.scenes[1]?.image_hash;
    const before = await hash();
    await page.getByRole("button", { name: "Make again: Scene 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Make scene 2 again" });
    await dialog.getByLabel("What happens").fill("Mira laughs in the rain, with a fox");
    await dialog
      .getByRole("button", { name: "Make this scene again" })
      .getByText("€0.01")
      .waitFor();
    await expectAccessible(studio);
    await dialog.getByRole("button", { name: "Make this scene again" }).click();
    const again = page.getByRole("button", { name: "Show Scene 2, version 2 in full size" });
    await again.waitFor({ timeout: waitMs });
    await page.getByRole("button", { name: "Show Scene 2 in full size" }).waitFor();
    await page.reload();
    await again.waitFor({ timeout: waitMs });
    expect(await hash()).toBe(before);
    await takePicture(studio, "story-again");
  });

  it("shows the newest version of a scene, or the chosen one, on page, contact sheet and in the ZIP", async () => {
    const studio = await open({ account: author, path: `/studio/stories/${storyId}` });
    const { page } = studio;
    const readJson = async (path: string) =>
      (await (await callApi(author, "GET", path)).json()) as Record<string, unknown>;
    const { jobs } = (await readJson(`/v1/jobs?metadata.studio_story=${storyId}`)) as {
      jobs: { id: string; result: { image_url: string } }[];
    };
    const story = (await readJson(`/v1/jobs/${storyId}`)) as {
      result: { scenes: { image_url: string }[] };
    };
    const bytesOf = async (url = "") => Buffer.from(await (await fetch(url)).arrayBuffer());
    const [newest, own] = await Promise.all([
      bytesOf(jobs[0]?.result.image_url),
      bytesOf(story.result.scenes[1]?.image_url),
    ]);
    async function archive(): Promise<Buffer> {
      const file = await download(page, () =>
        page.getByRole("button", { name: "Download all" }).click(),
      );
      return file.bytes;
    }
    const shown = page.getByRole("figure").filter({ hasText: "In the story" });
    const sheet = () => page.getByRole("link", { name: "Contact sheet" }).click();
    const captions = page.getByRole("article").getByRole("listitem");

    await shown.getByText("Scene 2, version 2").waitFor();
    await expect.poll(() => shown.count()).toBe(1);
    const zip = await archive();
    expect([zip.includes(newest), zip.includes(own)]).toEqual([true, false]);
    await sheet();
    await captions.getByText("Mira laughs in the rain, with a fox").waitFor();
    await page.goBack();

    await page.getByRole("button", { name: "Use this version: Scene 2", exact: true }).click();
    await page.getByRole("button", { name: "Use this version: Scene 2, version 2" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Use this version: Scene 2, version 2" }).waitFor();
    await expect.poll(() => shown.getByText("Scene 2", { exact: true }).count()).toBe(1);
    await expectAccessible(studio);
    const chosen = await archive();
    expect([chosen.includes(newest), chosen.includes(own)]).toEqual([false, true]);
    await sheet();
    await captions.getByText(/waits under a tree|Rain falls/).waitFor();
    await expect.poll(() => captions.getByText("Mira laughs in the rain").count()).toBe(0);
  });

  it("chooses only versions of the scene, in stories of the account", async () => {
    const { page, context } = await open({ account: author, path: "/studio/stories" });
    const { origin } = new URL(page.url());
    const choose = async (story: string, scene: string, jobId: string | null) => {
      const response = await context.request.put(
        `${origin}/studio/stories/${story}/scenes/${scene}`,
        { headers: { "X-Atelier-Studio": "1", Origin: origin }, data: { job_id: jobId } },
      );
      return response.status();
    };
    const other = await newAccount();
    const generated = await callApi(other, "POST", "/v1/generate/image", {
      model: "builtin-pattern",
      prompt: "a sea",
    });
    const { id: foreign } = (await generated.json()) as { id: string };
    expect(await choose(storyId, "2", foreign)).toBe(400);
    expect(await choose(storyId, "9", storyId)).toBe(400);
    expect(await choose(storyId, "1.5", storyId)).toBe(400);
    expect(await choose(foreign, "1", foreign)).toBe(404);
    expect(await choose(storyId, "2", null)).toBe(200);
  });

  it("builds a story by hand with a state, a picture of a character, a place and three scenes", async () => {
    const account = await newAccount();
    const studio = await open({ account, path: "/studio/stories/new" });
    const { page } = studio;
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.03").waitFor();
    await expectAccessible(studio);
    const picture = await sharp({
      create: { width: 64, height: 64, channels: 3, background: "#b34a1a" },
    })
      .png()
      .toBuffer();

    await page.getByLabel("Title", { exact: true }).fill("Two friends");
    await page.getByLabel("Style", { exact: true }).fill("watercolour");
    const first = card(page, "Character 1");
    await first.getByRole("button", { name: "Add a look" }).click();
    await first.getByLabel("Look", { exact: true }).fill("rain");
    await first.getByLabel("What is different").fill("wearing a yellow raincoat");
    await fillSubject(first, "Mira", "a girl with long red hair and a green coat");
    await page.getByRole("button", { name: "Add a character" }).click();
    const second = card(page, "Character 2");
    await second
      .getByLabel("Add a picture of Character 2", { exact: true })
      .setInputFiles({ name: "otto.png", mimeType: "image/png", buffer: picture });
    await second.getByRole("button", { name: "Remove the picture" }).waitFor();
    await fillSubject(second, "Otto", "an old man with a white beard");
    await page.getByRole("button", { name: "Add a place" }).click();
    await fillSubject(card(page, "Place 1"), "Harbour", "a harbour with a lighthouse");
    await page.getByRole("button", { name: "Add a scene" }).click();
    for (const number of [1, 2, 3]) {
      const scene = card(page, `Scene ${number}`);
      await scene.getByLabel("What happens").fill(`The friends walk, part ${number}`);
      await scene.getByLabel("Mira", { exact: true }).check();
    }
    await card(page, "Scene 2").getByLabel("Look of Mira").selectOption("rain");
    await card(page, "Scene 2").getByLabel("Otto", { exact: true }).check();
    await card(page, "Scene 3").getByLabel("Place").selectOption("Harbour");
    await card(page, "Scene 3").getByLabel("Aspect ratio").selectOption("16:9");
    await expectAccessible(studio);

    // The draft, without image bytes, survives a reload.
    await page.reload();
    await card(page, "Otto").locator("img").waitFor();
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
      .not.toContain("base64");

    await page.getByLabel("Title", { exact: true }).press("Control+Enter");
    // Two portraits are made less the picture of Otto: Mira, her look, the harbour and three scenes.
    await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
    await untilFilled(page, 7);
    const story = (await (await callApi(account, "GET", `/v1/jobs/${shownId(page)}`)).json()) as {
      renders_total: number;
      request: { scenes: unknown[]; characters: unknown[] };
    };
    expect(story.renders_total).toBe(6);
    expect(story.request.characters[1]).toMatchObject({
      name: "Otto",
      reference: { upload_id: expect.any(String) as string },
    });
    expect(story.request.scenes).toMatchObject([
      { characters: [{ name: "Mira" }] },
      { characters: [{ name: "Mira", state: "rain" }, { name: "Otto" }] },
      { characters: [{ name: "Mira" }], location: "Harbour", aspect_ratio: "16:9" },
    ]);
  });

  it("takes pictures that are dropped and pasted", async () => {
    const { page } = await open({ path: "/studio/stories/new?example" });
    const bytes = await sharp({
      create: { width: 64, height: 64, channels: 3, background: "#1a7347" },
    })
      .png()
      .toBuffer();
    for (const [name, type] of [
      ["Mira", "drop"],
      ["Harbour", "paste"],
    ] as const) {
      const field = card(page, name).getByLabel("Appearance");
      await field.evaluate(
        (element, { type: event, bytes: content }) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(content)], "a.png", { type: "image/png" }));
          const options = { bubbles: true, cancelable: true };
          element.dispatchEvent(
            event === "drop"
              ? new DragEvent(event, { ...options, dataTransfer: data })
              : new ClipboardEvent(event, { ...options, clipboardData: data }),
          );
        },
        { type, bytes: [...bytes] },
      );
      await card(page, name).getByLabel(`Change the picture of ${name}`).waitFor();
    }
    expect(await exported(page)).toMatchObject({
      characters: [{ reference: { upload_id: expect.any(String) as string } }, {}],
      locations: [{ reference: { upload_id: expect.any(String) as string } }],
    });
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.06").waitFor();
    await page.getByRole("button", { name: "Remove the picture of Mira", exact: true }).click();
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.07").waitFor();
  });

  it("shows errors of the service beside the fields they concern", async () => {
    const studio = await open({ path: "/studio/stories/new?example" });
    const { page } = studio;
    await card(page, "Scene 2").getByLabel("What happens").fill("");
    await card(page, "Otto").getByLabel("Name", { exact: true }).fill("Mira");
    studio.allow(/status of 4(00|22)/);
    await card(page, "Mira").nth(1).getByText("occurs more than once").waitFor();
    await page.getByRole("button", { name: "Generate story" }).click();
    const prompt = card(page, "Scene 2").getByLabel("What happens");
    await card(page, "Scene 2").getByRole("alert").filter({ hasText: "required" }).waitFor();
    await expect.poll(() => prompt.getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(studio);
    await prompt.fill("Mira waits");
    await expect.poll(() => prompt.getAttribute("aria-invalid")).toBeNull();
  });

  it("orders scenes with the keyboard, keeps the focus and announces the position", async () => {
    const { page } = await open({ path: "/studio/stories/new?example" });
    await page.getByRole("heading", { name: "Scene 4" }).waitFor();
    const [first, second, third, fourth] = await scenePrompts(page);
    await card(page, "Scene 1").getByLabel("What happens").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByText("Scene 1 is now scene 2 of 4.").waitFor();
    await expect.poll(() => scenePrompts(page)).toEqual([second, first, third, fourth]);
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => scenePrompts(page)).toEqual([second, third, first, fourth]);
    await expect
      .poll(() =>
        page.evaluate(() => (document.activeElement as HTMLTextAreaElement | null)?.value),
      )
      .toBe(first);

    const up = page.getByRole("button", { name: "Move Scene 2 up" });
    await up.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => scenePrompts(page)).toEqual([third, second, first, fourth]);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Move Scene 1 up");
    // It is the first scene now: nothing moves.
    await page.keyboard.press("Enter");
    await expect.poll(() => scenePrompts(page)).toEqual([third, second, first, fourth]);
  });

  it("orders scenes by drag", async () => {
    const { page } = await open({ path: "/studio/stories/new?example" });
    await page.getByRole("heading", { name: "Scene 4" }).waitFor();
    const [first, second, third, fourth] = await scenePrompts(page);
    await card(page, "Scene 2").scrollIntoViewIfNeeded();
    const handle = card(page, "Scene 1").getByTitle("Drag to move this scene");
    await handle.scrollIntoViewIfNeeded();
    const from = await handle.boundingBox();
    const to = await card(page, "Scene 2").boundingBox();
    if (from === null || to === null) throw new Error("the scenes are not visible");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x, to.y + to.height - 8, { steps: 6 });
    await page.mouse.up();
    await expect.poll(() => scenePrompts(page)).toEqual([second, first, third, fourth]);
  });

  it("exports the request of the API and imports it again", async () => {
    const { page } = await open({ path: "/studio/stories/new?example" });
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.08").waitFor();
    const story = await exported(page);
    expect(story).toMatchObject({
      model: "builtin-illustrator",
      characters: [{ name: "Mira", states: { raincoat: {} } }, { name: "Otto" }],
    });
    await page.getByRole("button", { name: "Clear the form" }).click();
    await expect.poll(() => scenePrompts(page)).toEqual(["", ""]);
    await importFile(page, JSON.stringify(story));
    await expect.poll(() => scenePrompts(page)).toHaveLength(4);
    expect(await exported(page)).toEqual(story);
  });

  it("tells what is wrong with a broken file and keeps the draft", async () => {
    const studio = await open({ path: "/studio/stories/new?example" });
    const { page } = studio;
    await page.getByRole("heading", { name: "Scene 4" }).waitFor();
    const story = await exported(page);
    const dialog = page.getByRole("dialog", { name: "This file is not a story" });
    await importFile(page, "{ not JSON");
    await dialog.getByText("The file is not JSON").waitFor();
    await page.keyboard.press("Escape");
    await importFile(
      page,
      JSON.stringify({ ...story, charakters: [], scenes: [{ prompt: "<img src=x onerror=x>" }] }),
    );
    await dialog.getByText("charakters", { exact: true }).waitFor();
    await dialog.getByText('did you mean "characters"?').waitFor();
    await dialog.getByText("scenes", { exact: true }).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await importFile(
      page,
      JSON.stringify({
        ...story,
        scenes: [{ prompt: "a", characters: [{ name: "Nobody" }] }, { prompt: "b" }],
      }),
    );
    await dialog.getByText("The file has no character “Nobody”.").waitFor();
    await page.keyboard.press("Escape");
    expect(await exported(page)).toEqual(story);
  });

  it("marks the text of a refused story, until it is changed", async () => {
    const account = await newAccount();
    const studio = await open({ account, path: "/studio/stories/new?example" });
    studio.allow(/422/);
    const { page } = studio;
    const text = card(page, "Scene 3").getByLabel("What happens");
    await text.fill("a zombie with its guts spilling out");
    await page.getByRole("button", { name: "Generate story" }).click();
    await page.getByText("Correct the marked field.").waitFor();
    await page.getByText("This was refused: gore.").waitFor();
    await expect.poll(() => text.getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(studio);
    await takePicture(studio, "story-refused");
    await text.fill("a zombie waving");
    await expect.poll(() => text.getAttribute("aria-invalid")).toBeNull();
  });

  it("says until when the images are kept", async () => {
    const { page } = await open({ account: author, path: `/studio/stories/${storyId}` });
    const kept = page.getByText("The images are kept until");
    await kept.waitFor();
    await expect.poll(() => kept.innerText()).toMatch(/until \d+ \w+ \d{4}, \d\d:\d\d\.$/);
  });

  it("tells a story that does not exist from one that cannot be read", async () => {
    const studio = await open({ path: "/studio/stories/0198c3a0-1111-7222-8333-444455556666" });
    const { page } = studio;
    studio.allow(/status of (404|500)/);
    await page.getByRole("heading", { name: "This story does not exist." }).waitFor();
    await expectAccessible(studio);
    await page.getByRole("button", { name: "To all stories" }).click();
    await page.getByText("No stories yet").waitFor();

    const other = await open({ account: author, path: "/studio/stories" });
    other.allow(/status of 500/);
    await other.page.route("**/v1/jobs/*", (route) => route.fulfill({ status: 500, json: {} }));
    await other.page.getByRole("link", { name: /The lantern/ }).click();
    const retry = other.page.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await expect.poll(() => other.page.getByText("does not exist").count()).toBe(0);
    await other.page.unroute("**/v1/jobs/*");
    await retry.click();
    await other.page.getByRole("heading", { name: "The lantern" }).waitFor();
  });

  it("holds names without a space on a narrow screen", async () => {
    const account = await newAccount();
    const name = "Wolfeschlegelsteinhausenbergerdorff".repeat(2);
    const characters = [{ name, description: "a man with a hat" }];
    const generated = await callApi(account, "POST", "/v1/generate/story", {
      model: "builtin-illustrator",
      title: name,
      characters,
      scenes: [{ prompt: name, characters: [{ name }] }, { prompt: "a" }],
    });
    const { job_id: id } = (await generated.json()) as { job_id: string };
    const viewport = { width: 360, height: 780 };
    const studio = await open({ account, viewport, path: `/studio/stories/${id}` });
    const { page } = studio;
    await untilFilled(page, 3);
    const caption = page.locator("figcaption strong").first();
    const [text, image] = await Promise.all([
      caption.boundingBox(),
      page.locator("figure").first().boundingBox(),
    ]);
    expect(text?.width).toBeLessThanOrEqual(image?.width ?? 0);
    await page.getByRole("link", { name: "Contact sheet" }).click();
    await page.getByRole("button", { name: "Print or save as PDF" }).waitFor();
    await expectAccessible(studio);
    const sheet = await page.locator("article").boundingBox();
    expect((sheet?.x ?? 0) + (sheet?.width ?? 0)).toBeLessThanOrEqual(360);
  });

  it("shows that images are not kept any more, with their hashes", async () => {
    const removed = await callApi(author, "DELETE", `/v1/jobs/${storyId}/images`);
    expect(removed.status).toBe(200);
    const studio = await open({ account: author, path: `/studio/stories/${storyId}` });
    const { page } = studio;
    const { result } = (await removed.json()) as {
      result: { scenes: { image_hash: string }[] };
    };
    const hash = result.scenes[0]?.image_hash.slice(0, 12) ?? "none";
    await page.getByText(`SHA-256 ${hash}…`).waitFor();
    await expect.poll(() => page.getByText("Not kept any more").count()).toBe(8);
    await expectAccessible(studio);
  });

  describe("on a service that stops", () => {
    let stack: Stack;
    let api: Stack["api"];

    beforeAll(async () => {
      stack = await startStack({
        postgresUrl: provided().postgresUrl,
        processes: true,
        workers: 0,
      });
      api = stack.api;
    });
    afterAll(() => stack?.stop());

    /** Opens a story whose images are being made. */
    async function openRunning() {
      const { provider } = stack;
      provider.behave(() => ({ kind: "hang" }));
      const account = await stack.createAccount();
      const generated = await stack.request(account, "POST", "/v1/generate/story", {
        model: "fake-blind",
        characters: [{ name: "Mira", description: "a girl with a yellow coat" }],
        scenes: [{ prompt: "Mira flies a kite" }, { prompt: "Mira climbs a tree" }],
      });
      const { job_id: id } = (await generated.json()) as { job_id: string };
      const worker = await stack.startWorker();
      const path = `/studio/stories/${id}`;
      const studio = await open({ account, url: stack.url, path });
      studio.allow(/Failed to load resource|status of 50/);
      await studio.page.getByText("Being made").first().waitFor();
      return { ...studio, worker, studio };
    }
    /** Five seconds, and the time that a busy machine takes to show it. */
    const lostWithinMs = 8_000;
    const lost = ({ page }: Pick<Studio, "page">) =>
      page.getByRole("status").getByText("The connection to the service is lost.");

    it("shows within 5 s that all processes were killed, and goes on when they are back", async () => {
      const { page, worker, studio } = await openRunning();
      const title = page.getByRole("heading", { level: 1 });
      await expect.poll(() => title.innerText()).toBe("Mira");
      const killedAt = performance.now();
      await Promise.all([api.kill(), worker.kill()]);
      await lost({ page }).waitFor();
      expect(performance.now() - killedAt).toBeLessThan(lostWithinMs);
      await page.getByText("No connection").first().waitFor();
      await expect.poll(() => page.getByText("Being made").count()).toBe(0);
      await expectAccessible(studio);
      stack.provider.behave(() => ({ kind: "image" }));
      [api] = await Promise.all([stack.startApi(), stack.startWorker()]);
      await untilFilled(page, 3);
      await lost({ page }).waitFor({ state: "detached" });
      // The title is the same before and after the end.
      await expect.poll(() => title.innerText()).toBe("Mira");
      await page.context().close();
    });

    it("shows within 5 s that the service is silent although its connections are open", async () => {
      const { page, worker } = await openRunning();
      process.kill(api.pid, "SIGSTOP");
      const stoppedAt = performance.now();
      try {
        await lost({ page }).waitFor();
        expect(performance.now() - stoppedAt).toBeLessThan(lostWithinMs);
        await expect.poll(() => page.getByText("Being made").count()).toBe(0);
      } finally {
        process.kill(api.pid, "SIGCONT");
      }
      await lost({ page }).waitFor({ state: "detached" });
      await page.getByText("Being made").first().waitFor();
      await worker.kill();
      await page.context().close();
    });
  });

  describe("on workers that stop", () => {
    let stack: Stack;

    beforeAll(async () => {
      stack = await startStack({
        postgresUrl: provided().postgresUrl,
        processes: true,
        workers: 0,
      });
    });
    afterAll(() => stack?.stop());

    /** Opens the form with the example, on a model that the test controls. */
    async function openExample(): Promise<Studio> {
      const account = await stack.createAccount();
      const studio = await open({
        account,
        url: stack.url,
        path: "/studio/stories/new?example",
      });
      const model = studio.page.getByLabel("Model", { exact: true });
      await model.selectOption("fake-blind");
      await studio.page
        .getByRole("button", { name: "Generate story" })
        .getByText("€0.40")
        .waitFor();
      await studio.page.getByRole("button", { name: "Generate story" }).click();
      return studio;
    }

    it("cancels a story without charge", async () => {
      const studio = await openExample();
      const { page } = studio;
      await page.getByText("Waiting", { exact: true }).first().waitFor();
      await expectAccessible(studio);
      await page.getByText("€0.40 held for jobs").first().waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("This story was cancelled. Nothing was charged.").waitFor();
      await expectAccessible(studio);
      await page.getByText("€10.00").first().waitFor();
      await expect.poll(() => page.getByText("Not made", { exact: true }).count()).toBe(8);
    });

    it("cancels a scene that is made again", async () => {
      const worker = await stack.startWorker();
      const { page } = await openExample();
      await untilFilled(page, 8);
      await worker.kill();
      await page.getByRole("button", { name: "Make again: Scene 3" }).click();
      const dialog = page.getByRole("dialog", { name: "Make scene 3 again" });
      await dialog.getByLabel("What happens").press("Control+Enter");
      await page.getByRole("button", { name: "Cancel: Scene 3, version 2" }).click();
      await page.getByText("Not made", { exact: true }).waitFor();
      await page.getByText("€9.60").first().waitFor();
      await expect.poll(() => page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    });

    it("fills all cards although the worker is killed while it makes an image", async () => {
      const { provider } = stack;
      const earlier = provider.calls.length;
      // The first call of each image never ends; its worker is killed.
      let mustHang = true;
      provider.behave(() => ({ kind: mustHang ? "hang" : "image" }));
      const { page } = await openExample();
      const doomed = await stack.startWorker();
      await page.getByText("Being made").first().waitFor();
      await doomed.kill();
      mustHang = false;
      await stack.startWorker();
      await untilFilled(page, 8);
      await page.getByText("€9.60").first().waitFor();
      const calls = provider.calls.slice(earlier).filter(({ paid }) => paid);
      expect(new Set(calls.map(({ key }) => key)).size).toBe(8);
    });
  });
});
