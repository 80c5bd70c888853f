import { describe, expect, it } from "vitest";
import { texts as german } from "../src/languages/de/texts/account.ts";
import { texts as english } from "../src/texts/account.ts";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { makeImage } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

const title = "a lighthouse at dusk";

async function accountWithImage(): Promise<TestAccount> {
  const account = await newAccount();
  await makeImage(account);
  return account;
}

async function kept(account: TestAccount): Promise<number> {
  const response = await callApi(account, "GET", "/v1/kept");
  return ((await response.json()) as { kept: unknown[] }).kept.length;
}

describe.skipIf(!hasBrowser)("images that stay", () => {
  const open = useBrowser();

  it("are kept by one click on a tile, which says their size and how long they live", async () => {
    const account = await accountWithImage();
    const { page } = await open({ account, path: "/studio/library" });
    const tile = page.getByRole("list", { name: "Jobs" }).getByRole("listitem").first();
    await tile.getByText("1024 × 1024 · 23 hours left").waitFor();
    await page.getByText("Kept: 0 kB of 1,000 MB").waitFor();
    await tile.getByRole("link").hover();
    await page.getByRole("button", { name: `Keep: ${title}` }).click();
    await tile.getByText("1024 × 1024 · Kept").waitFor();
    await expect
      .poll(() => page.getByRole("meter").evaluate((meter) => (meter as HTMLMeterElement).value))
      .toBeGreaterThan(0);
    expect(await kept(account)).toBe(1);
    // Also from the details, and from the result in Create.
    await tile.getByRole("link").click();
    const keep = page.getByRole("dialog").getByRole("button", { name: /^(Keep|Kept)$/ });
    await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("true");
    await keep.click();
    await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("false");
    await page.getByText("1024 × 1024", { exact: true }).waitFor();
    expect(await kept(account)).toBe(0);
  });

  it("are kept by one click on a result, which says its size", async () => {
    const account = await accountWithImage();
    const { jobs } = (await (await callApi(account, "GET", "/v1/jobs")).json()) as {
      jobs: { id: string }[];
    };
    const { page } = await open({ account, path: `/studio/?job=${jobs[0]?.id}` });
    await page.getByText("1024 × 1024", { exact: true }).waitFor();
    const keep = page.getByRole("button", { name: /^(Keep|Kept)$/ });
    await keep.click();
    await expect.poll(() => keep.getAttribute("aria-pressed")).toBe("true");
    expect(await kept(account)).toBe(1);
  });

  it.each([
    { name: "English", locale: "en-IE", texts: english.account, star: "Star: " },
    { name: "German", locale: "de-DE", texts: german.account, star: "Stern: " },
  ])("are those that the account stars, if it says so, in $name", async (language) => {
    const { locale, texts, star } = language;
    const account = await accountWithImage();
    const { page } = await open({ account, locale, path: "/studio/account" });
    await page.getByRole("checkbox", { name: texts.keepStarred }).check();
    const save = locale === "de-DE" ? german.common.save : english.common.save;
    await page.getByRole("button", { name: save }).click();
    await page.getByText(texts.saved, { exact: true }).first().waitFor();
    await page.reload();
    await expect
      .poll(() => page.getByRole("checkbox", { name: texts.keepStarred }).isChecked())
      .toBe(true);
    await page.getByRole("link", { name: /^(Library|Bibliothek)$/ }).click();
    await page.getByRole("link", { name: title }).hover();
    await page.getByRole("button", { name: star + title }).click();
    await expect.poll(() => kept(account)).toBe(1);
  });

  it.each(looks)("are accessible: $name", async (look) => {
    const account = await accountWithImage();
    const studio = await open({ account, path: "/studio/library", ...look });
    const { page } = studio;
    await page.getByRole("link", { name: title }).hover();
    await page.getByText("Kept: 0 kB of 1,000 MB").waitFor();
    await page.getByRole("button", { name: `Keep: ${title}` }).click();
    await page.getByText("1024 × 1024 · Kept").waitFor();
    await expectAccessible(studio);
    await page.goto(new URL("/studio/account", page.url()).href);
    await page.getByRole("checkbox", { name: english.account.keepStarred }).waitFor();
    await expectAccessible(studio);
  });
});
