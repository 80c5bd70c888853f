import { changeKey, manage } from "@atelier/accounts";
import { auditDatabase } from "@atelier/audit";
import {
  changeSharedBudget,
  createSharedBudget,
  deleteSharedBudget,
  readSharedBudgets,
  refundJob,
} from "@atelier/billing";
import { createDatabase, newId, type Database, type Sql } from "@atelier/database";
import { createTestDatabase, explainStatements, type PlanNode } from "@atelier/local-services";
import { AppError, sharedBudgetPeriod, type SharedBudgetPeriod } from "@atelier/schemas";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { cancelGeneration } from "../endings/cancel.ts";
import { failGeneration } from "../endings/fail.ts";
import {
  answer,
  error as failure,
  imagePlan,
  imagesOf,
  openFixture,
  type Fixture,
} from "../testing/fixture.ts";
import { insertTestKey } from "../testing/insert-test-key.ts";
import { atPrice } from "../testing/plans.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** An account with some budgets, and keys that are in none. Its first key has the id of the account. */
async function openAccount(keys: number, amounts: Readonly<Record<string, bigint>>) {
  const { database } = fixture;
  const accountId = await fixture.makeAccount();
  const keyIds = Array.from({ length: keys }, () => newId());
  for (const keyId of keyIds) await insertTestKey(database, accountId, keyId);
  const budgetIds: string[] = [];
  for (const [name, budgetMicroEur] of Object.entries(amounts)) {
    const id = newId();
    const period = sharedBudgetPeriod.catch("total").parse(name);
    await createSharedBudget(database, { id, accountId, name, budgetMicroEur, period });
    budgetIds.push(id);
  }
  const caller = await fixture.callerOf(accountId);
  return {
    accountId,
    keyIds,
    budgetIds,
    /** Moves a key as `PATCH /v1/keys/{id}` does. */
    move: (keyId: string, budgetId: string | null) =>
      manage(
        database,
        caller,
        (managing) => {
          if (managing.target === null) throw new Error("the key is gone");
          return changeKey(managing, managing.target, {
            limits: { budgetId },
            hasBudget: undefined,
          });
        },
        keyId,
      ),
    /** Changes an amount as `PATCH /v1/budgets/{id}` does. */
    setAmount: (budgetId: string, budgetMicroEur: bigint) =>
      manage(database, caller, ({ sql }) =>
        changeSharedBudget(sql, { accountId, budgetId }, { name: null, budgetMicroEur }),
      ),
    accept: (keyId: string, price: bigint) =>
      fixture.accept({ accountId, keyId, plan: { ...imagePlan, price: atPrice(price) } }),
    budget: async (budgetId: string) => {
      const [budget] = await readSharedBudgets(database, accountId, budgetId);
      if (budget === undefined) throw new Error("the budget is gone");
      return budget;
    },
  };
}

/** The nodes of a plan that look up rows of a table. */
function scansOf(node: PlanNode, table: string): readonly PlanNode[] {
  const isScan = node["Relation Name"] === table && node["Node Type"] !== "ModifyTable";
  return [...(isScan ? [node] : []), ...(node.Plans ?? []).flatMap((one) => scansOf(one, table))];
}

async function complete(renderId: string): Promise<void> {
  const claim = await fixture.claim(renderId);
  await fixture.finisher.finish(claim, imagesOf(claim), answer, null);
}

/** Moves everything that an account has done to days before. */
async function passDays(accountId: string, days: number): Promise<void> {
  await fixture.database.query(
    `WITH moved AS (
       UPDATE generation SET created_at = created_at - $2 * interval '1 day' WHERE account_id = $1
     )
     UPDATE budget SET spent_since = spent_since - $2 * interval '1 day' WHERE account_id = $1`,
    [accountId, days],
  );
}

/** Held and charged by the jobs of a budget in its current period, by the ledger. */
async function sumsByLedger(budgetId: string) {
  const [sums] = await fixture.database.query<{ spent: bigint; held: bigint }>(
    `SELECT coalesce(sum(CASE WHEN resolution.id IS NULL THEN hold.amount_micro_eur
                              ELSE coalesce(charge.amount_micro_eur, 0) END), 0)::bigint AS spent,
            coalesce(sum(hold.amount_micro_eur) FILTER (WHERE resolution.id IS NULL), 0)::bigint AS held
       FROM budget JOIN generation ON budget_id = budget.id
       JOIN hold ON hold.generation_id = generation.id
       LEFT JOIN ledger_transfer AS resolution ON resolves_hold_id = hold.id
       LEFT JOIN ledger_entry AS charge ON charge.transfer_id = resolution.id AND book = 'revenue'
      WHERE budget.id = $1
        AND (budget_period = 'total'
             OR generation.created_at >= date_trunc(budget_period::text, now(), 'UTC'))`,
    [budgetId],
  );
  return sums;
}

