import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { useBrowser } from "./support/browser.ts";
import { loseResponse } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";
import { pierStory } from "./support/stories.ts";

const waitForAdvice = (page: Page) => page.getByText("does not make another one").waitFor();
const generate = (page: Page) => page.getByRole("button", { name: /^Generate image.*€0.01/ });

async function countJobs(account: TestAccount): Promise<number> {
  const response = await callApi(account, "GET", "/v1/jobs");
  return ((await response.json()) as { jobs: readonly object[] }).jobs.length;
}

/** The table of `charges.suite.ts` tests that each action is charged once after its response was lost. */
describe.skipIf(!hasBrowser)("an order whose response was lost", () => {
  const open = useBrowser();

  it("is made once, also when its repetition is refused before the service looks for it", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    studio.allow(/ERR_FAILED|status of 4\d\d/);
    const { page } = studio;
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    await loseResponse(page);
    await generate(page).click();
    await waitForAdvice(page);
    await page.route(
      "**/v1/generate/*",
      (route) =>
        route.fulfill({
          status: 403,
          json: { error: "key_not_permitted", message: "The key may not make images." },
        }),
      { times: 1 },
    );
    await generate(page).click();
    await page.getByText("The key may not make images.").waitFor();
    await page.reload();
    await generate(page).click();
    await page.waitForURL(/job=/);
    expect(await countJobs(account)).toBe(1);
  });

  it("is not made twice by a double click while the number of a new scene is read", async () => {
    const account = await newAccount();
    const body = { ...pierStory, scenes: [{ prompt: "Mira walks" }, { prompt: "Mira sleeps" }] };
    const made = await callApi(account, "POST", "/v1/generate/story", body);
    const { job_id: id } = (await made.json()) as { job_id: string };
    await (await callApi(account, "GET", `/v1/jobs/${id}/events`)).text();
    const { page } = await open({ account, path: `/studio/stories/${id}` });
    await page.getByRole("button", { name: "Add a scene", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What happens").fill("Otto waves");
    // Both clicks come before the page has shown the first one.
    await dialog
      .getByRole("button", { name: "Make this scene" })
      .evaluate((button: HTMLButtonElement) => {
        button.click();
        button.click();
      });
    await dialog.waitFor({ state: "detached" });
    expect(await countJobs(account)).toBe(2);
  });

  it("is not spoken of after the form has changed", async () => {
    const studio = await open({ path: "/studio/stories/new?example" });
    studio.allow(/ERR_FAILED/);
    const { page } = studio;
    await loseResponse(page);
    await page.getByRole("button", { name: /^Generate story.*€0.08/ }).click();
    await waitForAdvice(page);
    await page.getByLabel("Title").fill("Another story");
    await expect.poll(() => page.getByText("does not make another one").count()).toBe(0);
  });

  it("is a new order once it was answered", async () => {
    const account = await newAccount();
    const { page } = await open({ account });
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    for (const made of [1, 2]) {
      const shown = new URL(page.url()).searchParams.get("job");
      await generate(page).click();
      await page.waitForURL((url) => ![null, shown].includes(url.searchParams.get("job")));
      await page.getByRole("button", { name: /^Show in full size/ }).waitFor();
      expect(await countJobs(account)).toBe(made);
    }
  });
});
