import { beforeAll, describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { makeImage, mintKey, spreadOverDays } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("the Usage page", () => {
  const open = useBrowser();
  /** An account with images of two keys and two models, on several days. */
  let account: TestAccount;

  beforeAll(async () => {
    account = await newAccount();
    const formula = await mintKey(account, { name: '=HYPERLINK("http://x","y")' });
    const owners = [account, formula, account, account, formula, account, formula];
    for (const [index, owner] of owners.entries()) {
      await makeImage(owner, index % 3 === 0 ? "fake-blind" : "builtin-pattern");
    }
    await spreadOverDays(account, 3);
  });

  it("shows the sums of the service by day, and each day by keyboard", async () => {
    const { page } = await open({ account, path: "/studio/usage" });
    await page.getByRole("table").waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(1 + 7 + 1);
    const chart = page.getByRole("group", { name: /Cost per day/ });
    await expect.poll(() => chart.getByRole("img").count()).toBe(30);
    await chart.getByRole("img").last().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.locator("figcaption").getByText("1 image of 1 job").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator("figcaption").getByText("0 images of 0 jobs").waitFor();
    const response = await callApi(account, "GET", "/v1/usage");
    const { total } = (await response.json()) as { total: { cost_eur: string } };
    await page
      .getByRole("row", { name: /^Total/ })
      .getByText(total.cost_eur)
      .waitFor();
  });

  it("keeps the period and the rows in the address", async () => {
    const { page } = await open({ account, path: "/studio/usage?days=7&by=model" });
    await page.getByRole("rowheader", { name: "fake-blind" }).waitFor();
    await expect.poll(() => page.getByRole("radio", { name: "7 days" }).isChecked()).toBe(true);
    await page.getByText("By kind").waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "Kind" }).check();
    await page.getByRole("rowheader", { name: "Images" }).waitFor();
    await page.reload();
    await page.getByRole("rowheader", { name: "Images" }).waitFor();
    await page.goBack();
    await page.getByRole("rowheader", { name: "fake-blind" }).waitFor();
  });

  it("exports the figures of the table, with names that no spreadsheet runs", async () => {
    const { page } = await open({ account, path: "/studio/usage?by=key" });
    await page.getByRole("rowheader", { name: /HYPERLINK/ }).waitFor();
    const file = await download(page, () =>
      page.getByRole("button", { name: "Export CSV" }).click(),
    );
    expect(file.name).toMatch(/^usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d-by-key\.csv$/);
    const [head, ...rows] = file.bytes.toString().trimEnd().split("\r\n");
    expect(head).toBe("key,key_name,jobs,failed,images,cost_eur");
    const response = await callApi(account, "GET", "/v1/usage?group_by=key");
    const usage = (await response.json()) as {
      rows: { key: string; jobs: number; images: number; cost_eur: string }[];
    };
    expect(rows).toHaveLength(usage.rows.length);
    for (const [index, { key, jobs, images, cost_eur }] of usage.rows.entries()) {
      expect(rows[index]).toMatch(new RegExp(`^"${key}",".+",${jobs},0,${images},${cost_eur}$`));
    }
    expect(file.bytes.toString()).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
  });

  it("describes a period that the service refuses, and lets another one be chosen", async () => {
    const studio = await open({ account, path: "/studio/usage?from=2020-01-01&to=2026-01-01" });
    studio.allow(/400/);
    const { page } = studio;
    await page.getByText("at most 366 days").waitFor();
    await page.getByRole("button", { name: /2020/ }).click();
    await page.getByLabel("First day").fill("2026-01-02");
    await page.keyboard.press("Enter");
    await page.getByText("must not be after the last one").waitFor();
    await expectAccessible(studio);
    await page.getByLabel("First day").fill("2025-12-31");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing was made in this period").waitFor();
    await expect.poll(() => new URL(page.url()).search).toContain("from=2025-12-31");
  });

  it("shows what the key may still send in this minute", async () => {
    const { page } = await open({ account, path: "/studio/usage" });
    const heading = page.getByRole("heading", { name: "Requests per minute" });
    const limits = page.locator("section").filter({ has: heading });
    await limits.getByText(/^1,\d{3} of 1,200 left$/).waitFor();
    await expect.poll(() => limits.getByRole("meter").count()).toBe(1);
    await page.getByRole("link", { name: "New image" }).first().click();
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/v1/generate/image")),
      page.getByRole("button", { name: /Generate image/ }).click(),
    ]);
    await page.getByRole("link", { name: "Usage" }).first().click();
    await limits.getByText(/^(299|300) of 300 left$/).waitFor();
    await expect.poll(() => limits.getByRole("meter").count()).toBe(2);
  });

  it("leads to the statement", async () => {
    const { page } = await open({ account, path: "/studio/usage" });
    await page.getByRole("link", { name: "Statement" }).click();
    await page.getByRole("region", { name: "Transactions" }).first().waitFor();
    await expect
      .poll(() => new URL(page.url()).pathname + new URL(page.url()).hash)
      .toBe("/studio/account#transactions");
  });

  it("shows a key without the scope read only its limits, and says so", async () => {
    const limited = await mintKey(account, { name: "blind", scopes: ["generate"] });
    const studio = await open({ account: limited, path: "/studio/usage" });
    const { page } = studio;
    await page.getByText("Your permissions do not include the usage of the account.").waitFor();
    await page.getByText("Requests per minute").waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "Statement" }).count()).toBe(0);
    await expectAccessible(studio);
  });

  it.each(looks)("is accessible, empty and with each kind of rows: $name", async (look) => {
    const empty = await open({ ...look, path: "/studio/usage" });
    await empty.page.getByText("Nothing was made in this period").waitFor();
    await expectAccessible(empty);
    const studio = await open({ ...look, account, path: "/studio/usage" });
    await studio.page.getByRole("table").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `usage-${look.name}`);
    for (const by of ["Model", "Key"]) {
      await studio.page.getByRole("radio", { name: by }).check();
      await studio.page.getByRole("columnheader", { name: by }).waitFor();
      await expectAccessible(studio);
    }
    await takePicture(studio, `usage-keys-${look.name}`);
  });
});
