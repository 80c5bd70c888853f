import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, useBrowser } from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";
import { exported, importFile } from "./support/stories.ts";

const model = "fake-blind";
/** The price of an image of this model with the 20 steps of its preset is 0.05 EUR, a step 0.001 EUR. */
const generate = (page: Page, price: string): Locator =>
  page.getByRole("button", { name: /^Generate/ }).getByText(price);

const engine = (page: Page): Locator => page.getByText("Engine settings", { exact: true });
const steps = (page: Page): Locator => page.getByRole("slider", { name: "Steps" });
const lora = (page: Page, name: string): Locator => page.getByRole("group", { name, exact: true });

/** Chooses the model with parameters and opens them; a narrow screen folds the settings. */
async function openEngine(page: Page, isNarrow = false): Promise<void> {
  if (isNarrow) await page.locator("summary").filter({ hasText: "Settings:" }).click();
  await page.getByLabel("Model", { exact: true }).selectOption(model);
  await engine(page).click();
  await steps(page).waitFor();
}

async function requestOf(page: Page, account: TestAccount): Promise<Record<string, unknown>> {
  const id = new URL(page.url()).searchParams.get("job");
  const response = await callApi(account, "GET", `/v1/jobs/${id}`);
  return ((await response.json()) as { request: Record<string, unknown> }).request;
}

describe.skipIf(!hasBrowser)("the engine settings", () => {
  const open = useBrowser();

  it("of the model's schema are sent with the request, at their price, and restored from it", async () => {
    const account = await newAccount();
    const { page } = await open({ account });
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    await openEngine(page);
    await generate(page, "€0.05").waitFor();
    await expect.poll(() => steps(page).getAttribute("aria-valuetext")).toBe("Default: 20");
    await page
      .getByText("Each step more or fewer changes the price of an image by €0.001")
      .waitFor();

    await steps(page).focus();
    await page.keyboard.press("Home");
    await generate(page, "€0.034").waitFor();
    await page.getByLabel("Sampler").selectOption("DPM++ 2M");
    await page.getByRole("button", { name: "Add to LoRAs" }).click();
    await lora(page, "detail").getByRole("slider", { name: "Weight" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.reload();
    await steps(page).waitFor();
    await page.getByLabel("Prompt", { exact: true }).press("Control+Enter");
    await page.getByRole("button", { name: "Show in full size: a lighthouse at dusk" }).waitFor();
    const parameters = {
      steps: 4,
      sampler: "DPM++ 2M",
      loras: [{ name: "detail", weight: 0.95 }],
    };
    expect(await requestOf(page, account)).toMatchObject({ parameters });

    await page.getByRole("button", { name: "Use the default: Steps" }).click();
    await generate(page, "€0.05").waitFor();
    await page.getByRole("button", { name: "Again with this seed" }).click();
    await generate(page, "€0.034").waitFor();
  });

  it("are absent for a model without any, and left out of its request", async () => {
    const account = await newAccount();
    const { page } = await open({ account });
    await page.getByLabel("Prompt", { exact: true }).fill("a boat");
    await openEngine(page);
    await steps(page).fill("4");
    await generate(page, "€0.034").waitFor();
    await page.getByLabel("Model", { exact: true }).selectOption("builtin-pattern");
    await expect.poll(() => engine(page).count()).toBe(0);
    await page.getByLabel("Prompt", { exact: true }).press("Control+Enter");
    await page.getByRole("button", { name: "Show in full size: a boat" }).waitFor();
    expect(await requestOf(page, account)).not.toHaveProperty("parameters");
  });

  it("can be set with the keyboard alone, which keeps its place in the list", async () => {
    const { page } = await open();
    await openEngine(page);
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        const label = document.querySelector(`[for="${element?.id}"]`)?.textContent;
        return element?.getAttribute("aria-label") ?? label ?? element?.textContent.trim();
      });
    await steps(page).focus();
    for (const expected of ["Use the default: Steps", "Sampler", "Add to LoRAs"]) {
      await page.keyboard.press("Tab");
      await expect.poll(focused).toBe(expected);
    }
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Name");
    // The model has one LoRA.
    await expect.poll(() => page.getByRole("button", { name: "Add to LoRAs" }).count()).toBe(0);
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Remove detail");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Weight");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Add to LoRAs");
    await expect.poll(() => lora(page, "detail").count()).toBe(0);
  });

  it("show a value that the service refuses at its field", async () => {
    const studio = await open();
    const { page } = studio;
    studio.allow(/status of 422/);
    // As if the operator had narrowed the bounds since the page was loaded.
    await page.route("**/v1/models", async (route) => {
      const response = await route.fetch();
      const body = JSON.stringify(await response.json()).replaceAll('"maximum":30', '"maximum":40');
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.getByLabel("Prompt", { exact: true }).fill("a boat");
    await openEngine(page);
    await steps(page).fill("40");
    await page.getByText("steps must be 4 to 30.").waitFor();
    await expect.poll(() => steps(page).getAttribute("aria-invalid")).toBe("true");
  });

  it("of a story are priced, exported and imported", async () => {
    const account = await newAccount();
    const { page } = await open({ account, path: "/studio/stories/new" });
    const story = {
      model,
      characters: [{ name: "Mira", description: "a sailor" }],
      scenes: [{ prompt: "a hut", characters: [{ name: "Mira" }] }, { prompt: "a boat" }],
      parameters: { steps: 4 },
    };
    await importFile(page, JSON.stringify(story));
    await generate(page, "€0.102").waitFor();
    await steps(page).fill("30");
    await generate(page, "€0.18").waitFor();
    expect(await exported(page)).toMatchObject({ parameters: { steps: 30 } });
    await page.getByRole("button", { name: "Generate story" }).click();
    await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const job = (await (await callApi(account, "GET", `/v1/jobs/${id}`)).json()) as object;
    expect(job).toMatchObject({ request: { parameters: { steps: 30 } } });
  });

  it.each(looks)("are accessible: $name", async (look) => {
    const studio = await open(look);
    const { page } = studio;
    await openEngine(page, look.viewport === narrow);
    await expectAccessible(studio);
    await steps(page).fill("8");
    await page.getByRole("button", { name: "Add to LoRAs" }).click();
    await lora(page, "detail").waitFor();
    await expectAccessible(studio);
    await page.goto(`${provided().url}/studio/stories/new`);
    await openEngine(page, look.viewport === narrow);
    await page.getByRole("button", { name: "Add to LoRAs" }).click();
    await expectAccessible(studio);
  });
});
