import { describe, expect, it } from "vitest";
import { newAccount } from "./support/accounts.ts";
import { expectAccessible, looks, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("the presets of the Create page", () => {
  const open = useBrowser();

  it("keep the prompt and the settings in the account, fill the form of another browser, and are deleted", async () => {
    const account = await newAccount();
    const { page: first } = await open({ account });
    await first.getByLabel("Prompt", { exact: true }).fill("a lighthouse, watercolour");
    await first.getByRole("radio", { name: "16:9" }).check();
    await first.getByLabel("Seed").fill("7");
    await first.getByRole("button", { name: "Presets" }).click();
    await first.getByText("There are no presets yet.").waitFor();
    await first.getByLabel("Name", { exact: true }).fill("Cover");
    await first.keyboard.press("Enter");
    await first.getByText("“Cover” is saved.").waitFor();

    const { page } = await open({ account });
    await page.getByRole("button", { name: "Presets" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Presets" });
    await dialog.getByRole("button", { name: /^Cover/ }).focus();
    await page.keyboard.press("Enter");
    const prompt = page.getByLabel("Prompt", { exact: true });
    await expect.poll(() => prompt.inputValue()).toBe("a lighthouse, watercolour");
    await expect.poll(() => page.getByLabel("Seed").inputValue()).toBe("7");
    await expect.poll(() => page.getByRole("radio", { name: "16:9" }).isChecked()).toBe(true);
    await expect.poll(() => dialog.count()).toBe(0);

    await page.getByRole("button", { name: "Presets" }).click();
    await page.getByRole("button", { name: "Delete the preset Cover" }).click();
    const confirmation = page.getByRole("button", { name: "Delete preset", exact: true });
    await confirmation.waitFor();
    await page.keyboard.press("Escape");
    await confirmation.waitFor({ state: "detached" });
    await expect.poll(() => dialog.getByRole("button", { name: /^Cover/ }).count()).toBe(1);
    await page.getByRole("button", { name: "Delete the preset Cover" }).click();
    await page.getByRole("button", { name: "Delete preset", exact: true }).click();
    await page.getByText("There are no presets yet.").waitFor();
  });

  it.each(looks)("are accessible: $name", async (look) => {
    const studio = await open(look);
    const { page } = studio;
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse");
    await page.getByRole("button", { name: "Presets" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Cover");
    await page.getByRole("button", { name: "Save as preset" }).click();
    await page.getByRole("button", { name: /^Cover/ }).waitFor();
    await expectAccessible(studio);
  });
});
