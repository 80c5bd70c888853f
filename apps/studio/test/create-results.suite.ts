import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, narrow, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { hasBrowser } from "./support/provided.ts";

interface MadeJob {
  readonly id: string;
  readonly formats: Readonly<Record<string, { readonly hash: string }>>;
}

const promptField = (page: Page) => page.getByLabel("Prompt", { exact: true });
const madeImage = (page: Page) => page.getByRole("button", { name: /^Show in full size/ });
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function makeImage(account: TestAccount, request: object = {}): Promise<MadeJob> {
  const response = await callApi(account, "POST", "/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: "an oak",
    ...request,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as MadeJob;
}

async function requestOf(page: Page, account: TestAccount): Promise<Record<string, unknown>> {
  const id = new URL(page.url()).searchParams.get("job");
  const job = (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as {
    request: Record<string, unknown>;
  };
  return job.request;
}

describe.skipIf(!hasBrowser)("a result of the Create page", () => {
  const open = useBrowser();

  it("is downloaded in each format, and its URL is copied", async () => {
    const account = await newAccount();
    const { id, formats } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await madeImage(page).waitFor();
    expect(Object.keys(formats)).toEqual(["png", "jpeg", "webp"]);
    for (const [format, { hash }] of Object.entries(formats)) {
      const link = page.getByRole("link", { name: `Download ${format.toUpperCase()}` });
      const file = await download(page, () => link.click());
      expect(file.name).toMatch(new RegExp(`^atelier-.*\\.${format}$`));
      expect(hashOf(file.bytes)).toBe(hash);
    }
    await page.getByRole("button", { name: "Copy URL" }).click();
    const url = await page.evaluate(() => navigator.clipboard.readText());
    const copied = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(hashOf(copied)).toBe(formats["png"]?.hash);
  });

  it("names the model, and checks the image that is shown", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account, { n: 2 });
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await page.getByRole("definition").filter({ hasText: "Illustrator" }).waitFor();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("link", { name: "Registered as made here" }).waitFor();
    await page.getByRole("button", { name: "Image 2 of 2" }).click();
    await page.getByRole("button", { name: "Check" }).waitFor();
    await expect.poll(() => page.getByText("Registered as made here").count()).toBe(0);
  });

  it("becomes a reference when it is dragged onto the form, once", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account });
    const form = page.getByRole("form", { name: "New image" });
    const image = page.getByRole("link", { name: /^an oak/ });
    await page.getByRole("button", { name: "Add reference" }).waitFor();
    await image.dragTo(form);
    await expect.poll(() => page.getByLabel("What reference 1 shows").inputValue()).toBe("an oak");
    await image.dragTo(form);
    await page.getByText("This image is a reference already.").waitFor();
    await promptField(page).fill("the same oak in winter");
    await page.keyboard.press("Control+Enter");
    await madeImage(page).waitFor();
    expect((await requestOf(page, account))["reference_images"]).toMatchObject([{ job_id: id }]);
  });

  it("gives the prompt back when editing it is stopped", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await promptField(page).fill("a draft of another image");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("What to change").fill("make it night");
    await page.getByRole("button", { name: "Back to a new image" }).click();
    await expect.poll(() => promptField(page).inputValue()).toBe("a draft of another image");
  });

  it("appears with motion, unless the system asks for none", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    const image = madeImage(page).locator("img");
    const duration = () => image.evaluate((one) => getComputedStyle(one).animationDuration);
    expect(Number.parseFloat(await duration())).toBeLessThan(0.001);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await expect.poll(duration).toBe("0.24s");
  });
});

describe.skipIf(!hasBrowser)("settings of the Create page", () => {
  const open = useBrowser();

  it("allow more with the strictness Liberal, and stay open while they are used", async () => {
    const account = await newAccount();
    const { page } = await open({ account });
    await page.getByText("More settings").click();
    const strictness = page.getByLabel("Strictness");
    await strictness.selectOption("Normal");
    await strictness.selectOption("Of the account: Normal");
    await expect.poll(() => strictness.isVisible()).toBe(true);
    await strictness.selectOption("Liberal");
    await promptField(page).fill("a zombie with its guts spilling out");
    await page.keyboard.press("Control+Enter");
    await madeImage(page).waitFor();
    expect(await requestOf(page, account)).toMatchObject({ strictness: "liberal" });
  });

  it("are used by touch", async () => {
    const account = await newAccount();
    const studio = await open({ account, viewport: narrow });
    const { page } = studio;
    await page.getByRole("button", { name: /Lighthouse/ }).tap();
    await page.locator("summary").filter({ hasText: "Settings:" }).tap();
    await page.getByRole("radio", { name: "16:9" }).tap({ force: true });
    await page.getByText("More settings").tap();
    await page.getByLabel("Strictness").selectOption("Liberal");
    await expectAccessible(studio);
    await page.getByRole("button", { name: /^Generate image.*€0.01/ }).tap();
    await madeImage(page).tap();
    await page.getByRole("dialog", { name: "Image" }).getByRole("button", { name: "Larger" }).tap();
    await page.getByText("150%").waitFor();
    await page.getByRole("button", { name: "Close" }).tap();
    expect(await requestOf(page, account)).toMatchObject({
      aspect_ratio: "16:9",
      strictness: "liberal",
    });
  });
});
