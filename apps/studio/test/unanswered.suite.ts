import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { useBrowser } from "./support/browser.ts";
import { loseResponse } from "./support/jobs.ts";
import { hasBrowser } from "./support/provided.ts";
import { pierStory } from "./support/stories.ts";

const story = {
  ...pierStory,
  scenes: [
    { prompt: "Mira walks along the pier", characters: ["Mira"], location: "Harbour" },
    { prompt: "Rain falls on Mira", characters: ["Mira"], location: "Harbour" },
  ],
};

/** The orders for a finished story, each by the dialog that a click opens. */
const dialogs = [
  {
    order: "a scene that is made again",
    opens: "Make again: Scene 2",
    field: "What happens",
    action: "Make this scene again",
  },
  {
    order: "a scene that is added",
    opens: "Add a scene",
    field: "What happens",
    action: "Make this scene",
  },
  {
    order: "a portrait that is made again",
    opens: "Make again: Otto",
    field: "Appearance",
    action: "Draw again",
  },
] as const;

describe.skipIf(!hasBrowser)("an order for a story whose response was lost", () => {
  const open = useBrowser();
  let author: TestAccount;
  let storyId: string;

  beforeAll(async () => {
    author = await newAccount();
    const response = await callApi(author, "POST", "/v1/generate/story", story);
    storyId = ((await response.json()) as { job_id: string }).job_id;
    // The stream of its events ends with the job.
    await (await callApi(author, "GET", `/v1/jobs/${storyId}/events`)).text();
  });

  const read = async <Body>(path: string, account = author) =>
    (await (await callApi(account, "GET", path)).json()) as Body;
  const jobCount = async (query: string, account = author) =>
    (await read<{ jobs: unknown[] }>(`/v1/jobs?${query}`, account)).jobs.length;
  const balance = async (account = author) =>
    Number((await read<{ balance_eur: string }>("/v1/account", account)).balance_eur);

  async function openLossy(options: Parameters<typeof open>[0]) {
    const studio = await open(options);
    studio.allow(/ERR_FAILED/);
    return studio;
  }
  const waitForAdvice = (page: Page) => page.getByText("does not make another one").waitFor();
  const openStory = () => openLossy({ account: author, path: `/studio/stories/${storyId}` });

  async function fillIn(page: Page, { opens, field }: (typeof dialogs)[number], text: string) {
    await page.getByRole("button", { name: opens, exact: true }).click();
    await page.getByRole("dialog").getByLabel(field).fill(text);
  }
  const submit = (page: Page, { action }: (typeof dialogs)[number]) =>
    page.getByRole("dialog").getByRole("button", { name: action }).click();
  const waitForAcceptance = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });

  it.each(dialogs)("makes and charges $order once, also after a reload", async (dialog) => {
    const { page } = await openStory();
    const [jobs, before] = [await jobCount("limit=100"), await balance()];
    await loseResponse(page);
    await fillIn(page, dialog, "Otto waves with a red flag");
    await submit(page, dialog);
    await waitForAdvice(page);
    await page.reload();
    await fillIn(page, dialog, "Otto waves with a red flag");
    await submit(page, dialog);
    await waitForAcceptance(page);
    expect(await jobCount("limit=100")).toBe(jobs + 1);
    await expect.poll(async () => (before - (await balance())).toFixed(6)).toBe("0.010000");
  });

  it.each(dialogs)("makes and charges $order once, also from two tabs", async (dialog) => {
    const { page, context } = await openStory();
    const other = await context.newPage();
    await other.goto(page.url());
    const [jobs, before] = [await jobCount("limit=100"), await balance()];
    for (const tab of [page, other]) await fillIn(tab, dialog, "Otto waves with a blue flag");
    await loseResponse(page);
    await submit(page, dialog);
    await waitForAdvice(page);
    await submit(other, dialog);
    await waitForAcceptance(other);
    // The first tab has said that it makes no other one.
    await submit(page, dialog);
    await waitForAcceptance(page);
    expect(await jobCount("limit=100")).toBe(jobs + 1);
    await expect.poll(async () => (before - (await balance())).toFixed(6)).toBe("0.010000");
  });

  it.each(["after a reload", "from another tab"])("makes a story once, also %s", async (way) => {
    const { page, context, account } = await openLossy({ path: "/studio/stories/new?example" });
    if (account === null) throw new Error("the page has no account");
    const generate = (tab: Page) =>
      tab.getByRole("button", { name: /^Generate story.*€0.08/ }).click();
    const other = await context.newPage();
    await other.goto(`${page.url()}?example`);
    await loseResponse(page);
    await generate(page);
    await waitForAdvice(page);
    if (way === "after a reload") await page.reload();
    else await generate(other);
    await generate(page);
    await page.waitForURL(/stories\/[0-9a-f-]{36}$/);
    expect(await jobCount("kind=story", account)).toBe(1);
    await expect.poll(async () => (await balance(account)).toFixed(2)).toBe("9.92");
  });

  it("says nothing of the order after the form has changed", async () => {
    const { page } = await openLossy({ path: "/studio/stories/new?example" });
    await loseResponse(page);
    await page.getByRole("button", { name: /^Generate story.*€0.08/ }).click();
    await waitForAdvice(page);
    await page.getByLabel("Title").fill("Another story");
    await expect.poll(() => page.getByText("does not make another one").count()).toBe(0);
  });

  it("does not repeat an order that was answered", async () => {
    const { page } = await openStory();
    const jobs = await jobCount("limit=100");
    const [remake] = dialogs;
    for (const made of [1, 2]) {
      await fillIn(page, remake, "Otto waves with a green flag");
      await submit(page, remake);
      await waitForAcceptance(page);
      expect(await jobCount("limit=100")).toBe(jobs + made);
    }
  });
});
