import { describe, expect, it } from "vitest";
import { callApi, newAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { makeImage, mintKey } from "./support/jobs.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const path = "/studio/keys";

function statusWith(key: string, route = "/v1/models"): Promise<number> {
  return fetch(provided().url + route, { headers: { Authorization: `Bearer ${key}` } }).then(
    ({ status }) => status,
  );
}

describe.skipIf(!hasBrowser)("the Keys page", () => {
  const open = useBrowser();

  it("creates a key that is shown once and cannot be lost by a stray click or Escape", async () => {
    const account = await newAccount();
    const studio = await open({ account, path });
    const { page } = studio;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Claude on my laptop");
    await page.getByLabel("Amount (EUR)").fill("0.50");
    await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
    const dialog = page.getByRole("dialog", { name: 'The key "Claude on my laptop"' });
    const key = (await dialog.locator("code").textContent()) ?? "";
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith(key, "/v1/keys")).toBe(403);

    await page.mouse.click(5, 5);
    for (let times = 0; times < 4; times++) await page.keyboard.press("Escape");
    await expect.poll(() => dialog.locator("code").textContent()).toBe(key);
    await expectAccessible(studio);
    await dialog.getByRole("button", { name: "Copy the key" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await page.getByText(`•••• ${key.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it("creates one key for two clicks before the page is drawn again", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path });
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("twice");
    const create = page.getByRole("dialog").getByRole("button", { name: "Create a key" });
    await create.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await page.getByRole("dialog", { name: 'The key "twice"' }).waitFor();
    const { keys } = (await (await callApi(account, "GET", "/v1/keys")).json()) as {
      keys: object[];
    };
    expect(keys).toHaveLength(2);
  });

  it("refuses an end that is over or incomplete, and creates no key", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path });
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("late");
    const dialog = page.getByRole("dialog");
    await page.getByLabel("Last day").fill("2020-01-31");
    await dialog.getByRole("button", { name: "Create a key" }).click();
    await dialog.getByText("This day is over.").waitFor();
    await page.getByLabel("Last day").fill("");
    await page.getByLabel("Last day").press("1");
    await dialog.getByRole("button", { name: "Create a key" }).click();
    await dialog.getByText("Complete the date").waitFor();
    const { keys } = (await (await callApi(account, "GET", "/v1/keys")).json()) as {
      keys: object[];
    };
    expect(keys).toHaveLength(1);
  });

  it("shows the limit that binds each key, of a spent budget as well", async () => {
    const account = await newAccount("1");
    const budget = { eur: "0.05", period: "month" };
    const spent = await mintKey(account, { name: "spent", scopes: ["generate"], budget });
    await mintKey(account, { name: "generous", budget: { eur: "5", period: "day" } });
    await makeImage(spent, "fake-blind");
    const { page } = await open({ account, path });
    const item = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await item("spent").getByText("€0.00 left to spend: its budget").waitFor();
    await item("spent").getByText("of €0.05 per month").waitFor();
    await item("spent").getByText("It starts again on").waitFor();
    await item("generous").getByText("€0.95 left to spend: the balance of the account").waitFor();
    await item("studio").getByText("€0.95 left to spend: the balance of the account").waitFor();
    await expect.poll(() => page.getByText(/unlimited/i).count()).toBe(0);
    await page.getByRole("button", { name: 'Edit "spent"' }).click();
    await page.getByText("It has spent €0.05 so far.").waitFor();
    await page.getByLabel("Amount (EUR)").fill("0.01");
    await page.getByText("It has spent €0.05 already").waitFor();
  });

  it("changes a budget and permissions, and describes a wrong amount beside it", async () => {
    const account = await newAccount();
    const minted = await mintKey(account, { name: "CI", scopes: ["generate"] });
    const studio = await open({ account, path });
    studio.allow(/400/);
    const { page } = studio;
    await page.getByRole("button", { name: 'Edit "CI"' }).click();
    await page.getByLabel("Limit what its jobs may cost").check();
    await page.getByLabel("Amount (EUR)").fill("a lot");
    await page.getByRole("checkbox", { name: /^Read/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    const problem = page.getByRole("alert");
    await expect.poll(() => problem.textContent()).toContain("an amount in EUR");
    const field = page.getByLabel("Amount (EUR)");
    await expect
      .poll(() => field.getAttribute("aria-describedby"))
      .toBe(await problem.getAttribute("id"));
    await field.fill("3");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("of €3.00 per month").waitFor();
    const list = await callApi(account, "GET", "/v1/keys");
    const { keys } = (await list.json()) as { keys: { id: string }[] };
    expect(keys.find(({ id }) => id === minted.id)).toMatchObject({
      scopes: ["generate", "read"],
      budget: { eur: "3.00", period: "month" },
      expires_at: null,
    });
  });

  it("rotates a key while the old one still works, and revokes it by its name", async () => {
    const account = await newAccount();
    const { key: old } = await mintKey(account, { name: "CI" });
    const { page } = await open({ account, path });
    await page.getByRole("button", { name: 'Rotate "CI"' }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const next = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(next).not.toBe(old);
    expect([await statusWith(old), await statusWith(next)]).toEqual([200, 200]);
    await page.getByRole("button", { name: "I have stored it" }).click();

    await page.getByRole("button", { name: 'Revoke "CI"' }).click();
    const dialog = page.getByRole("dialog", { name: 'Revoke "CI"' });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await statusWith(next)).toBe(200);
    await page.getByRole("button", { name: 'Revoke "CI"' }).click();
    await dialog.getByRole("button", { name: 'Revoke "CI"' }).click();
    await page.getByRole("button", { name: "Show 1 revoked or expired key" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    expect([await statusWith(old), await statusWith(next)]).toEqual([401, 401]);
  });

  it("keeps the session when its own key is rotated without an overlap", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path });
    await page.getByText("You are signed in with it").waitFor();
    await page.getByRole("button", { name: 'Rotate "studio"' }).click();
    await page.getByLabel("The old secret works for").selectOption("No longer: it ends now");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const next = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect([await statusWith(account.key), await statusWith(next)]).toEqual([401, 200]);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.reload();
    await page.getByText(`•••• ${next.slice(-4)}`).waitFor();
  });

  it("shows a new key although the list cannot be read again", async () => {
    const studio = await open({ path });
    studio.allow(/ERR_FAILED/);
    const { page } = studio;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("first");
    await page.route("**/v1/keys", (route) =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
    const dialog = page.getByRole("dialog", { name: 'The key "first"' });
    const created = await dialog.locator("code").textContent();
    expect(await statusWith(created ?? "")).toBe(200);
  });

  it("says that a key was revoked elsewhere, and takes it off the list", async () => {
    const account = await newAccount();
    const { id } = await mintKey(account, { name: "CI" });
    const studio = await open({ account, path });
    studio.allow(/404/);
    const { page } = studio;
    await page.getByRole("button", { name: 'Edit "CI"' }).click();
    await callApi(account, "DELETE", `/v1/keys/${id}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This key was revoked in the meantime").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => page.getByRole("heading", { name: "CI" }).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  it("explains what a key without the permission lacks", async () => {
    const account = await newAccount();
    const limited = await mintKey(account, { name: "limited", scopes: ["generate", "read"] });
    const studio = await open({ account: limited, path });
    studio.allow(/403/);
    await studio.page.getByText('the permission "Manage"').waitFor();
    const navigation = studio.page.getByRole("navigation").getByRole("link");
    await expect
      .poll(() => navigation.allTextContents())
      .toEqual([
        "New image",
        "Stories",
        "Library",
        "Usage",
        "Skills",
        "Account",
        "Verify a picture",
      ]);
    await expect
      .poll(() => studio.page.getByRole("button", { name: "Create a key" }).count())
      .toBe(0);
    await expectAccessible(studio);
  });

  it("is used by keyboard alone", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path });
    await page.getByRole("button", { name: "Create a key" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").focus();
    await page.keyboard.type("typed");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: 'The key "typed"' }).waitFor();
    const stored = page.getByRole("button", { name: "I have stored it" });
    await stored.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "typed" }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain("Create");
  });

  it.each(looks)("is accessible in each state: $name", async (look) => {
    const account = await newAccount();
    const budget = { eur: "5.00", period: "month" };
    const claude = await mintKey(account, {
      name: "Claude on my laptop",
      scopes: ["generate"],
      budget,
    });
    await mintKey(account, {
      name: "Nightly build",
      models: ["builtin-pattern"],
      expires_at: "2031-01-31T00:00:00Z",
    });
    await makeImage(claude, "fake-blind");
    const studio = await open({ ...look, account, path });
    const { page } = studio;
    await page.getByText("of €5.00 per month").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `keys-${look.name}`);
    await page.getByRole("button", { name: "Create a key" }).click();
    await expectAccessible(studio);
    await takePicture(studio, `keys-create-${look.name}`);
    await page.keyboard.press("Escape");
    for (const action of ["Rotate", "Revoke"]) {
      await page.getByRole("button", { name: `${action} "Claude on my laptop"` }).click();
      await expectAccessible(studio);
      await page.keyboard.press("Escape");
    }
  });
});
