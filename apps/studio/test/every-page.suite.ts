import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { parseEur } from "@atelier/schemas";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, useBrowser } from "./support/browser.ts";
import { createPages, findOverflow, visit } from "./support/every-page.ts";
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
    paths = await createPages(account, {
      prompt: `${longWord}, a lighthouse at dusk`,
      title: `The ${longWord}`,
      character: longWord.slice(0, 60),
      scenes: [`${longWord} flies a kite`, "The kite is in a tree"],
      webhook: `https://hooks.example.com/${longWord.toLowerCase().replace(/ä/g, "ae")}/atelier`,
      description: longWord,
    });
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
