import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { callApi, newAccount, newKey, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, takePicture, useBrowser, type Studio } from "./support/browser.ts";
import { createPages, findClippedControls, findOverflow, visit } from "./support/every-page.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const german = "de-AT";

const sizes = [
  { width: 390, height: 844 },
  { width: 1_024, height: 768 },
  { width: 1_280, height: 800 },
] as const;

const heading = (page: Page) => page.locator("h1").first().textContent();
const languageOf = (page: Page) => page.locator("html").getAttribute("lang");

/** Opens what is folded, which has texts as well. */
function openFolds(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const fold of document.querySelectorAll("main details")) fold.setAttribute("open", "");
  });
}

/** Keeps the heading of every page that is shown, also before the page is loaded again. */
async function recordHeadings({ context }: Studio): Promise<void> {
  await context.addInitScript(() => {
    new MutationObserver(() => {
      const text = document.querySelector("h1")?.textContent;
      const seen = sessionStorage.getItem("headings") ?? "";
      if (text != null && !seen.endsWith(text)) sessionStorage.setItem("headings", seen + text);
    }).observe(document, { childList: true, subtree: true });
  });
}

describe.skipIf(!hasBrowser)("Studio in German", () => {
  const open = useBrowser();
  let account: TestAccount;
  let paths: string[];

  beforeAll(async () => {
    account = await newAccount();
    paths = await createPages(account, {
      prompt: "Ein Leuchtturm in der Abenddämmerung",
      title: "Der Drachen",
      character: "Mira",
      scenes: ["Mira lässt einen Drachen steigen", "Der Drachen hängt in einem Baum"],
      webhook: "https://hooks.example.com/atelier",
      description: "Bildredaktion",
    });
  });

  it.each(sizes)("fits on every page at $width px and is accessible", async (viewport) => {
    const studio = await open({ account, viewport, locale: german });
    for (const path of paths) {
      await visit(studio, path);
      await openFolds(studio.page);
      expect([path, await languageOf(studio.page)]).toEqual([path, "de"]);
      await expectAccessible(studio);
      expect([path, await findOverflow(studio)]).toEqual([path, []]);
      expect([path, await findClippedControls(studio)]).toEqual([path, []]);
    }
  });

  it.each(sizes)("fits in dialogs and forms at $width px", async (viewport) => {
    const studio = await open({ account, viewport, locale: german });
    const { page } = studio;
    for (const [path, buttons] of [
      ["/keys", ["Schlüssel erstellen", "Erneuern", "Widerrufen"]],
      ["/webhooks", ["Webhook erstellen"]],
      ["/library", ["Mehr Filter"]],
      ["/usage", ["Anderer Zeitraum …"]],
    ] as const) {
      for (const name of buttons) {
        await visit(studio, path);
        await openFolds(page);
        await page.getByRole("button", { name, exact: false }).first().click();
        await expectAccessible(studio);
        expect([path, name, await findOverflow(studio)]).toEqual([path, name, []]);
        expect([path, name, await findClippedControls(studio)]).toEqual([path, name, []]);
      }
    }
    const image = paths[1] ?? "";
    for (const operation of ["Bearbeiten", "Vergrößern", "Freistellen", "Erweitern", "Entfernen"]) {
      await visit(studio, image);
      const choice = page.getByRole("radio", { name: operation }).first();
      await choice.waitFor();
      await choice.check({ force: true });
      await page.getByRole("button", { name: "Zurück zu einem neuen Bild" }).waitFor();
      expect([operation, await findOverflow(studio)]).toEqual([operation, []]);
      expect([operation, await findClippedControls(studio)]).toEqual([operation, []]);
    }
  });

  it("says why jobs failed and orders were refused", async () => {
    const holder = await newKey(account, "test");
    const studio = await open({ account: holder, locale: german });
    studio.allow(/402/);
    const { page } = studio;
    const prompt = page.getByLabel("Prompt", { exact: true });
    await prompt.fill("test:fail");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Das Modell hat kein Bild geliefert.").waitFor();
    await prompt.fill("test:error key_budget_exhausted");
    await page.keyboard.press("Control+Enter");
    const refusal = page.getByText("Das Budget des Schlüssels reicht für diese Anfrage nicht aus.");
    await expect.poll(() => refusal.count()).toBe(1);
  });

  it("shows an image with its settings", async () => {
    const studio = await open({ account, locale: german, path: `/studio${paths[1]}` });
    await studio.page
      .getByRole("button", { name: /^In voller Größe zeigen/ })
      .first()
      .waitFor();
    await expect.poll(() => heading(studio.page)).toBe("Bild erstellen");
    await takePicture(studio, "create-german-wide-light");
  });
});

describe.skipIf(!hasBrowser)("the language of Studio", () => {
  const open = useBrowser();

  it("is that of the browser, with its formats, and only its texts are loaded", async () => {
    const { page } = await open({ locale: german });
    expect([await languageOf(page), await heading(page)]).toEqual(["de", "Bild erstellen"]);
    await page.getByText("€ 10,00").first().waitFor();
    const loaded = await page.evaluate(async () => {
      const scripts = performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"));
      const sources = await Promise.all(
        scripts.map(({ name }) => fetch(name).then((response) => response.text())),
      );
      return sources.join("\n");
    });
    expect(loaded).toContain("Ihr Guthaben reicht für diese Anfrage nicht aus.");
    expect(loaded).not.toContain("Your balance does not cover this request.");
  });

  it("is English for a browser with another one", async () => {
    const { page } = await open({ account: null, locale: "fr-FR" });
    expect([await languageOf(page), await heading(page)]).toEqual(["en", "Sign in to Studio"]);
  });

  it("can be chosen before signing in, and stays", async () => {
    const studio = await open({ account: null, locale: german });
    const { page } = studio;
    await expect.poll(() => heading(page)).toBe("Bei Studio anmelden");
    await expectAccessible(studio);
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to Studio" }).waitFor();
    await expect.poll(() => languageOf(page)).toBe("en");
  });

  it("is chosen for the account on its page", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path: "/studio/account" });
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Konto", level: 1 }).waitFor();
    expect(await (await callApi(account, "GET", "/v1/account")).json()).toMatchObject({
      language: "de",
    });
    await page.getByLabel("Sprache").selectOption({ label: "Sprache des Browsers" });
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await expect.poll(() => languageOf(page)).toBe("en");
  });

  it("follows the account in another browser, without showing its pages in two languages", async () => {
    const account = await newAccount();
    await callApi(account, "PATCH", "/v1/account", { language: "de" });
    const studio = await open({ account: null });
    await recordHeadings(studio);
    const { page } = studio;
    await page.reload();
    await page.getByLabel("API key").fill(account.key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Bild erstellen", level: 1 }).waitFor();
    await expect.poll(() => languageOf(page)).toBe("de");
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem("headings")))
      .toBe("Sign in to StudioBild erstellen");
    await page.goto(`${provided().url}/studio/account`);
    await page.getByRole("heading", { name: "Konto", level: 1 }).waitFor();
    await callApi(account, "PATCH", "/v1/account", { language: null });
    await page.reload();
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    await expect.poll(() => languageOf(page)).toBe("en");
  });
});
