import { describe, expect, it } from "vitest";
import { newAccount, newLink, openDatabase } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, takePicture, useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("sign-in", () => {
  const open = useBrowser();

  it("exchanges a key for a session that no script can read", async () => {
    const account = await newAccount();
    const { page, context } = await open({ account: null });
    await page.getByLabel("API key").fill(` ${account.key} `);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
    const visible = await page.evaluate(
      () => document.cookie + JSON.stringify(Object.entries(localStorage)),
    );
    expect(visible).not.toContain(account.key);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.reload();
    await page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
  });

  it("explains a wrong key beside the field and keeps the page", async () => {
    const studio = await open({ account: null });
    studio.allow(/401/);
    const { page } = studio;
    await page.getByLabel("API key").fill("atl_live_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/key/i);
    await expectAccessible(studio);
  });

  it("signs in by a link once and removes it from the address and the history", async () => {
    const account = await newAccount();
    const link = await newLink(account);
    const { page } = await open({ account: null, path: `/studio/${link}` });
    await page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe("");

    const second = await open({ account: null, path: `/studio/${link}` });
    second.allow(/401/);
    expect(await second.page.getByRole("alert").textContent()).toMatch(/link/i);
    expect(new URL(second.page.url()).hash).toBe("");
  });

  it("signs out of this browser and forgets what was typed", async () => {
    const { page } = await open();
    await page.getByLabel("Prompt", { exact: true }).fill("a secret plan");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain(
      "secret",
    );
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
  });

  it("asks again when the key is revoked, and returns to the page with the draft", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    studio.allow(/401/);
    const { page } = studio;
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    // From then on, the page sends no request until the click.
    await page.getByRole("button", { name: /Generate image.*€0.01/ }).waitFor();
    await openDatabase().query("UPDATE api_key SET revoked_at = now() WHERE account_id = $1", [
      account.accountId,
    ]);
    await page.getByRole("button", { name: /Generate image/ }).click();
    await page.getByText("Your session has ended").waitFor();
    await page.getByLabel("API key").fill((await newAccount()).key);
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.getByLabel("Prompt", { exact: true }).inputValue())
      .toBe("a lighthouse at dusk");
  });

  it.each(looks)("is accessible: $name", async ({ name, viewport, colorScheme }) => {
    const studio = await open({ account: null, viewport, colorScheme });
    await expectAccessible(studio);
    await takePicture(studio, `sign-in-${name}`);
  });
});

describe.skipIf(!hasBrowser)("the shell", () => {
  const open = useBrowser();

  it("follows the theme of the system until another one is chosen, and keeps the choice", async () => {
    const { page } = await open({ colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(background).not.toBe(dark);
    await page.getByRole("button", { name: "Use the dark theme" }).waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: "Use the light theme" }).click();
    await expect.poll(background).not.toBe(dark);
    const light = await background();
    await page.reload();
    await page.locator("h1").waitFor();
    expect(await background()).toBe(light);
  });

  it("lists the shortcuts with ? and returns the focus", async () => {
    const studio = await open();
    const { page } = studio;
    await page.getByRole("button", { name: "Keyboard shortcuts" }).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(focused).toBe("Keyboard shortcuts");
  });

  it("does not take ? from a field", async () => {
    const { page } = await open();
    const prompt = page.getByLabel("Prompt", { exact: true });
    await prompt.pressSequentially("why?");
    await expect.poll(() => prompt.inputValue()).toBe("why?");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("says that the browser is offline", async () => {
    const { page, context } = await open();
    await context.setOffline(true);
    await page.getByText("You are offline").waitFor();
    await context.setOffline(false);
    await page.getByText("You are offline").waitFor({ state: "detached" });
    expect(await page.locator("h1").textContent()).toBe("Create an image");
  });

  it("shows an unknown address as such, with a way to the first page", async () => {
    const studio = await open({ path: "/studio/nowhere", viewport: narrow });
    await expectAccessible(studio);
    await studio.page.getByRole("link", { name: "Make an image" }).click();
    await studio.page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
  });
});
