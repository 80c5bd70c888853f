import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { parseEur } from "@atelier/schemas";
import { beforeAll, describe, expect, it } from "vitest";
import { callApi, openDatabase, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, useBrowser, type Studio } from "./support/browser.ts";
import { mintKey } from "./support/jobs.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const longWord = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(2);

const sizes = [
  { width: 360, height: 740 },
  { width: 2_560, height: 1_300 },
] as const;
const looks = sizes.flatMap((viewport) =>
  (["light", "dark"] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

describe.skipIf(!hasBrowser)("every page", () => {
  const open = useBrowser();
  let account: TestAccount;
  let paths: string[];

  beforeAll(async () => {
    account = await fillAccount();
    const created = async (path: string, body: object) => {
      const response = await callApi(account, "POST", path, body);
      expect(response.status).toBeLessThan(300);
      return (await response.json()) as { id: string; job_id: string };
    };
    const image = await created("/v1/generate/image", {
      model: "builtin-illustrator",
      prompt: `${longWord}, a lighthouse at dusk`,
      n: 2,
    });
    const story = await created("/v1/generate/story", {
      model: "builtin-illustrator",
      title: `The ${longWord}`,
      characters: [{ name: longWord.slice(0, 60), description: "a girl with a yellow coat" }],
      scenes: [{ prompt: `${longWord} flies a kite` }, { prompt: "The kite is in a tree" }],
    });
    const webhook = await created("/v1/webhooks", {
      url: `https://hooks.example.com/${longWord.toLowerCase().replace(/ä/g, "ae")}/atelier`,
      description: longWord,
      events: ["job.completed", "job.failed", "account.balance_low"],
    });
    paths = [
      "/",
      `/?job=${image.id}`,
      "/stories",
      "/stories/new",
      `/stories/${story.job_id}`,
      `/stories/${story.job_id}/pages`,
      `/stories/${story.job_id}/sheet`,
      "/library",
      `/library?job=${image.id}`,
      "/usage",
      "/keys",
      "/webhooks",
      `/webhooks/${webhook.id}`,
      "/skills",
      "/account",
      "/verify",
      "/nowhere",
    ];
  });

  it.each(looks)(
    "fits and is accessible at $viewport.width px, $colorScheme",
    async ({ viewport, colorScheme }) => {
      const studio = await open({ account, viewport, colorScheme });
      for (const path of paths) {
        await visit(studio, path);
        await expectAccessible(studio);
        expect([path, await findOverflow(studio)]).toEqual([path, []]);
      }
    },
  );
});

/** An account with names and amounts as long as they can be. */
async function fillAccount(): Promise<TestAccount> {
  const sql = openDatabase();
  const accountId = await createAccount(sql, { name: `Ada ${longWord}` });
  await topUp(sql, { accountId, amountMicroEur: parseEur("98765.43") });
  const { key } = await createKey(sql, { accountId, name: longWord, pepper: provided().pepper });
  const account = { accountId, key };
  await mintKey(account, {
    name: `${longWord} with a budget`.slice(0, 100),
    budget: { eur: "12.50", period: "month" },
  });
  return account;
}

async function visit({ page }: Studio, path: string): Promise<void> {
  await page.goto(`${provided().url}/studio${path}`);
  await page.locator("h1").first().waitFor();
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
}

/** Strips of images reach the edges of the screen, beyond the padding of the page. */
const padding = 16;

/** Parts of the page whose content is wider than they are, without a way to scroll to it. */
function findOverflow({ page }: Studio): Promise<string[]> {
  return page.evaluate(
    (tolerance) =>
      [...document.querySelectorAll("header, nav, main, section, article, form, li, dialog")]
        .filter(
          (part) =>
            part.scrollWidth > part.clientWidth + tolerance &&
            getComputedStyle(part).overflowX === "visible" &&
            getComputedStyle(part).display !== "inline",
        )
        .map((part) => `${part.tagName} ${part.className} ${part.textContent.slice(0, 60)}`),
    padding,
  );
}
