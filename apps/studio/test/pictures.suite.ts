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
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tileMenu(page).click();
    await item(page, "Keep").waitFor();
    await expectAccessible(studio);
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(inDetails);
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
    await page.getByRole("button", { name: /^Generate image.*€0.01/ }).click();
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
    await page.keyboard.press("Enter");
    await page.getByText("The images of this job are kept until you delete them.").waitFor();
    await page.getByText("Until you delete them", { exact: true }).waitFor();
    expect((await readJob(account, id)).keep?.status).toMatch(/^(pending|kept)$/);
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Stop keeping");
    await page.keyboard.press("Enter");
    await page.getByText("Until you delete them", { exact: true }).waitFor({ state: "detached" });
    expect((await readJob(account, id)).keep).toBe(null);
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
