import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, narrow, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

interface MadeJob {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

interface ShownJob {
  readonly operation: string;
  readonly cost_eur: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly result: {
    readonly width: number;
    readonly height: number;
    readonly formats: Readonly<Record<string, { readonly url: string }>>;
  };
}

const madeImage = (page: Page) => page.getByRole("button", { name: /^Show in full size/ });
const generate = (page: Page) => page.locator("form button[type=submit]").filter({ hasText: "€" });
const operation = (page: Page, name: string) =>
  page.getByRole("group", { name: "What to do" }).getByRole("radio", { name, exact: true });

async function makeImage(account: TestAccount): Promise<MadeJob> {
  const response = await callApi(account, "POST", "/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: "a boat on a lake",
  });
  return (await response.json()) as MadeJob;
}

/** The job that is made after a click, once it is shown. */
async function makeChange(page: Page, account: TestAccount, from: string): Promise<ShownJob> {
  await generate(page).click();
  await page.waitForURL((url) => ![null, from].includes(url.searchParams.get("job")));
  await madeImage(page).waitFor();
  const id = new URL(page.url()).searchParams.get("job");
  return (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as ShownJob;
}

describe.skipIf(!hasBrowser)("the tools of the Create page", () => {
  const open = useBrowser();

  it("scale the shown image up, at the price of the quote", async () => {
    const account = await newAccount();
    const { id, width } = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    const { page } = studio;
    await madeImage(page).waitFor();
    await operation(page, "Upscale").check();
    await page.getByLabel("Factor").fill("3");
    await page.getByRole("heading", { name: "Enlarge an image" }).waitFor();
    await page.getByRole("button", { name: /^Enlarge image.*€0.01/ }).waitFor();
    await expectAccessible(studio);
    const job = await makeChange(page, account, id);
    expect(job).toMatchObject({ operation: "upscale", cost_eur: "0.01" });
    expect(job.request).toMatchObject({ image: { job_id: id }, factor: 3 });
    expect(job.result.width).toBe(3 * width);
    // Beside each other, at once.
    const stage = page.getByRole("region", { name: "Result" });
    await stage.getByRole("img", { name: "Before" }).waitFor();
    await stage.getByText("After", { exact: true }).waitFor();
    await expectAccessible(studio);
  });

  it("choose the strength of an edit by a slider, or leave it to the model", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await madeImage(page).waitFor();
    await operation(page, "Edit").check();
    const slider = page.getByRole("slider", { name: "Strength" });
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Default");
    await slider.press("ArrowRight");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("0.55");
    await page.getByRole("button", { name: "Default" }).click();
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Default");
  });

  it("show a problem of the service beside its field", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    studio.allow(/status of 400/);
    const { page } = studio;
    await madeImage(page).waitFor();
    await operation(page, "Upscale").check();
    await page.getByLabel("Factor").fill("");
    await page.getByLabel("Width (px)").fill("3000");
    await page.getByRole("alert").filter({ hasText: "together with height" }).waitFor();
    await page.getByLabel("Height (px)").fill("3000");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("cut out a file that is chosen, without a prompt", async () => {
    const account = await newAccount();
    const { page } = await open({ account });
    await operation(page, "Cut out").check();
    await expect
      .poll(() => page.getByRole("button", { name: "Cut out image" }).isDisabled())
      .toBe(true);
    const shape = Buffer.from(
      '<svg width="256" height="256"><circle cx="128" cy="128" r="80" fill="#b3261e"/></svg>',
    );
    const png = await sharp({
      create: { width: 256, height: 256, channels: 3, background: "#f4efe6" },
    })
      .composite([{ input: shape }])
      .png()
      .toBuffer();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Choose image" }).click(),
    ]);
    await chooser.setFiles({ name: "disc.png", mimeType: "image/png", buffer: png });
    await generate(page).waitFor();
    const job = await makeChange(page, account, "");
    expect(job.operation).toBe("remove-background");
    const file = await fetch(job.result.formats["png"]?.url ?? "");
    const { hasAlpha } = await sharp(await file.arrayBuffer()).metadata();
    expect(hasAlpha).toBe(true);
  });

  it("extend an image by the pixels of each side", async () => {
    const account = await newAccount();
    const { id, width, height } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}`, viewport: narrow });
    await madeImage(page).waitFor();
    await operation(page, "Extend").check();
    await page.getByText("Exact pixels").click();
    await page.getByLabel("At the left (px)").fill("64");
    await page.getByLabel("At the right (px)").fill("");
    await page.getByLabel("Above (px)").fill("32");
    const job = await makeChange(page, account, id);
    expect(job.request).toMatchObject({ left: 64, top: 32 });
    expect(job.request).not.toHaveProperty("prompt");
    expect([job.result.width, job.result.height]).toEqual([width + 64, height + 32]);
  });

  it("erase an area only after it is marked", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await madeImage(page).waitFor();
    await operation(page, "Erase").check();
    await page.getByText("Mark what is to be removed.").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Erase the marked area" }).isDisabled())
      .toBe(true);
    await page.getByRole("button", { name: "Mark what to erase" }).click();
    await page.locator("canvas").waitFor();
    await page.getByText("Rectangle by numbers").click();
    await page.getByRole("button", { name: "Mark rectangle" }).click();
    await page.getByRole("button", { name: "Use this area" }).click();
    await page.getByText("The marked area is removed.").waitFor();
    const job = await makeChange(page, account, id);
    expect(job.request).toMatchObject({
      image: { job_id: id },
      mask: { upload_id: expect.any(String) },
    });
  });

  it("trace an image as an SVG file, whose request can be made again", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await madeImage(page).waitFor();
    await operation(page, "Trace").check();
    await page.getByLabel("Colours").fill("6");
    const job = await makeChange(page, account, id);
    expect(job.request).toMatchObject({ colors: 6 });
    await page.getByRole("link", { name: /^Download SVG/ }).waitFor();
    await operation(page, "New").check();
    await page.getByRole("button", { name: "Again with this seed" }).click();
    await expect.poll(() => page.getByLabel("Colours").inputValue()).toBe("6");
  });

  it("keep the image between them, and give the prompt back after them", async () => {
    const account = await newAccount();
    const { id } = await makeImage(account);
    const { page } = await open({ account, path: `/studio/?job=${id}` });
    await madeImage(page).waitFor();
    const prompt = page.getByLabel("Prompt", { exact: true });
    await prompt.fill("a draft of another image");
    await operation(page, "Vary").check();
    await page.getByLabel("Images", { exact: true }).fill("2");
    await page.getByRole("button", { name: /^Make 2 variations.*€0.02/ }).waitFor();
    await operation(page, "Upscale").check();
    await page.getByRole("button", { name: "Replace image" }).waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Factor").inputValue()).toBe("2");
    await operation(page, "New").check();
    await expect.poll(() => prompt.inputValue()).toBe("a draft of another image");
  });
});
