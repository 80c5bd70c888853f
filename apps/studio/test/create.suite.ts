import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Locator, Page } from "playwright-core";
import { callApi, newAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, takePicture, useBrowser } from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const promptField = (page: Page) => page.getByLabel("Prompt", { exact: true });
const generateButton = (page: Page) => page.getByRole("button", { name: /^(Generate|Making)/ });

/** Waits for the result of the job that is shown. */
async function untilMade(page: Page): Promise<Locator> {
  const image = page.getByRole("button", { name: /^Show in full size/ }).locator("img");
  await image.waitFor();
  await expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth), {
      timeout: 60_000,
    })
    .toBeGreaterThan(0);
  return image;
}

describe.skipIf(!hasBrowser)("the Create page", () => {
  const open = useBrowser();

  it("makes an image from a prompt of the first visit, with the price before the click", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    const { page } = studio;
    await page.getByText("Your image appears here").waitFor();
    await page.getByRole("button", { name: /Fox at night/ }).click();
    await generateButton(page).getByText("€0.01").waitFor();
    await page.keyboard.press("Control+Enter");
    await untilMade(page);

    const jobId = new URL(page.url()).searchParams.get("job");
    const job = (await (await callApi(account, "GET", `/v1/jobs/${jobId}`)).json()) as {
      status: string;
      result: { image_hash: string };
    };
    expect(job.status).toBe("completed");
    await page.getByText("Balance").first().waitFor();
    await page.getByText("€9.99").first().waitFor();
    await expect
      .poll(() => page.locator("code").first().getAttribute("title"))
      .toBe(job.result.image_hash);

    await page.getByRole("button", { name: "Check" }).click();
    const verdict = page.getByRole("link", { name: "Registered as made here" });
    await expect.poll(() => verdict.getAttribute("href")).toContain(job.result.image_hash);
    await page.getByRole("button", { name: "Copy the SHA-256" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(job.result.image_hash);

    await page.reload();
    await untilMade(page);
    await expectAccessible(studio);
  });

  it.each(looks)("is accessible before and after an image: $name", async (look) => {
    const studio = await open(look);
    const { page } = studio;
    await expectAccessible(studio);
    await takePicture(studio, `create-empty-${look.name}`);
    await promptField(page).fill(
      look.colorScheme === "light"
        ? "A lighthouse on a rocky coast at sunset, two sailing boats, gulls, watercolour"
        : "A red fox in a snowy birch forest at night, moon and stars",
    );
    const settings = page.locator("summary").filter({ hasText: "Settings:" });
    if (look.viewport === narrow) await settings.click();
    await page.getByRole("radio", { name: "3:2" }).check();
    await expectAccessible(studio);
    if (look.viewport === narrow) await settings.click();
    await generateButton(page).click();
    await untilMade(page);
    await expectAccessible(studio);
    await takePicture(studio, `create-result-${look.name}`);
  });

  it("is usable at 360 and at 2,560 pixels", async () => {
    const studio = await open({ viewport: { width: 360, height: 700 } });
    await expectAccessible(studio);
    await studio.page.setViewportSize({ width: 2_560, height: 1_300 });
    await expectAccessible(studio);
  });

  it("keeps the draft in this browser, without bytes of images", async () => {
    const { page } = await open();
    await promptField(page).fill("an old harbour");
    await page.getByRole("radio", { name: "16:9" }).check();
    await page.getByLabel("Seed").fill("77");
    await page.reload();
    await expect.poll(() => promptField(page).inputValue()).toBe("an old harbour");
    await expect.poll(() => page.getByRole("radio", { name: "16:9" }).isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel("Seed").inputValue()).toBe("77");
  });

  it("keeps a draft for each tab, and begins a new tab with the newest", async () => {
    const { page } = await open();
    await promptField(page).fill("an old harbour");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect.poll(() => promptField(other).inputValue()).toBe("an old harbour");
    await promptField(other).fill("a mill by a river");
    await page.reload();
    await expect.poll(() => promptField(page).inputValue()).toBe("an old harbour");
    await other.reload();
    await expect.poll(() => promptField(other).inputValue()).toBe("a mill by a river");
    await other.close();
  });

  it("shows all images of n = 3, moves between them with arrow keys, and repeats one by its seed", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    const { page } = studio;
    await promptField(page).fill("a small boat on a lake");
    await page.getByRole("combobox", { name: "Images" }).selectOption("3");
    await page.getByLabel("Seed").fill("100");
    await page
      .getByRole("button", { name: /^Generate 3 images/ })
      .getByText("€0.03")
      .waitFor();
    await promptField(page).press("Control+Enter");
    await untilMade(page);
    const variants = page.getByRole("button", { name: /^Image \d of 3$/ });
    await expect.poll(() => variants.count()).toBe(3);
    await variants.first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.locator("[aria-pressed=true]").and(page.getByLabel("Image 3 of 3")).waitFor();
    await page.getByText("102", { exact: true }).waitFor();
    await expectAccessible(studio);

    await page.keyboard.press("z");
    await page.getByRole("dialog", { name: "Image" }).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("+");
    await page.getByText("150%").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Again with this seed" }).click();
    await expect.poll(() => page.getByLabel("Seed").inputValue()).toBe("102");
    await expect.poll(() => page.getByRole("combobox", { name: "Images" }).inputValue()).toBe("1");
    await expect.poll(() => promptField(page).inputValue()).toBe("a small boat on a lake");
  });

  it("shows the request as code that works in a shell", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    const { page } = studio;
    await promptField(page).fill('the captain\'s "old" boat');
    await page.getByRole("button", { name: "Code" }).click();
    await page.getByRole("dialog").waitFor();
    await expectAccessible(studio);
    const code = (await page.locator("pre").textContent()) ?? "";
    expect(code).toContain(`curl ${provided().url}/v1/generate/image`);
    expect(code).not.toContain("atl_live");
    const { stdout } = await promisify(execFile)("sh", ["-c", code], {
      env: { PATH: process.env["PATH"], ATELIER_API_KEY: account.key },
    });
    expect(JSON.parse(stdout)).toMatchObject({ ai_generated: true });
    await page.getByRole("radio", { name: "TypeScript" }).check();
    await page.getByText(`npm install ${provided().url}/packages/atelier-client.tgz`).waitFor();
  });

  it("moves to the next older image with the right arrow key", async () => {
    const account = await newAccount();
    for (const prompt of ["an oak", "a birch"]) {
      const response = await callApi(account, "POST", "/v1/generate/image", {
        model: "builtin-illustrator",
        prompt,
      });
      expect(response.status).toBe(200);
    }
    const { page } = await open({ account });
    await page.getByRole("link", { name: /^a birch/ }).click();
    await untilMade(page);
    await page.locator("#stage").press("ArrowRight");
    await page.getByRole("button", { name: "Show in full size: an oak" }).waitFor();
  });
});