async function lowEvents(accountId: string) {
  const events = await fixture.database.query<{ data: unknown }>(
    "SELECT data FROM event WHERE account_id = $1 AND type = 'budget.low' ORDER BY id",
    [accountId],
  );
  return events.map(({ data }) => data);
}

/** Something that happens in an account; the parts of a step happen concurrently. */
type Part =
  | { readonly kind: "accept"; readonly key: number; readonly price: bigint }
  | { readonly kind: "move"; readonly key: number; readonly budget: number }
  | { readonly kind: "cancel" | "fail" | "complete" | "complete-for-less" | "refund" };
type Step =
  | { readonly kind: "concurrently"; readonly parts: readonly Part[] }
  | { readonly kind: "amount"; readonly budget: number; readonly eur: bigint }
  | { readonly kind: "days"; readonly days: number };

const keyCount = 3;
const periods: readonly SharedBudgetPeriod[] = sharedBudgetPeriod.options;
const key = fc.nat(keyCount - 1);
const budget = fc.nat(periods.length - 1);

const part: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("accept"), key, price: fc.bigInt(0n, 40n) }),
  },
  // The number after the last budget moves the key out of its budget.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("move"), key, budget: fc.nat(periods.length) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("cancel", "fail", "complete", "complete-for-less", "refund"),
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("concurrently"),
      parts: fc.array(part, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("amount"), budget, eur: fc.bigInt(0n, 150n) }),
  },
  // All periods end: a part of one, moved without the other part, would count nowhere.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("days"), days: fc.integer({ min: 31, max: 70 }) }),
  },
);

