import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import {
  callApi,
  newAccount,
  newKey,
  newLink,
  revokeKeys,
  type TestAccount,
} from "./support/accounts.ts";
import {
  expectAccessible,
  looks,
  narrow,
  takePicture,
  useBrowser,
  type Studio,
} from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

// What was secret must be gone when the page shows that it is: these are read once.
const addressOf = (page: Page) => page.url();
const hashOf = (page: Page) => new URL(page.url()).hash;
const promptField = (page: Page) => page.getByLabel("Prompt", { exact: true });
const promptOf = (page: Page) => promptField(page).inputValue();

/** Revokes the keys of the account and waits until the page asks for another one. */
async function endSession({ page, account }: Studio): Promise<void> {
  await promptField(page).focus();
  if (account !== null) await revokeKeys(account);
  // The page may have noticed already: then it has no prompt any more.
  await page.keyboard.press("Control+Enter");
  await page.getByText("Your session has ended").waitFor();
}

async function enter(page: Page, { key }: TestAccount): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.keyboard.press("Enter");
  await promptField(page).waitFor();
}

/** Makes an image and returns the id of its job. */
async function makeSecret(account: TestAccount): Promise<string> {
  const generated = await callApi(account, "POST", "/v1/generate/image", {
    model: "builtin-pattern",
    prompt: "a secret plan",
  });
  return ((await generated.json()) as { id: string }).id;
}

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
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/key/i);
    await expect.poll(() => page.getByLabel("API key").getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(studio);
  });

  it("signs in by a link once and removes it from the address and the history", async () => {
    const account = await newAccount();
    const link = await newLink(account);
    const { page } = await open({ account: null, path: `/studio/${link}` });
    await page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
    expect(hashOf(page)).toBe("");

    const second = await open({ account: null, path: `/studio/${link}` });
    second.allow(/401/);
    await expect.poll(() => second.page.getByRole("alert").textContent()).toMatch(/link/i);
    expect(hashOf(second.page)).toBe("");
  });

  it("signs out of this browser and forgets what was typed", async () => {
    const { page } = await open();
    await page.getByLabel("Prompt", { exact: true }).fill("a secret plan");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    const stored = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(stored).not.toContain("secret");
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
  });

  it("asks again when the key is revoked, and returns to the page with the draft", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    studio.allow(/401/);
    const { page } = studio;
    await promptField(page).fill("a lighthouse at dusk");
    await endSession(studio);
    await enter(page, await newKey(account));
    await expect.poll(() => promptField(page).inputValue()).toBe("a lighthouse at dusk");
  });

  it("shows nothing of an account to the next one who signs in", async () => {
    const account = await newAccount();
    const id = await makeSecret(account);
    const studio = await open({ account, path: `/studio/?job=${id}` });
    studio.allow(/401/);
    const { page } = studio;
    await page.getByRole("button", { name: /^Show in full size/ }).waitFor();
    await promptField(page).fill("a lighthouse at dusk");
    await endSession(studio);
    await enter(page, await newAccount("3"));
    await page.getByText("€3.00").first().waitFor();
    await page.getByText("Your image appears here").waitFor();
    expect(await promptOf(page)).toBe("");
    expect(addressOf(page)).not.toContain(id);
    const shown = await page.locator("body").textContent();
    expect(shown).not.toContain("secret");
  });

  it("follows another tab that signs in as another account or signs out", async () => {
    const account = await newAccount();
    const id = await makeSecret(account);
    const { page, context } = await open({ account, path: `/studio/?job=${id}` });
    await page.getByRole("button", { name: /^Show in full size/ }).waitFor();
    await promptField(page).fill("a lighthouse at dusk");
    const other = await context.newPage();
    await other.goto(
      `${new URL(page.url()).origin}/studio/${await newLink(await newAccount("3"))}`,
    );
    await other.getByRole("button", { name: "Sign in to Ada Lovelace" }).click();
    await other.getByText("€3.00").first().waitFor();
    await page.getByText("€3.00").first().waitFor();
    expect(await promptOf(page)).toBe("");
    expect(addressOf(page)).not.toContain(id);
    await other.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
  });

  it("forgets the address of a job when another tab signs out, before the next account signs in", async () => {
    const account = await newAccount();
    const id = await makeSecret(account);
    const { page, context } = await open({ account, path: `/studio/?job=${id}` });
    await page.getByRole("button", { name: /^Show in full size/ }).waitFor();
    const other = await context.newPage();
    await other.goto(`${new URL(page.url()).origin}/studio/`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    await enter(page, await newAccount("3"));
    await page.getByText("Your image appears here").waitFor();
    expect(addressOf(page)).not.toContain(id);
  });

  it("opens the job of a link after signing in", async () => {
    const account = await newAccount();
    const path = `/studio/?job=${await makeSecret(account)}`;
    const { page } = await open({ account: null, path });
    await enter(page, account);
    await page.getByRole("button", { name: "Show in full size: a secret plan" }).waitFor();
    await expect.poll(() => page.url()).toContain(path);
  });

  it("removes a message and its undo at signing out", async () => {
    const account = await newAccount();
    await makeSecret(account);
    const { page } = await open({ account, path: "/studio/library" });
    await page.getByRole("link", { name: "a secret plan" }).focus();
    await page.keyboard.press("Control+a");
    const bar = page.getByRole("group", { name: "Selected jobs" });
    await bar.getByRole("button", { name: "Star" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    const leftOver = page
      .getByRole("button", { name: "Undo" })
      .or(page.getByText("1 job starred."));
    const count = await leftOver.count();
    expect(count).toBe(0);
  });

  it("asks before a link replaces the session of another account, and keeps the session on request", async () => {
    const studio = await open();
    const { page } = studio;
    await page.getByText("€10.00").first().waitFor();
    const link = await newLink(await newAccount("3"));
    const follow = () =>
      page.evaluate((fragment) => {
        location.hash = fragment;
      }, link);
    await follow();
    await page.getByRole("heading", { name: "Sign in to Ada Lovelace?" }).waitFor();
    expect(hashOf(page)).toBe("");
    await expectAccessible(studio);
    await page.getByRole("button", { name: "Stay signed in to Ada Lovelace" }).click();
    await page.getByText("€10.00").first().waitFor();
    await follow();
    await page.getByRole("button", { name: "Sign in to Ada Lovelace" }).click();
    await page.getByText("€3.00").first().waitFor();
  });

  it("signs in by a link that is opened in a tab of Studio", async () => {
    const { page } = await open({ account: null });
    const account = await newAccount();
    await enter(page, account);
    await page.getByText("€10.00").first().waitFor();
    const link = await newLink(account);
    await page.evaluate((fragment) => {
      location.hash = fragment;
    }, link);
    await page.getByText("€10.00").first().waitFor();
    expect(hashOf(page)).toBe("");
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
    await expect.poll(background).toBe(light);
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
    await expect.poll(() => page.locator("h1").textContent()).toBe("Create an image");
  });

  it("shows an unknown address as such, with a way to the first page", async () => {
    const studio = await open({ path: "/studio/nowhere", viewport: narrow });
    await expectAccessible(studio);
    await studio.page.getByRole("link", { name: "Make an image" }).click();
    await studio.page.getByRole("heading", { name: "Create", level: 1 }).waitFor();
  });

  it("says that a page did not load, with a way to reload it", async () => {
    const studio = await open();
    studio.allow(/ERR_FAILED|code did not load/);
    const { page } = studio;
    await page.route("**/assets/usage-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded." }).waitFor();
    await expectAccessible(studio);
    await page.unroute("**/assets/usage-*.js");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  });

  it("names a running job in the title of the tab until it is done", async () => {
    const { page } = await open();
    const titles = await page.evaluateHandle(() => {
      const seen = [document.title];
      const note = () => document.title === seen.at(-1) || seen.push(document.title);
      new MutationObserver(note).observe(document.head, { childList: true, subtree: true });
      return seen;
    });
    // A quick job may be done before the page reads it for the first time.
    let isShown = false;
    await page.route(/\/v1\/jobs\/[^/?]+(\?|$)/, async (route) => {
      const response = await route.fetch();
      const job = (await response.json()) as object;
      await route.fulfill({ response, json: isShown ? job : { ...job, status: "processing" } });
    });
    await page.getByLabel("Prompt", { exact: true }).fill("a small boat");
    await page.getByRole("button", { name: /^Generate image/ }).click();
    await expect.poll(() => page.title()).toContain("Working…");
    isShown = true;
    await page.getByRole("button", { name: "Show in full size: a small boat" }).waitFor();
    await expect
      .poll(() => titles.jsonValue())
      .toEqual([
        "New image · Atelier Studio",
        "Working… · New image · Atelier Studio",
        "New image · Atelier Studio",
      ]);
  });
});
