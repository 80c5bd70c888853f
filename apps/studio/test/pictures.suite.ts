import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { hasBrowser } from "./support/provided.ts";

interface MadeJob {
  readonly id: string;
  readonly formats: Readonly<Record<string, { readonly hash: string }>>;
}

async function makeImage(account: TestAccount, request: object = {}): Promise<MadeJob> {
  const response = await callApi(account, "POST", "/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: "an oak",
    ...request,
  });
  return (await response.json()) as MadeJob;
}

async function readJob(account: TestAccount, id: string) {
  const response = await callApi(account, "GET", `/v1/jobs/${id}`);
  return (await response.json()) as { readonly keep: { readonly status: string } | null };
}

const item = (page: Page, name: RegExp | string) => page.getByRole("menuitem", { name });

/** Moves up in an open menu until an item has the focus, from the last item on. */
async function moveUpTo(page: Page, name: string): Promise<void> {
  const count = await page.getByRole("menuitem").count();
  for (let moves = 0; moves < count; moves++) {
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (focused === name) return;
    await page.keyboard.press("ArrowUp");
  }
  throw new Error(`no item is called ${name}`);
}

const tileMenu = (page: Page) => page.getByRole("button", { name: "Actions: an oak" });

describe.skipIf(!hasBrowser)("the menu of a picture", () => {
  const open = useBrowser();

  it.each(looks)("has the same actions on every page: $name", async (look) => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}`, ...look });
    const { page } = studio;
    await page.getByRole("button", { name: "More actions" }).click();
    await item(page, "Keep").waitFor();
    const inCreate = await page.getByRole("menuitem").allTextContents();
    await expectAccessible(studio);
    await item(page, "Open in the library").click();
    await page.getByRole("dialog").getByRole("button", { name: "More actions" }).click();
    await item(page, "Keep").waitFor();
    const inDetails = await page.getByRole("menuitem").allTextContents();
    await expectAccessible(studio);
    // The first Escape closes the menu, the second one the details.
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tileMenu(page).click();
    await item(page, "Keep").waitFor();
    await expectAccessible(studio);
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(inDetails);
    expect(inDetails.slice(1)).toEqual(inCreate.slice(1));
  });

  it("downloads a file, byte for byte", async () => {
    const account = await newAccount();
    const { id, formats } = await makeImage(account);
    const { page } = await open({ account, path: "/studio/library" });
    await page.getByRole("link", { name: /^an oak/ }).hover();
    await tileMenu(page).click();
    const file = await download(page, () => item(page, /^Download JPEG/).click());
    expect(file.name).toBe(`atelier-${id}.jpeg`);
    expect(createHash("sha256").update(file.bytes).digest("hex")).toBe(formats["jpeg"]?.hash);
  });

  it("takes the second image of a job to Create, as a reference and to a tool", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account, { n: 2 });
    const { page } = await open({ account, path: `/studio/library?job=${id}` });
    const details = page.getByRole("dialog");
    await details.getByRole("button", { name: "Image 2 of 2" }).click();
    await details.getByRole("button", { name: "More actions" }).click();
    await item(page, "Use as reference").click();
    await expect.poll(() => page.getByLabel("What reference 1 shows").inputValue()).toBe("an oak");
    await page.goBack();
    await page.getByRole("dialog").getByRole("button", { name: "Image 2 of 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "More actions" }).click();
    await item(page, "Upscale").click();
    await page.getByRole("button", { name: /^Enlarge image.*€0.01/ }).click();
    await page.waitForURL(/job=/);
    const made = new URL(page.url()).searchParams.get("job");
    const job = (await (await callApi(account, "GET", `/v1/jobs/${made}`)).json()) as {
      request: object;
    };
    expect(job.request).toMatchObject({ image: { job_id: id, image: 1 } });
  });

  it("keeps the images of a job and ends that, with the keyboard alone", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await item(page, "Open in the library").waitFor();
    await page.keyboard.press("End");
    await moveUpTo(page, "Keep");
    await page.keyboard.press("Enter");
    await page.getByText("The images of this job are kept until you delete them.").waitFor();
    await page.getByText("You delete them", { exact: true }).waitFor();
    expect((await readJob(account, id)).keep?.status).toMatch(/^(pending|kept)$/);
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await item(page, "Open in the library").waitFor();
    await page.keyboard.press("ArrowUp");
    await moveUpTo(page, "Stop keeping");
    await page.keyboard.press("Enter");
    await page.getByText("You delete them", { exact: true }).waitFor({ state: "detached" });
    expect((await readJob(account, id)).keep).toBe(null);
  });

  it("compares a changed image with its original, by a slider and side by side", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const response = await callApi(account, "POST", "/v1/generate/upscale", {
      model: "builtin-upscaler",
      image: { job_id: id },
      factor: 2,
    });
    const { id: changedId } = (await response.json()) as MadeJob;
    const studio = await open({ account, path: `/studio/?job=${changedId}` });
    const { page } = studio;
    await page.getByRole("button", { name: "More actions" }).click();
    await item(page, "Compare with the original").click();
    const dialog = page.getByRole("dialog", { name: "Compare images" });
    const slider = dialog.getByRole("slider", { name: "Part of the first image" });
    await slider.fill("20");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("20% Before");
    await slider.press("ArrowLeft");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("19% Before");
    await expectAccessible(studio);
    await dialog.getByRole("radio", { name: "Side by side" }).check();
    const widths = () =>
      dialog
        .locator("figure img")
        .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
    await expect.poll(async () => (await widths())[0]).toBeGreaterThan(0);
    await expect.poll(async () => (await widths())[1]).toBe(2 * ((await widths())[0] ?? 0));
    await expectAccessible(studio);
  });

  it.each(looks)("compares two pictures of the library: $name", async (look) => {
    const account = await newAccount();
    await makeImage(account);
    await makeImage(account, { prompt: "a fox" });
    const studio = await open({ account, path: "/studio/library", ...look });
    const { page } = studio;
    await tileMenu(page).click();
    await item(page, "Select to compare").click();
    await page.getByRole("button", { name: "Actions: a fox" }).click();
    await item(page, "Compare with “an oak”").click();
    const dialog = page.getByRole("dialog", { name: "Compare images" });
    await dialog.getByRole("img", { name: "an oak" }).waitFor();
    await dialog.getByRole("img", { name: "a fox" }).waitFor();
    await expectAccessible(studio);
    await dialog.getByRole("radio", { name: "Side by side" }).check();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Actions: a fox" }).click();
    await item(page, "Select to compare").waitFor();
  });

  it("says that an original was deleted", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const response = await callApi(account, "POST", "/v1/generate/upscale", {
      model: "builtin-upscaler",
      image: { job_id: id },
      factor: 2,
    });
    const { id: changedId } = (await response.json()) as MadeJob;
    await callApi(account, "DELETE", `/v1/jobs/${id}/images`);
    const { page } = await open({ account, path: `/studio/?job=${changedId}` });
    await page.getByRole("button", { name: "More actions" }).click();
    await item(page, "Compare with the original").click();
    await page.getByText("One of the images was deleted.").waitFor();
    await expect
      .poll(() => page.getByRole("slider", { name: "Part of the first image" }).count())
      .toBe(0);
  });

  it("is closed by a tap beside it", async () => {
    const account = await newAccount();
    await makeImage(account);
    const { page } = await open({ account, path: "/studio/library", viewport: narrow });
    await tileMenu(page).tap();
    await item(page, "Keep").waitFor();
    await page.getByRole("heading", { name: "Library" }).tap();
    await expect.poll(() => page.getByRole("menuitem").count()).toBe(0);
  });
});