describe("a shared budget", () => {
  it("holds for any sequence of concurrent requests, ends, moves, changes and days", async () => {
    const { database } = fixture;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (steps, picks) => {
          const amounts = Object.fromEntries(periods.map((period) => [period, 100n]));
          const account = await openAccount(keyCount, amounts);
          const { accountId, keyIds, budgetIds } = account;
          for (const [index, keyId] of keyIds.entries()) {
            await account.move(keyId, budgetIds[index] ?? null);
          }
          const open: { generationId: string; renderId: string }[] = [];
          const completed: string[] = [];
          const take = <Item>(items: Item[]) =>
            items.splice((picks.next().value ?? 0) % Math.max(items.length, 1), 1)[0];

          const end = async (kind: Part["kind"]): Promise<void> => {
            const job = take(open);
            if (job === undefined) return;
            const { generationId } = job;
            if (kind === "cancel") {
              await cancelGeneration(database, { accountId, generationId });
            } else if (kind === "fail") {
              const claim = await fixture.claim(job.renderId);
              await failGeneration(database, { generationId, claim, error: failure });
            } else {
              if (kind === "complete-for-less") {
                await database.query(
                  "UPDATE generation SET price_micro_eur = price_micro_eur / 2 WHERE id = $1",
                  [generationId],
                );
              }
              await complete(job.renderId);
              completed.push(generationId);
            }
          };
          /** Returns the price that was refused. */
          const run = async (one: Part): Promise<bigint | null> => {
            if (one.kind === "accept") {
              try {
                const job = await account.accept(keyIds[one.key] ?? "", one.price);
                open.push({ generationId: job.generationId, renderId: job.renders[0] ?? "" });
                return null;
              } catch (cause) {
                expect(cause).toMatchObject({ code: "budget_exhausted" });
                return one.price;
              }
            }
            if (one.kind === "move") {
              await account.move(keyIds[one.key] ?? "", budgetIds[one.budget] ?? null);
            } else if (one.kind === "refund") {
              const generationId = take(completed);
              if (generationId === undefined) return null;
              const refund = { generationId, amountMicroEur: null, reference: newId() };
              // A job without a charge has nothing to refund.
              await refundJob(database, refund, async () => null).catch((cause: unknown) => {
                if (!(cause instanceof RangeError)) throw cause;
              });
            } else await end(one.kind);
            return null;
          };

          for (const now of steps) {
            const before = await Promise.all(budgetIds.map(account.budget));
            if (now.kind === "amount") {
              await account.setAmount(budgetIds[now.budget] ?? "", now.eur);
            } else if (now.kind === "days") {
              await passDays(accountId, now.days);
            } else {
              const refused = (await Promise.all(now.parts.map(run))).filter(
                (price) => price !== null,
              );
              const after = await Promise.all(budgetIds.map(account.budget));
              for (const [index, { spentMicroEur, budgetMicroEur }] of after.entries()) {
                // A lower amount does not end jobs that were accepted before.
                const limit = max(budgetMicroEur, before[index]?.spentMicroEur ?? 0n);
                expect(spentMicroEur <= limit).toBe(true);
              }
              if (now.parts.every(({ kind }) => kind === "accept")) {
                for (const price of refused) {
                  const isFull = after.some(
                    (one) => one.spentMicroEur + price > one.budgetMicroEur,
                  );
                  expect(isFull).toBe(true);
                }
              }
            }
            for (const budgetId of budgetIds) {
              const { spentMicroEur, heldMicroEur } = await account.budget(budgetId);
              const sums = { spent: spentMicroEur, held: heldMicroEur };
              expect(sums).toEqual(await sumsByLedger(budgetId));
            }
          }
          const findings = await auditDatabase(database);
          const broken = findings.filter(({ invariant, violations }) => {
            return violations > 0 && invariant.includes("shared budget");
          });
          expect(broken).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("accepts exactly what it has left of 200 concurrent requests of several keys", async () => {
    const account = await openAccount(4, { total: 55n });
    const [budgetId = ""] = account.budgetIds;
    for (const keyId of account.keyIds) await account.move(keyId, budgetId);
    const requests = Array.from({ length: 200 }, (_, index) =>
      account.accept(account.keyIds[index % 4] ?? "", 10n),
    );
    const outcomes = await Promise.allSettled(requests);
    const refusals = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(outcomes.length - refusals.length).toBe(5);
    expect(new Set(refusals.map(({ reason }) => (reason as AppError).code))).toEqual(
      new Set(["budget_exhausted"]),
    );
    expect(await account.budget(budgetId)).toMatchObject({ spentMicroEur: 50n, heldMicroEur: 50n });
  });

  it("accepts 0 of 200 requests in flight after the answer to the change that exhausts it", async () => {
    const { database } = fixture;
    const account = await openAccount(2, { month: 5_000n });
    const [budgetId = ""] = account.budgetIds;
    for (const keyId of account.keyIds) await account.move(keyId, budgetId);
    const accepted = async () => {
      const [jobs] = await database.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM generation WHERE account_id = $1",
        [account.accountId],
      );
      return jobs?.count ?? 0;
    };
    const requests = Array.from({ length: 200 }, (_, index) =>
      account.accept(account.keyIds[index % 2] ?? "", 1n),
    );
    await requests[0];
    await account.setAmount(budgetId, 0n);
    const before = await accepted();
    const outcomes = await Promise.allSettled(requests);
    expect(await accepted()).toBe(before);
    const refused = outcomes.filter(({ status }) => status === "rejected").length;
    expect(refused).toBe(200 - before);
    expect(refused).toBeGreaterThan(0);
  });

  it("names itself and its next period in the refusal", async () => {
    const account = await openAccount(1, { week: 1_000n });
    const [keyId = "", budgetId = ""] = [account.keyIds[0], account.budgetIds[0]];
    await account.move(keyId, budgetId);
    await account.accept(keyId, 990n);
    const { resetsAt } = await account.budget(budgetId);
    const [monday] = await fixture.database.query<{ next: Date }>(
      "SELECT date_trunc('week', now(), 'UTC') + interval '7 days' AS next",
    );
    expect(resetsAt).toEqual(monday?.next);
    await expect(account.accept(keyId, 11n)).rejects.toMatchObject({
      code: "budget_exhausted",
      message: `This costs 0.000011 EUR, and the keys of the budget "week" have spent 0.00099 of its 0.001 EUR. The budget starts again at ${resetsAt?.toISOString()}.`,
      details: { budget_id: budgetId, budget_name: "week", resets_at: resetsAt?.toISOString() },
    });
  });

  it("is not read or locked for a key without one, and does not limit test jobs", async () => {
    const { database } = fixture;
    const account = await openAccount(1, { total: 0n });
    const [keyId = "", budgetId = ""] = [account.keyIds[0], account.budgetIds[0]];
    const testKeyId = newId();
    await insertTestKey(database, account.accountId, testKeyId, "test");
    await account.move(testKeyId, budgetId);
    await database.transaction(async (sql) => {
      await sql.query("SELECT FROM budget WHERE id = $1 FOR UPDATE", [budgetId]);
      await account.accept(keyId, 5n);
      const plan = { ...imagePlan, mode: "test" as const, price: atPrice(0n) };
      const { accountId } = account;
      await fixture.accept({ accountId, keyId: testKeyId, plan, maxTestImages: 10 });
    });
    expect(await account.budget(budgetId)).toMatchObject({ spentMicroEur: 0n, keys: 1 });
  });

  it("costs a key in it one changed row and no statement more, and a key without one nothing", async () => {
    const own = await createTestDatabase(inject("postgresUrl"));
    const one = createDatabase({ url: own.url, poolSize: 1, applicationName: "test" });
    const other = await openFixture(own);
    let statements = 0;
    const query: Sql["query"] = (text, values) => {
      statements++;
      return one.repeatable.query(text, values);
    };
    const counting = { ...one, query, repeatable: { query } };
    const accountId = await other.makeAccount();
    const [keyId, budgetId] = [newId(), newId()];
    await insertTestKey(one, accountId, keyId);
    const month = { id: budgetId, accountId, name: "month", period: "month" } as const;
    await createSharedBudget(one, { ...month, budgetMicroEur: 10n ** 9n });
    await one.query("UPDATE api_key SET budget_id = $2 WHERE id = $1", [keyId, budgetId]);
    const request = { plan: { ...imagePlan, price: atPrice(1n) }, maxUnfinishedJobs: 1_000 };
    const acceptWith = (usedKeyId: string, on: Database) =>
      other.accept({ ...request, accountId, keyId: usedKeyId }, on);
    const changedRows = async () => {
      // The counts of a transaction are added after its end.
      await one.query("SELECT pg_stat_force_next_flush()");
      const [counted] = await one.query<{ rows: number }>(
        "SELECT sum(n_tup_upd)::int AS rows FROM pg_stat_user_tables",
      );
      return counted?.rows ?? 0;
    };
    async function costOf(usedKeyId: string) {
      statements = 0;
      const before = await changedRows();
      for (let job = 0; job < 10; job++) await acceptWith(usedKeyId, counting);
      return { statements, changedRows: (await changedRows()) - before };
    }
    const without = await costOf(accountId);
    expect(await costOf(keyId)).toEqual({ ...without, changedRows: without.changedRows + 10 });

    // A table of one page is read whole, once its statistics are known.
    await one.query(
      `INSERT INTO budget (id, account_id, name, budget_micro_eur, budget_period)
       SELECT uuidv7(), gen_random_uuid(), 'other', 1, 'month' FROM generate_series(1, 2000)`,
    );
    await one.query("ANALYZE budget");
    const readsOf = async (usedKeyId: string) => {
      const plans = await explainStatements(one, (sql) =>
        acceptWith(usedKeyId, {
          ...one,
          ...sql,
          repeatable: sql,
          transaction: (work: (inner: Sql) => Promise<unknown>) => work(sql),
        } as Database),
      );
      const scans = plans.flatMap((plan) => scansOf(plan, "budget"));
      expect(scans.length).toBeGreaterThan(0);
      return Math.max(...scans.map((scan) => scan["Shared Hit Blocks"] ?? 0));
    };
    expect(await readsOf(accountId)).toBe(0);
    expect(await readsOf(keyId)).toBeGreaterThan(0);
    await one.close();
    await other.close();
  });

  it("writes budget.low once in each period, and again after another amount", async () => {
    const account = await openAccount(1, { day: 100n });
    const [keyId = "", budgetId = ""] = [account.keyIds[0], account.budgetIds[0]];
    await account.move(keyId, budgetId);
    await account.accept(keyId, 79n);
    expect(await lowEvents(account.accountId)).toEqual([]);
    const { generationId } = await account.accept(keyId, 1n);
    const { resetsAt } = await account.budget(budgetId);
    const event = {
      id: budgetId,
      name: "day",
      eur: "0.0001",
      period: "day",
      spent_eur: "0.00008",
      resets_at: resetsAt?.toISOString(),
    };
    expect(await lowEvents(account.accountId)).toEqual([event]);
    await cancelGeneration(fixture.database, { accountId: account.accountId, generationId });
    await account.accept(keyId, 20n);
    expect(await lowEvents(account.accountId)).toHaveLength(1);
    await account.setAmount(budgetId, 200n);
    await account.accept(keyId, 61n);
    expect(await lowEvents(account.accountId)).toHaveLength(2);
    await passDays(account.accountId, 1);
    await account.accept(keyId, 200n);
    expect(await lowEvents(account.accountId)).toHaveLength(3);
  });

  it("is not deleted while it has valid keys, and its unfinished jobs continue without it", async () => {
    const { database } = fixture;
    const account = await openAccount(1, { total: 100n });
    const [keyId = "", budgetId = ""] = [account.keyIds[0], account.budgetIds[0]];
    const target = { accountId: account.accountId, budgetId };
    await account.move(keyId, budgetId);
    const { renders } = await account.accept(keyId, 10n);
    await expect(deleteSharedBudget(database, target)).rejects.toMatchObject({
      code: "budget_in_use",
      details: { keys: 1 },
    });
    await account.move(keyId, null);
    expect(await deleteSharedBudget(database, target)).toBe(true);
    expect(await deleteSharedBudget(database, target)).toBe(false);
    await complete(renders[0] ?? "");
    await account.accept(keyId, 1_000n);
  });

  it("is listed with its valid keys, without a look at those that are revoked", async () => {
    const { database } = fixture;
    const account = await openAccount(1, { day: 100n, week: 100n, month: 100n });
    const [keyId = "", budgetId = ""] = [account.keyIds[0], account.budgetIds[0]];
    await account.move(keyId, budgetId);
    await database.query(
      `INSERT INTO api_key (id, account_id, budget_id, name, hash, last_four, revoked_at)
       SELECT id, $1, $2, 'revoked', uuid_send(id), 'test', now()
         FROM (SELECT uuidv7() AS id FROM generate_series(1, 2000)) AS made`,
      [account.accountId, budgetId],
    );
    await database.query("ANALYZE api_key");
    const budgets = await readSharedBudgets(database, account.accountId);
    expect(budgets.map(({ keys }) => keys).toSorted((one, other) => one - other)).toEqual([
      0, 0, 1,
    ]);
    const plans: string[] = [];
    await readSharedBudgets(
      {
        query: async (text, values) => {
          const plan = await database.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
          plans.push(JSON.stringify(plan));
          return [];
        },
      },
      account.accountId,
    );
    const [plan = ""] = plans;
    expect(plan).toContain("api_key_budget_id_idx");
    expect(plan).not.toContain("api_key_account_id_idx");
    const removed = plan.matchAll(/"Rows Removed by Filter":(\d+)/g);
    for (const [, rows] of removed) expect(Number(rows)).toBeLessThan(100);
  });

  it("counts jobs and keys that a version without shared budgets inserts", async () => {
    const { database } = fixture;
    const account = await openAccount(1, { day: 100n });
    const [keyId = "", budgetId = ""] = [account.keyIds[0], account.budgetIds[0]];
    await account.move(keyId, budgetId);
    await account.accept(keyId, 90n);
    await passDays(account.accountId, 1);
    const id = newId();
    await database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO generation (id, account_id, key_id, kind, model, request, strictness, price_micro_eur,
                                 renders_total, deadline_at)
         VALUES ($1, $2, $3, 'image', 'm', '{}', 'normal', 120, 1, now() + interval '1 hour')`,
        [id, account.accountId, keyId],
      );
      await sql.query(
        "INSERT INTO ledger_transfer (id, kind, account_id, generation_id) VALUES ($1, 'hold', $2, $1)",
        [id, account.accountId],
      );
      await sql.query(
        `INSERT INTO hold (id, account_id, generation_id, transfer_id, amount_micro_eur)
         VALUES ($1, $2, $1, $1, 120)`,
        [id, account.accountId],
      );
    });
    const held = { spentMicroEur: 120n, heldMicroEur: 120n };
    expect(await account.budget(budgetId)).toMatchObject(held);
    await expect(account.accept(keyId, 0n)).rejects.toMatchObject({ code: "budget_exhausted" });
    await database.query(
      `UPDATE generation SET status = 'completed', completed_at = now(), charged_micro_eur = 70 WHERE id = $1`,
      [id],
    );
    const settled = { spentMicroEur: 70n, heldMicroEur: 0n };
    expect(await account.budget(budgetId)).toMatchObject(settled);

    const made = newId();
    await database.query(
      `INSERT INTO api_key (id, account_id, parent_id, name, hash, last_four)
       VALUES ($1, $2, $3, 'test', $4, 'test')`,
      [made, account.accountId, keyId, Buffer.from(made)],
    );
    await expect(account.accept(made, 31n)).rejects.toMatchObject({ code: "budget_exhausted" });
  });
});

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
