import { describe, expect, it } from "vitest";
import { callApi, newAccount } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { accountWithImages, makeImage } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("what a user expects without asking", () => {
  const open = useBrowser();

  it("the prompt has the focus in a new form, and not beside a result", async () => {
    const account = await newAccount();
    await makeImage(account);
    const { page } = await open({ account });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    const { jobs } = (await (await callApi(account, "GET", "/v1/jobs")).json()) as {
      jobs: { id: string }[];
    };
    await page.goto(new URL(`/studio/?job=${jobs[0]?.id}`, page.url()).href);
    await page.getByText("1024 × 1024", { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  });

  it("the error of a refused file goes with the next request", async () => {
    const { page } = await open();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Add reference" }).click(),
    ]);
    await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    const refusal = page.getByRole("alert").filter({ hasText: "notes.txt" });
    await refusal.waitFor();
    await page.locator("textarea").first().fill("a boat");
    await page.getByRole("button", { name: /^Generate image.*€/ }).click();
    await refusal.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Keep", exact: true }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it.each(looks)("a prompt that was not understood is named: $name", async (look) => {
    const account = await newAccount();
    const response = await callApi(account, "POST", "/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: "ثعلب أحمر في الغابة 🦊",
    });
    const { id } = (await response.json()) as { id: string };
    const studio = await open({ account, path: `/studio/?job=${id}`, ...look });
    const { page } = studio;
    const warning = page.getByText(/The model cannot read: ثعلب.*It drew a pattern/);
    await warning.waitFor();
    await expectAccessible(studio);
    await page.goto(new URL("/studio/library", page.url()).href);
    const tile = page.getByRole("link", { name: /ثعلب/ });
    await tile.waitFor();
    const name = tile.locator("[dir=auto]");
    await expect.poll(() => name.evaluate((element) => element.matches(":dir(rtl)"))).toBe(true);
    await tile.click();
    await page
      .getByRole("dialog")
      .getByText(/The model cannot read: ثعلب/)
      .waitFor();
    await expectAccessible(studio);
  });

  it("a reload of the library keeps its place in a long list", async () => {
    const account = await accountWithImages(200);
    const { page } = await open({ account, path: "/studio/library" });
    await page.getByText("60 jobs shown, scroll for more").waitFor();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.evaluate(() => scrollY);
      })
      .toBeGreaterThan(6_000);
    const before = await page.evaluate(() => scrollY);
    await page.reload();
    await expect.poll(() => page.evaluate(() => Math.abs(scrollY))).toBe(before);
  });

  it("two selected pictures are compared by one button", async () => {
    const account = await accountWithImages(3);
    const { page } = await open({ account, path: "/studio/library" });
    await page.getByRole("button", { name: "Select", exact: true }).click();
    const checks = page.getByRole("list", { name: "Jobs" }).getByRole("checkbox");
    await checks.nth(0).click();
    await checks.nth(1).click();
    await page.getByRole("button", { name: "Compare" }).click();
    await page
      .getByRole("dialog")
      .getByRole("slider", { name: "Part of the first image" })
      .waitFor();
    await expect.poll(() => page.getByRole("dialog").getByRole("img").count()).toBe(2);
  });

  it("the menu of a picture has all changes, and deletes after a question", async () => {
    const account = await newAccount();
    await makeImage(account, "builtin-illustrator");
    const { page } = await open({ account, path: "/studio/library" });
    await page.getByRole("link", { name: "a lighthouse at dusk" }).hover();
    await page.getByRole("button", { name: "Actions: a lighthouse at dusk" }).click();
    for (const name of ["Edit", "Upscale", "Cut out", "Extend", "Erase a part", "Trace", "Vary"]) {
      await page.getByRole("menuitem", { name, exact: true }).waitFor();
    }
    await page.getByRole("menuitem", { name: "Delete images" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete images" }).click();
    await page.getByText("Image deleted").first().waitFor();
    const { jobs } = (await (await callApi(account, "GET", "/v1/jobs")).json()) as {
      jobs: { result: object }[];
    };
    expect(jobs[0]?.result).not.toHaveProperty("image_url");
  });
});
