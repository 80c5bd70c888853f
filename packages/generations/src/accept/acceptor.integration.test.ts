import type { Database } from "@atelier/database";
import { newId } from "@atelier/database";
import { setKeyBudget } from "@atelier/billing";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Acceptance } from "./accept.ts";
import type { NewGeneration } from "./new-generation.ts";
import { createAcceptor } from "./acceptor.ts";
import {
  acceptRequest,
  imagePlan,
  losingResponses,
  openFixture,
  type Fixture,
} from "../testing/fixture.ts";
import { insertTestKey } from "../testing/insert-test-key.ts";
import { atPrice } from "../testing/plans.ts";

const limits = { maxWaiting: 300, maxWaitMs: 10_000 };

/** Codes of errors, and the ids of the generations that were accepted or replayed. */
type Outcome = { readonly code: string } | Pick<Acceptance, "kind" | "generationId">;

describe("accepting generations of one account that wait for each other", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  /** Accepts all at once: the first alone, the others in groups behind it. */
  async function acceptAll(
    requests: readonly NewGeneration[],
    database: Database = fixture.database,
  ): Promise<Outcome[]> {
    const acceptor = createAcceptor(database, limits);
    const results = await Promise.allSettled(requests.map((request) => acceptor.accept(request)));
    return results.map((result) =>
      result.status === "fulfilled"
        ? { kind: result.value.kind, generationId: result.value.generationId }
        : { code: (result.reason as { code: string }).code },
    );
  }

  const kindsOf = (outcomes: readonly Outcome[]) =>
    outcomes.map((outcome) => ("kind" in outcome ? outcome.kind : outcome.code));

  async function moneyOf(accountId: string) {
    const [money] = await fixture.database.query(
      `SELECT balance_micro_eur AS balance, held_micro_eur AS held, unfinished_jobs AS jobs,
              (SELECT count(*)::int FROM generation WHERE account_id = account.id) AS generations,
              (SELECT count(DISTINCT xmin::text)::int FROM generation
                WHERE account_id = account.id) AS transactions,
              (SELECT coalesce(sum(amount_micro_eur), 0)::bigint FROM hold
                WHERE account_id = account.id) AS holds,
              (SELECT coalesce(sum(amount_micro_eur), 0)::bigint FROM ledger_entry
                WHERE account_id = account.id AND book = 'held') AS booked
         FROM account WHERE id = $1`,
      [accountId],
    );
    return money;
  }

  it("commits those that wait together, at most 16", async () => {
    const accountId = await fixture.makeAccount();
    const outcomes = await acceptAll(
      Array.from({ length: 18 }, () => acceptRequest({ accountId })),
    );
    expect(new Set(kindsOf(outcomes))).toEqual(new Set(["accepted"]));
    expect(await moneyOf(accountId)).toEqual({
      balance: 9_100_000n,
      held: 900_000n,
      holds: 900_000n,
      booked: 900_000n,
      jobs: 18,
      generations: 18,
      transactions: 3,
    });
  });

  it("runs a single request as one statement, without a transaction", async () => {
    const accountId = await fixture.makeAccount();
    const alone: Database = {
      ...fixture.database,
      batch: () => Promise.reject(new Error("a request that nothing waits for was grouped")),
    };
    expect(kindsOf(await acceptAll([acceptRequest({ accountId })], alone))).toEqual(["accepted"]);
  });

  it("refuses a request that the database cannot store without its neighbours", async () => {
    const accountId = await fixture.makeAccount();
    const plan = { ...imagePlan, metadata: { note: "\u0000" } };
    const outcomes = await acceptAll([
      ...[1, 2].map(() => acceptRequest({ accountId })),
      acceptRequest({ accountId, plan }),
      acceptRequest({ accountId }),
    ]);
    expect(kindsOf(outcomes)).toEqual(["accepted", "accepted", "22P05", "accepted"]);
    expect(await moneyOf(accountId)).toMatchObject({ generations: 3, jobs: 3, held: 150_000n });
  });

  it("accepts each once when the response to the COMMIT is lost", async () => {
    const accountId = await fixture.makeAccount();
    const requests = Array.from({ length: 8 }, (_, index) =>
      acceptRequest({
        accountId,
        idempotency: {
          key: `key ${index}`,
          requestHash: Buffer.from("body"),
          answerWithinMs: 1_000,
        },
      }),
    );
    const outcomes = await acceptAll(requests, losingResponses(fixture.database));
    expect(new Set(kindsOf(outcomes))).toEqual(new Set(["accepted"]));
    expect(await moneyOf(accountId)).toMatchObject({ generations: 8, jobs: 8, held: 400_000n });
  });

  it("accepts each once when the connection of the group is lost", async () => {
    const accountId = await fixture.makeAccount();
    const held = { key: "held", requestHash: Buffer.from("body"), answerWithinMs: 1_000 };
    const { accepting } = await fixture.database.transaction(async (sql) => {
      // The group waits for this transaction to decide whether the key is used.
      await sql.query(
        `INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
         VALUES ($1, $2, '', $1, now())`,
        [accountId, held.key],
      );
      await sql.query("DELETE FROM idempotency_key WHERE account_id = $1", [accountId]);
      const requests = [null, null, null, held, null, null].map((idempotency) =>
        acceptRequest({ accountId, idempotency }),
      );
      const outcomes = acceptAll(requests);
      await fixture.untilBlocked("studio_session");
      await fixture.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return { accepting: outcomes };
    });
    expect(new Set(kindsOf(await accepting))).toEqual(new Set(["accepted"]));
    expect(await moneyOf(accountId)).toMatchObject({ generations: 6, jobs: 6, held: 300_000n });
  });

  it("decides as one request after the other would, for any prices, budgets and keys", async () => {
    const request = fc.oneof(
      fc.record({
        price: fc.bigInt(0n, 60n),
        key: fc.constantFrom(0, 1),
        idempotencyKey: fc.constant(null),
      }),
      // Requests with the same idempotency key are the same.
      fc.constantFrom(
        { price: 10n, key: 0, idempotencyKey: "a" },
        { price: 25n, key: 0, idempotencyKey: "b" },
        { price: 60n, key: 1, idempotencyKey: "c" },
      ),
    );
    const { database } = fixture;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          requests: fc.array(request, { minLength: 2, maxLength: 20 }),
          balance: fc.bigInt(0n, 400n),
          budgets: fc.tuple(fc.option(fc.bigInt(0n, 200n)), fc.option(fc.bigInt(0n, 200n))),
          maxUnfinishedJobs: fc.integer({ min: 1, max: 15 }),
        }),
        async ({ requests, balance, budgets, maxUnfinishedJobs }) => {
          const accountId = await fixture.makeAccount(balance);
          const keys = await Promise.all(
            budgets.map(async (budgetMicroEur) => {
              const keyId = newId();
              await insertTestKey(database, accountId, keyId);
              await setKeyBudget(database, keyId, { budgetMicroEur, period: "total" });
              return keyId;
            }),
          );
          const model = {
            balance,
            spent: [0n, 0n],
            jobs: 0,
            used: new Map<string, number>(),
          };
          const expected = requests.map(({ price, key, idempotencyKey }, index) => {
            const earlier = idempotencyKey === null ? undefined : model.used.get(idempotencyKey);
            if (earlier !== undefined) return { replayOf: earlier };
            if (model.jobs >= maxUnfinishedJobs || price > model.balance) return null;
            const budget = budgets[key] ?? null;
            if (budget !== null && (model.spent[key] ?? 0n) + price > budget) return null;
            model.balance -= price;
            model.spent[key] = (model.spent[key] ?? 0n) + price;
            model.jobs += 1;
            if (idempotencyKey !== null) model.used.set(idempotencyKey, index);
            return { replayOf: index };
          });
          const outcomes = await acceptAll(
            requests.map(({ price, key, idempotencyKey }) =>
              acceptRequest({
                accountId,
                keyId: keys[key] ?? "",
                plan: { ...imagePlan, price: atPrice(price) },
                maxUnfinishedJobs,
                idempotency:
                  idempotencyKey === null
                    ? null
                    : {
                        key: idempotencyKey,
                        requestHash: Buffer.from("body"),
                        answerWithinMs: 1_000,
                      },
              }),
            ),
          );
          // The reason of a refusal is that of a later time.
          const refusals = ["too_many_jobs", "insufficient_credit", "key_budget_exhausted"];
          const ids = outcomes.map((outcome) => {
            if ("kind" in outcome) return outcome.generationId;
            expect(refusals).toContain(outcome.code);
            return null;
          });
          expect(ids).toEqual(expected.map((one) => (one === null ? null : ids[one.replayOf])));
          expect(new Set(ids.filter((id) => id !== null)).size).toBe(model.jobs);
          const held = balance - model.balance;
          expect(await moneyOf(accountId)).toMatchObject({
            balance: model.balance,
            held,
            holds: held,
            booked: held,
            jobs: model.jobs,
            generations: model.jobs,
          });
          const spent = await database.query<{ spent: bigint }>(
            `SELECT spent_micro_eur AS spent FROM api_key WHERE id = ANY ($1)
              ORDER BY array_position($1, id)`,
            [keys],
          );
          expect(spent.map((row) => row.spent)).toEqual(model.spent);
        },
      ),
      { numRuns: 40 },
    );
  });
});
