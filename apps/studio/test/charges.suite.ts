import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callApi, type TestAccount } from "./support/accounts.ts";
import { useBrowser, type Studio } from "./support/browser.ts";
import {
  chargedActions,
  findSites,
  losses,
  type ChargedAction,
  type Loss,
} from "./support/charged-actions.ts";
import { loseResponse } from "./support/jobs.ts";
import { isFullLane } from "./support/profiles.ts";
import { hasBrowser } from "./support/provided.ts";

interface ListedJob {
  readonly status: string;
  readonly cost_eur: string | null;
}

const read = async <Body>(account: TestAccount, path: string) =>
  (await (await callApi(account, "GET", path)).json()) as Body;

async function jobsOf(account: TestAccount): Promise<readonly ListedJob[]> {
  return (await read<{ jobs: readonly ListedJob[] }>(account, "/v1/jobs?limit=100")).jobs;
}

async function balanceOf(account: TestAccount): Promise<number> {
  return Number((await read<{ balance_eur: string }>(account, "/v1/account")).balance_eur);
}

const waitForAdvice = (page: Page) => page.getByText("does not make another one").waitFor();

/** Lets the next request for images arrive, and ends the browser while the page waits for its response. */
async function killDuringRequest({ page, context }: Studio, order: () => Promise<void>) {
  const arrived = Promise.withResolvers<void>();
  await page.route(
    "**/v1/generate/*",
    async (route) => {
      await route.fetch();
      arrived.resolve();
    },
    { times: 1 },
  );
  await order();
  await arrived.promise;
  const storage = await context.storageState();
  await context.close();
  return storage;
}

/** Lets a page read no lists of jobs, so that it knows nothing of the jobs of another tab, until it is released. */
async function holdLists(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/v1/jobs?*", async (route) => {
    await released;
    // The page may have aborted it meanwhile.
    await route.continue().catch(() => undefined);
  });
  return release;
}

describe("the actions of Studio that cost money", () => {
  it("are all in the table of this suite", () => {
    expect(findSites()).toEqual([...new Set(chargedActions.map(({ site }) => site))].toSorted());
  });
});

describe.skipIf(!hasBrowser)("one click is charged once, whatever happens to the response", () => {
  const open = useBrowser();

  /** Sends the request of an action a second time, after the response to the first was lost. */
  const repeat: Record<
    Loss,
    (action: ChargedAction, studio: Studio, path: string, text: string) => Promise<void>
  > = {
    "same page": async ({ button, wait }, { page }) => {
      await loseResponse(page);
      await button(page).click();
      await waitForAdvice(page);
      await Promise.all([wait(page), button(page).click()]);
    },
    reload: async ({ fill, isKept, button, wait }, { page }, _, text) => {
      await loseResponse(page);
      await button(page).click();
      await waitForAdvice(page);
      await page.reload();
      if (!isKept) await fill(page, text);
      await Promise.all([wait(page), button(page).click()]);
    },
    "other tab": async ({ jobs, fill, isKept, button, wait }, { page, context }, path, text) => {
      const other = await context.newPage();
      await other.goto(new URL(path, page.url()).href);
      if (!isKept) await fill(other, text);
      await loseResponse(page);
      await button(page).click();
      await waitForAdvice(page);
      // The first tab can be clicked again, for the rest of several jobs, and does not see the jobs of the other one.
      const left =
        jobs === 1 ? button(page) : button(page).filter({ hasText: /1 picture|it again/ });
      await expect.poll(() => left.isEnabled()).toBe(true);
      const release = await holdLists(page);
      await Promise.all([wait(other), button(other).click()]);
      await Promise.all([wait(page), button(page).click().then(release)]);
    },
    "killed browser": async (action, studio, path, text) => {
      const { account, page } = studio;
      const storage = await killDuringRequest(studio, () => action.button(page).click());
      const again = await open({ account, path, storage });
      if (!action.isKept) await action.fill(again.page, text);
      await Promise.all([action.wait(again.page), action.button(again.page).click()]);
    },
  };

  const cells = chargedActions.flatMap((action) =>
    losses
      .filter((loss) => isFullLane || loss === action.inGate)
      .map((loss) => ({ ...action, action, loss })),
  );

  it.each(cells)("$name, sent again after: $loss", async ({ action, loss }) => {
    const { account, path } = await action.prepare();
    const [before, balance] = [(await jobsOf(account)).length, await balanceOf(account)];
    const studio = await open({ account, path });
    studio.allow(/ERR_FAILED/);
    const text = `Mira waves with a flag (${loss})`;
    await action.fill(studio.page, text);
    await repeat[loss](action, studio, path, text);
    const made = async () => (await jobsOf(account)).slice(0, -before || undefined);
    await expect
      .poll(async () => (await made()).map(({ status }) => status))
      .toEqual(Array.from({ length: action.jobs }, () => "completed"));
    const cost = (await made()).reduce((sum, job) => sum + Number(job.cost_eur), 0);
    expect(cost).toBeGreaterThan(0);
    await expect
      .poll(async () => (balance - (await balanceOf(account))).toFixed(6))
      .toBe(cost.toFixed(6));
  });
});
