import { fillHistory } from "@atelier/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { callApi, newAccount, newKey, openDatabase, type TestAccount } from "./accounts.ts";

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

/** Creates an account with many jobs of the last day, whose files are those of one real image. */
export async function accountWithImages(count: number): Promise<TestAccount> {
  const sql = openDatabase();
  const real = await newAccount();
  await makeImage(real);
  const [accountId = ""] = await fillHistory(sql, {
    accounts: 1,
    generations: count,
    imagesKept: true,
    ages: [0.5, 0.1],
  });
  // What a job shows is read from the changed rows, not from the result that was written with it.
  await sql.query("UPDATE generation SET result = NULL WHERE account_id = $1", [accountId]);
  await sql.query(
    `UPDATE image SET storage_key = of_real.storage_key, sha256 = of_real.sha256,
                      size_bytes = of_real.size_bytes, width = of_real.width, height = of_real.height
       FROM render, generation, image AS of_real, render AS real_render, generation AS real
      WHERE render.id = image.render_id AND generation.id = render.generation_id
        AND generation.account_id = $1 AND of_real.format = image.format
        AND real_render.id = of_real.render_id AND real.id = real_render.generation_id
        AND real.account_id = $2`,
    [accountId, real.accountId],
  );
  return newKey({ accountId, key: "" });
}
