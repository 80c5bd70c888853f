import { topUp } from "@atelier/billing";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, openDatabase, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { download } from "./support/downloads.ts";
import { makeImage, mintKey } from "./support/jobs.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const path = "/studio/account";

async function readAccount(account: TestAccount): Promise<object> {
  return (await (await callApi(account, "GET", "/v1/account")).json()) as object;
}

describe.skipIf(!hasBrowser)("the Account page", () => {
  const open = useBrowser();

  it("lists the sessions, and signs out one or all", async () => {
    const account = await newAccount();
    await open({ account });
    const { page } = await open({ account, path });
    const buttons = page.getByRole("button", { name: /^Sign out the session/ });
    await expect.poll(() => buttons.count()).toBe(2);
    await page.getByRole("listitem").filter({ hasText: "studio" }).getByRole("button").click();
    await expect.poll(() => buttons.count()).toBe(1);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
  });

  it("lists the transactions in pages, newest first", async () => {
    const account = await newAccount();
    for (let times = 0; times < 22; times++) {
      await topUp(openDatabase(), {
        accountId: account.accountId,
        amountMicroEur: 1_000_000n,
        reference: `invoice ${times}`,
      });
    }
    await makeImage(account, "fake-blind");
    const { page } = await open({ account, path });
    const transactions = page.getByRole("table");
    const first = transactions.getByRole("row").nth(1);
    await expect.poll(() => first.textContent()).toMatch(/Charge.*Job .*-€0\.05/);
    await expect.poll(() => transactions.getByRole("row").count()).toBe(1 + 20);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("invoice 0", { exact: true }).waitFor();
    await expect.poll(() => transactions.getByRole("row").count()).toBe(1 + 24);
    await expect.poll(() => page.getByRole("button", { name: "Show more" }).count()).toBe(0);
    await page.getByRole("definition").filter({ hasText: "€31.95" }).first().waitFor();
    await page.getByRole("link", { name: /^Job …/ }).click();
    await page.waitForURL(/library\?job=/);
  });

  it("changes the settings, and describes wrong values beside their fields", async () => {
    const account = await newAccount();
    const studio = await open({ account, path });
    studio.allow(/400/);
    const { page } = studio;
    await page.getByLabel("Keep images (hours)").fill("0");
    await page.getByLabel("Low balance (EUR)").fill("soon");
    await page.getByRole("button", { name: "Save" }).click();
    const problems = page.getByRole("alert");
    await problems.nth(1).waitFor();
    await expect
      .poll(() => problems.allTextContents())
      .toEqual([
        expect.stringContaining("at least 1"),
        expect.stringContaining("an amount in EUR"),
      ]);
    await page.getByLabel("Keep images (hours)").fill("12h");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be a number.").waitFor();
    await page.getByLabel("Keep images (hours)").fill("12");
    await page.getByLabel("Low balance (EUR)").fill("2.50");
    await page.getByRole("radio", { name: /^Liberal/ }).check();
    await page.keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await readAccount(account)).toMatchObject({
      strictness: "liberal",
      retention_hours: 12,
      low_balance_eur: "2.50",
    });
    await page.getByLabel("Low balance (EUR)").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => readAccount(account)).toMatchObject({ low_balance_eur: null });
  });

  it("asks before a shorter retention, with the number of images and the time of their deletion", async () => {
    const account = await newAccount();
    for (let times = 0; times < 3; times++) await makeImage(account);
    await openDatabase().query(
      `UPDATE generation SET completed_at = completed_at - interval '20 h'
        WHERE id = (SELECT id FROM generation WHERE account_id = $1 ORDER BY id LIMIT 1)`,
      [account.accountId],
    );
    const { retention_hours: before } = (await readAccount(account)) as {
      retention_hours: number;
    };
    expect(before).toBeGreaterThan(20);
    const studio = await open({ account, path });
    const { page } = studio;
    await page.getByText("to existing images as well").waitFor();
    await page.getByLabel("Keep images (hours)").fill("12");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Keep images for 12 hours only?" });
    await dialog.getByText("1 image is older than 12 hours, and deleted within minutes.").waitFor();
    const later = dialog.getByText(
      /^2 images are deleted earlier than with the current setting: .*\d\d:\d\d/,
    );
    await later.waitFor();
    await expectAccessible(studio);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await readAccount(account)).toMatchObject({ retention_hours: before });

    await page.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Keep images for 12 hours" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await readAccount(account)).toMatchObject({ retention_hours: 12 });

    // Keeping them longer deletes nothing.
    await page.getByLabel("Keep images (hours)").fill("13");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => readAccount(account)).toMatchObject({ retention_hours: 13 });
  });

  it("shows beside the field what was refused after the question", async () => {
    const account = await newAccount();
    await makeImage(account);
    const studio = await open({ account, path });
    studio.allow(/400/);
    const { page } = studio;
    await page.getByLabel("Keep images (hours)").fill("12");
    await page.getByLabel("Low balance (EUR)").fill("soon");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Keep images for 12 hours" }).click();
    await page.getByRole("alert").getByText("an amount in EUR").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("keeps a setting that another tab has changed", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path });
    await page.getByLabel("Low balance (EUR)").fill("1");
    await callApi(account, "PATCH", "/v1/account", { strictness: "liberal" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await readAccount(account)).toMatchObject({
      strictness: "liberal",
      low_balance_eur: "1.00",
    });
  });

  it("saves all data as a file that is complete", async () => {
    const account = await newAccount();
    await makeImage(account);
    const { page } = await open({ account, path });
    const file = await download(page, () =>
      page.getByRole("button", { name: "Download all data" }).click(),
    );
    expect(file.name).toBe(`atelier-${account.accountId}.jsonl`);
    const lines = file.bytes
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; lines?: number });
    expect(lines.map(({ type }) => type)).toEqual([
      "account",
      "key",
      "job",
      "transfer",
      "transfer",
      "transfer",
      "end",
    ]);
    expect(lines.at(-1)?.lines).toBe(6);
    expect(file.bytes.toString()).not.toContain(account.key);
  });

  it("does not save an export that ended early", async () => {
    const studio = await open({ path });
    const { page } = studio;
    let downloads = 0;
    page.on("download", () => downloads++);
    await page.route("**/v1/account/export", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.slice(0, text.lastIndexOf('{"type":"end"')) });
    });
    await page.getByRole("button", { name: "Download all data" }).click();
    await page.getByText("The export stopped before its end").waitFor();
    expect(downloads).toBe(0);
  });

  it("says what only the operator can do, and with which id", async () => {
    const account = await newAccount();
    const studio = await open({ account, path });
    const { page } = studio;
    await page.getByText("Only the operator of this service can erase an account").waitFor();
    await page.getByText(account.accountId).waitFor();
    await expectAccessible(studio);
  });

  it("hides from a key the parts that it may not use, and names them", async () => {
    const limited = await mintKey(await newAccount(), { name: "limited", scopes: ["generate"] });
    const studio = await open({ account: limited, path });
    const { page } = studio;
    await page.getByText("parts: Settings, Transactions, Shared links, Your data.").waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    for (const name of ["Save", "Download all data"]) {
      await expect.poll(() => page.getByRole("button", { name }).count()).toBe(0);
    }
    await expectAccessible(studio);
  });

  it("hides the settings from managers", async () => {
    const account = await newAccount();
    const body = { name: "Mira", role: "manager" };
    const response = await callApi(account, "POST", "/v1/members", body);
    const { link } = (await response.json()) as { link: string };
    const { page } = await open({ account: null, path: `/studio/${new URL(link).hash}` });
    await page.getByTitle(/^Signed in as Mira/).waitFor();
    await page.goto(provided().url + path);
    await page.getByText("parts: Settings.").waitFor();
    await page.getByRole("button", { name: "Download all data" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save" }).count()).toBe(0);
  });

  it("shows when to try again after a 429", async () => {
    const studio = await open({ path });
    studio.allow(/429/);
    const { page } = studio;
    await page.route("**/v1/account/export", (route) =>
      route.fulfill({
        status: 429,
        headers: { "Retry-After": "7" },
        json: { error: "rate_limited", message: "Too many requests.", details: null },
      }),
    );
    await page.getByRole("button", { name: "Download all data" }).click();
    await page.getByText("Try again in 7 seconds.").waitFor();
    await expectAccessible(studio);
  });

  it.each(looks)("is accessible, also without transactions: $name", async (look) => {
    const empty = await open({ ...look, account: await newAccount("0"), path });
    await empty.page.getByText("No transactions yet").waitFor();
    await expectAccessible(empty);
    const account = await newAccount();
    await makeImage(account);
    await makeImage(account, "fake-blind");
    const studio = await open({ ...look, account, path });
    await studio.page.getByRole("table").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `account-${look.name}`);
  });
});
