import { setKeyBudget, readKeyBudgets } from "@atelier/billing";
import { newId, type Sql } from "@atelier/database";
import type { BudgetPeriod } from "@atelier/schemas";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelGeneration } from "../endings/cancel.ts";
import {
  answer,
  imagePlan,
  imagesOf,
  openFixture,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { insertTestKey } from "../testing/insert-test-key.ts";
import { atPrice } from "../testing/plans.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** Something that happens to a key; the parts of a step happen concurrently. */
type Part =
  | { readonly kind: "accept"; readonly price: bigint }
  | { readonly kind: "cancel" }
  | { readonly kind: "complete" };
type Step =
  | { readonly kind: "concurrently"; readonly parts: readonly Part[] }
  | { readonly kind: "budget"; readonly eur: bigint | null; readonly period: BudgetPeriod }
  | { readonly kind: "next-day" };

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("accept"), price: fc.bigInt(0n, 40n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("complete") }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("concurrently"),
      parts: fc.array(part, { minLength: 1, maxLength: 10 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("budget"),
      eur: fc.option(fc.bigInt(0n, 150n)),
      period: fc.constantFrom("total", "day", "month"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("next-day") }) },
);

/** Held and charged by jobs of a key in its current period, by the ledger. */
async function spentByLedger(keyId: string): Promise<bigint> {
  const [sum] = await fixture.database.query<{ spent: bigint }>(
    `SELECT coalesce(sum(CASE WHEN resolution.id IS NULL THEN hold.amount_micro_eur
                              ELSE coalesce(charge.amount_micro_eur, 0) END), 0)::bigint AS spent
       FROM api_key JOIN generation ON key_id = api_key.id
       JOIN hold ON hold.generation_id = generation.id
       LEFT JOIN ledger_transfer AS resolution ON resolves_hold_id = hold.id
       LEFT JOIN ledger_entry AS charge ON charge.transfer_id = resolution.id AND book = 'revenue'
      WHERE api_key.id = $1
        AND (budget_period = 'total'
             OR generation.created_at >= date_trunc(budget_period::text, now(), 'UTC'))`,
    [keyId],
  );
  return sum?.spent ?? 0n;
}

async function currentBudget(keyId: string) {
  const budget = (await readKeyBudgets(fixture.database, [keyId])).get(keyId);
  if (budget === undefined) throw new Error("the key is gone");
  return budget;
}

/** Moves everything that the key has done to the day, or month, before. */
async function passDay(keyId: string): Promise<void> {
  await fixture.database.query(
    `WITH moved AS (
       UPDATE generation SET created_at = created_at - interval '1 day' WHERE key_id = $1
     )
     UPDATE api_key SET spent_since = spent_since - interval '1 day',
                        created_at = created_at - interval '1 day' WHERE id = $1`,
    [keyId],
  );
}

