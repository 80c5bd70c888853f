import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, useBrowser } from "./support/browser.ts";
import { loseResponse, mintKey } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";
import { card, exported, importFile, scenePrompts } from "./support/stories.ts";

const examplePath = "/studio/stories/new?example";

async function openedForm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Generate story" }).getByText("€0.08").waitFor();
}

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: focused } = document;
    return focused?.getAttribute("aria-label") ?? focused?.tagName;
  });

async function storyCount(account: TestAccount | null): Promise<number> {
  if (account === null) throw new Error("the page has no account");
  const response = await callApi(account, "GET", "/v1/jobs?kind=story");
  const { jobs } = (await response.json()) as { jobs: unknown[] };
  return jobs.length;
}

describe.skipIf(!hasBrowser)("the form of a story", () => {
  const open = useBrowser();

  it("does not generate at Enter in a line of text", async () => {
    const { page, account } = await open({ path: examplePath });
    await openedForm(page);
    const orders: string[] = [];
    page.on("request", (request) => orders.push(new URL(request.url()).pathname));
    await page.getByLabel("Title", { exact: true }).press("Enter");
    await card(page, "Otto").getByLabel("Name", { exact: true }).press("Enter");
    await card(page, "Scene 1").getByLabel("Mira", { exact: true }).press("Enter");
    // The price is asked for after a pause in typing: later than an order would be.
    await page.getByRole("button", { name: "Remove Scene 4" }).click();
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.07").waitFor();
    expect(orders).toContain("/v1/quotes");
    expect(orders).not.toContain("/v1/generate/story");
    expect(await storyCount(account)).toBe(0);
  });

  it("makes a story once although its response was lost and the form was opened again", async () => {
    const studio = await open({ path: examplePath });
    const { page } = studio;
    studio.allow(/ERR_FAILED/);
    await openedForm(page);
    await loseResponse(page);
    await page.getByRole("button", { name: "Generate story" }).click();
    await page.getByText("The service cannot be reached.").waitFor();
    await page.getByRole("link", { name: "Library" }).first().click();
    await page.getByRole("heading", { name: "Library" }).waitFor();
    await page.goBack();
    await openedForm(page);
    await page.getByRole("button", { name: "Generate story" }).click();
    await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
    expect(await storyCount(studio.account)).toBe(1);
  });

  it("waits for the upload of a picture before it generates", async () => {
    const { page } = await open({ path: examplePath });
    await openedForm(page);
    const uploading = Promise.withResolvers<void>();
    await page.route("**/v1/uploads", async (route) => {
      await uploading.promise;
      await route.continue();
    });
    const buffer = await sharp({
      create: { width: 64, height: 64, channels: 3, background: "#1a7347" },
    })
      .png()
      .toBuffer();
    await page
      .getByLabel("Add a picture of Otto", { exact: true })
      .setInputFiles({ name: "otto.png", mimeType: "image/png", buffer });
    await page.getByText("A picture is being uploaded.").waitFor();
    const generate = page.getByRole("button", { name: "Generate story" });
    await expect.poll(() => generate.isDisabled()).toBe(true);
    uploading.resolve();
    await generate.getByText("€0.07").waitFor();
    await expect.poll(() => generate.isDisabled()).toBe(false);

    await page.getByRole("button", { name: "Remove the picture of Otto" }).click();
    await expect.poll(() => focusedName(page)).toBe("Add a picture of Otto");
  });

  it("offers the draft that a copy has replaced, also when it has only a picture", async () => {
    const account = await newAccount();
    const draft = {
      model: "builtin-illustrator",
      characters: [{ name: "Ada", description: "a woman with a notebook" }],
      scenes: [{ prompt: "Ada writes" }, { prompt: "Ada reads" }],
    };
    const generated = await callApi(account, "POST", "/v1/generate/story", draft);
    const { job_id: id } = (await generated.json()) as { job_id: string };
    await callApi(account, "DELETE", `/v1/jobs/${id}`);
    const { page } = await open({ account, path: "/studio/stories/new" });
    await card(page, "Scene 1").getByLabel("What happens").fill("My own scene");
    await page.getByRole("link", { name: "Stories" }).first().click();
    await page
      .getByRole("link", { name: /./ })
      .and(page.locator(`[href$="${id}"]`))
      .click();
    await page.getByRole("button", { name: "Edit a copy" }).click();
    await expect.poll(() => scenePrompts(page)).toEqual(["Ada writes", "Ada reads"]);
    await card(page, "Scene 1").getByLabel("What happens").fill("Ada sleeps");
    await page.getByRole("button", { name: "Restore it" }).click();
    await expect.poll(() => scenePrompts(page)).toEqual(["My own scene", ""]);
    await page.reload();
    await expect.poll(() => scenePrompts(page)).toEqual(["My own scene", ""]);
  });

  it("keeps the focus beside a part that was added or removed", async () => {
    const studio = await open({ path: examplePath });
    const { page } = studio;
    await openedForm(page);
    await page.getByRole("button", { name: "Add a scene" }).click();
    await expect.poll(() => focusedName(page)).toBe("TEXTAREA");
    await page.keyboard.type("They sail home");
    expect((await scenePrompts(page))[4]).toBe("They sail home");
    await page.getByRole("button", { name: "Remove Scene 2" }).click();
    await expect.poll(() => focusedName(page)).toBe("Scene 2");
    await page.getByRole("button", { name: "Remove Scene 4" }).click();
    await expect.poll(() => focusedName(page)).toBe("Scene 3");
    await page.getByRole("button", { name: "Remove Harbour" }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
      .toBe("Add a place");
    await page.getByRole("button", { name: "Remove Otto" }).click();
    await expect.poll(() => focusedName(page)).toBe("Mira");
    await page.getByRole("button", { name: "Add a look" }).click();
    await expect.poll(() => focusedName(page)).toBe("INPUT");
    await page.keyboard.type("pirate");
    await card(page, "Mira, pirate").waitFor();
    await expectAccessible(studio);
  });

  it("drops the problem of a scene that was removed, and of a name whose other was changed", async () => {
    const studio = await open({ path: examplePath });
    const { page } = studio;
    studio.allow(/status of 4(00|22)/);
    await openedForm(page);
    await card(page, "Scene 4").getByLabel("What happens").fill("");
    await page.getByRole("button", { name: "Generate story" }).click();
    await page.getByText("Correct the marked field.").waitFor();
    await page.getByRole("button", { name: "Remove Scene 4" }).click();
    await expect.poll(() => page.getByText("Correct the marked field.").count()).toBe(0);

    await card(page, "Otto").getByLabel("Name", { exact: true }).fill("Mira");
    const twice = page.getByText("occurs more than once");
    await twice.first().waitFor();
    await page.getByRole("button", { name: "Generate story" }).click();
    await page.getByText("Correct the 2 marked fields.").waitFor();
    await card(page, "Mira").first().getByLabel("Name", { exact: true }).fill("Anna");
    await expect.poll(() => twice.count()).toBe(0);
    await expect.poll(() => page.getByText(/Correct the .* marked field/).count()).toBe(0);
  });

  it("keeps the settings open while the last one is removed", async () => {
    const { page } = await open({ path: "/studio/stories/new" });
    await page.getByText("More settings").click();
    const seed = page.getByLabel("Seed", { exact: true });
    await seed.fill("7");
    await seed.press("Backspace");
    await seed.pressSequentially("42");
    await expect.poll(() => seed.inputValue()).toBe("42");
  });

  it("refuses files that are no story, and keeps the page when a file is dropped beside a card", async () => {
    const { page } = await open({ path: examplePath });
    await openedForm(page);
    const story = await exported(page);
    const dialog = page.getByRole("dialog", { name: "This file is not a story" });
    for (const [content, problem] of [
      ["[]", "must be an object"],
      [{ version: 2, story }, "model is required"],
      [{ ...story, scenes: Array.from({ length: 30 }, () => ({ prompt: "a" })) }, "at most 10"],
      [{ ...story, characters: Array.from({ length: 11 }, () => ({})) }, "characters"],
    ] as const) {
      await importFile(page, typeof content === "string" ? content : JSON.stringify(content));
      await dialog.getByText(problem).first().waitFor();
      // Not an order of the form behind it.
      await page.keyboard.press("Control+Enter");
      await page.keyboard.press("Escape");
    }
    await page.getByRole("heading", { name: "Places" }).evaluate((element) => {
      const data = new DataTransfer();
      data.items.add(new File(["a"], "a.png", { type: "image/png" }));
      const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
      element.dispatchEvent(event);
      if (!event.defaultPrevented) throw new Error("the browser opens the file");
    });
    await page.getByText("Drop the picture on a character, a look or a place.").waitFor();
    expect(await exported(page)).toEqual(story);
  });

  it("says that a picture of an imported story is not kept any more", async () => {
    const studio = await open({ path: "/studio/stories/new" });
    const { page } = studio;
    studio.allow(/status of 4(04|22|00)/);
    const reference = { upload_id: "0198c3a0-1111-7222-8333-444455556666" };
    const story = {
      model: "builtin-illustrator",
      characters: [{ name: "Mira", description: "a girl", reference }],
      // A picture that no scene needs is not read.
      scenes: [{ prompt: "a", characters: [{ name: "Mira" }] }, { prompt: "b" }],
    };
    await importFile(page, JSON.stringify(story));
    await card(page, "Mira").getByText("Not kept any more: choose it again").waitFor();
    await page.getByRole("button", { name: "Generate story" }).click();
    await card(page, "Mira").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Remove the picture of Mira" }).click();
    await page.getByRole("button", { name: "Generate story" }).getByText("€0.03").waitFor();
    expect(await exported(page)).not.toHaveProperty("characters.0.reference");
  });

  it("tells the budget of a key from the balance, and what a key lacks", async () => {
    const owner = await newAccount();
    const poor = await mintKey(owner, {
      name: "poor",
      budget: { eur: "0.05", period: "month" },
    });
    const { page } = await open({ account: poor, path: examplePath });
    await page.getByText("The budget of your API key does not cover this request.").waitFor();

    const reader = await mintKey(owner, { name: "reader", scopes: ["read"] });
    const other = await open({ account: reader, path: examplePath });
    other.allow(/status of 403/);
    await other.page.getByText("This key has no scope generate.").waitFor();
    await expect.poll(() => other.page.getByText("budget").count()).toBe(0);
  });
});
