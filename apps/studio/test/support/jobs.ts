import type { Page } from "playwright-core";
import { expect } from "vitest";
import { callApi, openDatabase, type TestAccount } from "./accounts.ts";

/** Makes an image with a key, at the price of the model. */
export async function makeImage(
  holder: Pick<TestAccount, "key">,
  model = "builtin-pattern",
): Promise<void> {
  const response = await callApi({ accountId: "", ...holder }, "POST", "/v1/generate/image", {
    model,
    prompt: "a lighthouse at dusk",
  });
  expect(response.status).toBe(200);
}

/** Lets the next request for images arrive without its response. */
export function loseResponse(page: Page): Promise<unknown> {
  return page.route(
    "**/v1/generate/*",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Moves the end of the account's jobs to earlier days: the first one by 0 days, the next by `step`. */
export async function spreadOverDays({ accountId }: TestAccount, step: number): Promise<void> {
  await openDatabase().transaction(async (sql) => {
    // Ledger rows never change: without their triggers, the test pretends that time has passed.
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(
      `UPDATE ledger_transfer AS transfer
          SET created_at = created_at - $2 * number * interval '1 day'
         FROM (SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS number FROM ledger_transfer
                WHERE account_id = $1 AND kind = 'settle') AS numbered
        WHERE transfer.id = numbered.id`,
      [accountId, step],
    );
  });
}

/** Creates a key by the API. */
export async function mintKey(
  account: TestAccount,
  settings: object,
): Promise<TestAccount & { readonly id: string }> {
  const response = await callApi(account, "POST", "/v1/keys", settings);
  expect(response.status).toBe(201);
  const { id, key } = (await response.json()) as { id: string; key: string };
  return { accountId: account.accountId, id, key };
}