describe("the budget of a key", () => {
  it("holds for any sequence of concurrent requests, ends, changes and days", async () => {
    const { database } = fixture;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (steps, picks) => {
          const accountId = await fixture.makeAccount();
          const keyId = newId();
          await insertTestKey(database, accountId, keyId);
          await setKeyBudget(database, keyId, { budgetMicroEur: 100n, period: "total" });
          const open: { generationId: string; renderId: string }[] = [];
          const takeOpen = () =>
            open.splice((picks.next().value ?? 0) % Math.max(open.length, 1), 1);

          const run = async (one: Part): Promise<bigint | null> => {
            if (one.kind === "accept") {
              const plan = { ...imagePlan, price: atPrice(one.price) };
              try {
                const job = await fixture.accept({ accountId, keyId, plan });
                open.push({ generationId: job.generationId, renderId: job.renders[0] ?? "" });
                return null;
              } catch (error) {
                expect(error).toMatchObject({ code: "key_budget_exhausted" });
                return one.price;
              }
            }
            const [job] = takeOpen();
            if (job === undefined) return null;
            if (one.kind === "cancel") {
              await cancelGeneration(database, { accountId, ...job });
            } else {
              const claim = await fixture.claim(job.renderId);
              await fixture.finisher.finish(claim, imagesOf(claim), answer, null);
            }
            return null;
          };

          for (const now of steps) {
            const before = await currentBudget(keyId);
            if (now.kind === "budget") {
              const { eur: budgetMicroEur, period } = now;
              await setKeyBudget(database, keyId, { budgetMicroEur, period });
            } else if (now.kind === "next-day") {
              await passDay(keyId);
            } else {
              const refused = (await Promise.all(now.parts.map(run))).filter(
                (price) => price !== null,
              );
              const { spentMicroEur, budgetMicroEur } = await currentBudget(keyId);
              // A lower budget does not end jobs that were accepted before.
              const limit =
                budgetMicroEur === null ? null : max(budgetMicroEur, before.spentMicroEur);
              if (limit !== null) expect(spentMicroEur <= limit).toBe(true);
              const isOnlyAccepting = now.parts.every(({ kind }) => kind === "accept");
              if (budgetMicroEur !== null && isOnlyAccepting) {
                for (const price of refused) {
                  expect(spentMicroEur + price > budgetMicroEur).toBe(true);
                }
              }
              if (budgetMicroEur === null) expect(refused).toEqual([]);
            }
            expect((await currentBudget(keyId)).spentMicroEur).toBe(await spentByLedger(keyId));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("is set without a lock while completed jobs are summed, and misses none that end meanwhile", async () => {
    const { database } = fixture;
    const accountId = await fixture.makeAccount();
    const [old, ending, cancelled] = await Promise.all(
      [1, 2, 3].map(() => fixture.accept({ accountId })),
    );
    const complete = async (job: AcceptedGeneration | undefined) => {
      const claim = await fixture.claim(job?.renders[0]);
      await fixture.finisher.finish(claim, imagesOf(claim), answer, null);
    };
    await complete(old);
    await database.transaction(async (sql) => {
      // Transfers never change.
      await sql.query("SET LOCAL session_replication_role = replica");
      const earlier = "- interval '1 hour'";
      await sql.query(
        `UPDATE generation SET completed_at = completed_at ${earlier} WHERE id = $1`,
        [old?.generationId],
      );
      await sql.query(
        `UPDATE ledger_transfer SET created_at = created_at ${earlier} WHERE generation_id = $1`,
        [old?.generationId],
      );
    });

    let sums = 0;
    const repeatable: Sql = {
      async query(text, values) {
        const rows = await database.repeatable.query(text, values);
        sums += 1;
        await complete(ending);
        await cancelGeneration(database, {
          accountId,
          generationId: cancelled?.generationId ?? "",
        });
        await fixture.accept({ accountId });
        return rows as never;
      },
    };
    const change = { budgetMicroEur: 1_000_000n, period: "day" } as const;
    await setKeyBudget({ ...database, repeatable }, accountId, change);
    expect(sums).toBe(1);
    expect((await currentBudget(accountId)).spentMicroEur).toBe(150_000n);
    expect(await spentByLedger(accountId)).toBe(150_000n);
  });

  it("is unchanged by a job that waited across midnight UTC for a job of the next day", async () => {
    const { database } = fixture;
    const accountId = await fixture.makeAccount();
    await setKeyBudget(database, accountId, { budgetMicroEur: 1_000_000n, period: "day" });
    // As the job left it whose statement began after midnight and got the locks first.
    await database.query(
      `UPDATE api_key SET spent_since = date_trunc('day', now(), 'UTC') + interval '1 day',
                          spent_micro_eur = 1 WHERE id = $1`,
      [accountId],
    );
    const spent = async () => {
      const [key] = await database.query<{ spent: bigint }>(
        "SELECT spent_micro_eur AS spent FROM api_key WHERE id = $1",
        [accountId],
      );
      return key?.spent;
    };
    const { generationId } = await fixture.accept({ accountId });
    expect(await spent()).toBe(1n);
    await cancelGeneration(database, { accountId, generationId });
    expect(await spent()).toBe(1n);
  });
});

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
