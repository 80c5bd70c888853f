import { glob, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const root = new URL("../../..", import.meta.url);

/** Files that name the mode live, how often, and why. Elsewhere, the mode is that of a key. */
const named: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "packages/schemas/src/keys.ts": [1, "the values"],
  "packages/events/src/outbox.ts": [2, "events of an account itself"],
  "packages/generations/src/library/reserve.ts": [1, "kept items without a job or member"],
  "packages/generations/src/library/change-note.ts": [1, "notes on archived jobs"],
  "packages/events/src/webhooks.ts": [2, "webhooks from before their key was recorded"],
  "apps/api/src/events/present-events.ts": [1, "events of an account itself"],
  "packages/generations/src/accept/insert-generation.ts": [
    3,
    "a plan without a mode, limits of tests only, and the budgets that live jobs spend",
  ],
  "apps/api/src/routes/account.ts": [1, "the secret that is shown once"],
  "apps/api/src/generations/answer/list-page.ts": [1, "the default of a list"],
  "apps/api/src/http/permissions.ts": [1, "a list that the request asks for"],
  "apps/api/src/routes/webhooks.ts": [1, "webhooks that a live key sees"],
  "packages/accounts/src/key-format.ts": [1, "the default of a new key"],
  "packages/accounts/src/key-lifecycle.ts": [1, "the default of a new key"],
  "packages/accounts/src/keys.ts": [1, "the default of a new key"],
  "packages/accounts/src/rights.ts": [2, "rights of live keys"],
  "packages/schemas/src/resources.ts": [1, "the name of a quota"],
  "packages/audit/src/invariants.ts": [
    4,
    "live jobs are settled and spend shared budgets, old webhooks are live, and members act through live keys",
  ],
  "packages/billing/src/key-budget.ts": [1, "only live jobs spend a shared budget"],
  "packages/billing/src/shared-budget.ts": [1, "only live jobs spend a shared budget"],
  "packages/billing/src/usage.ts": [1, "archived jobs of shared budgets"],
  "apps/api/src/console/accounts.ts": [1, "the default of a new key"],
  "apps/cli/src/operators/account-commands.ts": [1, "the default of a new key"],
  "apps/cli/src/import/read-accounts.ts": [1, "the default of a new key"],
  "packages/generations/src/inspect/find-accounts.ts": [1, "failed jobs that operators see"],
  "packages/schemas/src/admin/jobs.ts": [1, "an example"],
  "packages/schemas/src/endpoints/account.ts": [1, "an example"],
  "packages/schemas/src/endpoints/batches.ts": [1, "an example"],
  "packages/schemas/src/endpoints/keys.ts": [1, "an example"],
  "packages/schemas/src/endpoints/samples.ts": [1, "an example"],
  "packages/schemas/src/endpoints/webhooks.ts": [1, "an example"],
};

it("names the mode live only where it is not that of a key", async () => {
  const files = glob("{apps/{api,cli,worker},packages/*}/src/**/*.ts", { cwd: root });
  const found: Record<string, number> = {};
  for await (const file of files) {
    if (/\.test\.ts$|generated|testing|packages\/(client|openapi)\//.test(file)) continue;
    const text = await readFile(new URL(file, root), "utf8");
    const count = [...text.matchAll(/(['"])live\1/g)].length;
    if (count > 0) found[file] = count;
  }
  const expected = Object.entries(named).map(([file, [count]]) => [file, count]);
  expect(found).toEqual(Object.fromEntries(expected));
});
