import { describe, expect, it } from "vitest";
import { callApi, newAccount } from "./support/accounts.ts";
import { expectAccessible, useBrowser } from "./support/browser.ts";
import { makeImage, mintKey } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";

const path = "/studio/budgets";

describe.skipIf(!hasBrowser)("the Budgets page", () => {
  const open = useBrowser();

  it("creates a budget, which the form of a key then offers, and shows what its keys spent", async () => {
    const account = await newAccount();
    const key = await mintKey(account, { name: "website", scopes: ["generate"] });
    const studio = await open({ account, path });
    const { page } = studio;
    await page.getByRole("button", { name: "Create a budget" }).click();
    await page.getByLabel("Name").fill("Design team");
    await page.getByLabel("Amount (EUR)").fill("0.05");
    await page.getByLabel("Period").selectOption("Per week");
    await expectAccessible(studio);
    await page.keyboard.press("Enter");
    const item = page.getByRole("listitem").filter({ hasText: "Design team" });
    await item.getByText("of €0.05 per week").waitFor();
    await item.getByText("None", { exact: true }).waitFor();

    await page.goto(page.url().replace("/budgets", "/keys"));
    await page.getByRole("button", { name: 'Edit "website"' }).click();
    await page.getByLabel("Shared budget").selectOption("Design team");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("€0.05 left to spend: its shared budget").waitFor();
    await makeImage(key, "fake-blind");

    await page.goto(page.url().replace("/keys", "/budgets"));
    await item.getByText("website", { exact: true }).waitFor();
    await item.getByText("€0.05", { exact: true }).waitFor();
    await item.getByText("It starts again on").waitFor();
    await expectAccessible(studio);
  });

  it("changes a budget by keyboard, and deletes it only without keys", async () => {
    const account = await newAccount();
    const made = await callApi(account, "POST", "/v1/budgets", { name: "Team", eur: "5" });
    const { id: budget_id } = (await made.json()) as { id: string };
    const key = await mintKey(account, { name: "website", budget_id });
    const studio = await open({ account, path });
    studio.allow(/409/);
    const { page } = studio;
    await page.getByRole("button", { name: 'Edit "Team"' }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Amount (EUR)").fill("7");
    await page.keyboard.press("Enter");
    await page.getByText("of €7.00 in total").waitFor();

    await page.getByRole("button", { name: 'Delete "Team"' }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: 'Delete "Team"' }).click();
    await dialog.getByText("has 1 key").waitFor();
    await callApi(account, "PATCH", `/v1/keys/${key.id}`, { budget_id: null });
    await dialog.getByRole("button", { name: 'Delete "Team"' }).click();
    await page.getByText("No shared budgets").waitFor();
    const list = await callApi(account, "GET", "/v1/budgets");
    expect(await list.json()).toEqual({ budgets: [] });
  });
});
