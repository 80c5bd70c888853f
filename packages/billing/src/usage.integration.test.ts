import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import type { UsageGroup } from "@atelier/schemas";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { topUp, withdraw } from "./ledger.ts";
import { bookHold, bookResolution, releaseHeld, setAside } from "./ledger-sql.ts";
import { readStatement, type StatementLine } from "./statement.ts";
import { listTransactions, type AccountTransaction } from "./transactions.ts";
import { completeRange, readUsage, type UsageSums } from "./usage.ts";

const jobs = 10_000;

/** A job of the history, as it was inserted. */
interface PastJob {
  readonly id: string;
  readonly kind: string;
  readonly model: string;
  readonly keyId: string | null;
  readonly budgetId: string | null;
  readonly status: string;
  readonly renders: number;
}

let testDatabase: TestDatabase;
let database: Database;
let accountId: string;
let past: ReadonlyMap<string, PastJob>;
let statement: readonly StatementLine[];

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  accountId = await makeAccount();
  past = await makeHistory(accountId);
  await makeHistory(await makeAccount(), 50);
  statement = await readStatement(database, { accountId, limit: 4 * jobs });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function makeAccount(): Promise<string> {
  const id = newId();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [id]);
  return id;
}

/**
 * Books jobs with the service's own SQL: holds, and for nineteen of twenty a settlement, in part for
 * some, or a release. Spreads them over 40 days, some on the first and last microsecond of a day.
 */
async function makeHistory(account: string, count = jobs): Promise<Map<string, PastJob>> {
  await topUp(database, { accountId: account, amountMicroEur: 10n ** 12n, reference: "invoice 1" });
  await withdraw(database, { accountId: account, amountMicroEur: 7n, reference: "refund 1" });
  const [keys, budgets] = [3, 2].map((length) => Array.from({ length }, newId));
  const rows = await database.query<PastJob>(
    `INSERT INTO generation (id, account_id, key_id, budget_id, kind, model, status, completed_at, request, strictness,
                             price_micro_eur, renders_total, deadline_at)
     SELECT uuidv7(), $1, ($3::uuid[])[n % 4], ($4::uuid[])[n % 3],
            CASE WHEN n % 7 = 0 THEN 'story' ELSE 'image' END::generation_kind, 'model-' || n % 5,
            status::generation_status, CASE WHEN status <> 'pending' THEN now() END,
            '{}', 'normal', n * 7919 % 400001, 1 + n % 9, now()
       FROM generate_series(1, $2) AS n,
            LATERAL (SELECT CASE WHEN n % 20 = 0 THEN 'pending' ELSE
              (ARRAY['completed', 'completed', 'completed', 'failed', 'cancelled'])[1 + n % 11 % 5]
            END AS status) AS ended
     RETURNING id, kind, model, key_id AS "keyId", budget_id AS "budgetId", status, renders_total AS renders`,
    [account, count, keys, budgets],
  );
  await database.query(
    `WITH source AS (
       SELECT uuidv7() AS transfer_id, account_id, id AS generation_id, price_micro_eur AS amount
         FROM generation WHERE account_id = $1
     ), total AS (SELECT sum(amount)::bigint AS amount FROM source),
     debited AS (UPDATE account SET ${setAside("total.amount")} FROM total WHERE id = $1),
     ${bookHold("source")} SELECT`,
    [account],
  );
  for (const [kind, statuses, charge] of [
    ["settle", "'completed'", "price_micro_eur - renders_total % 2 * (price_micro_eur / 3)"],
    ["release", "'failed', 'cancelled'", "0"],
  ] as const) {
    await database.query(
      `WITH ending AS (
         SELECT uuidv7() AS transfer_id, id AS generation_id, ${charge} AS charge
           FROM generation WHERE account_id = $1 AND status IN (${statuses})
       ), ${bookResolution(kind, "ending")},
       total AS (
         SELECT sum(amount)::bigint AS amount, sum(charge)::bigint AS charge FROM resolved
       )
       UPDATE account SET ${releaseHeld} FROM total AS resolved WHERE id = $1`,
      [account],
    );
  }
  await database.transaction(async (sql) => {
    // Transfers can't be changed; without triggers, time passes.
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(
      `UPDATE ledger_transfer
          SET created_at = CASE n % 10
                WHEN 0 THEN timestamptz '2026-03-01 00:00:00Z' + n / 10 % 40 * interval '1 day'
                WHEN 1 THEN timestamptz '2026-03-01 23:59:59.999999Z' + n / 10 % 40 * interval '1 day'
                ELSE timestamptz '2026-03-01 00:00:00Z' + n * interval '101 seconds' END
         FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM ledger_transfer
                WHERE account_id = $1 AND kind IN ('settle', 'release')) AS numbered
        WHERE ledger_transfer.id = numbered.id`,
      [account],
    );
  });
  return new Map(rows.map((row) => [row.id, row]));
}

const groupOf: Record<UsageGroup, (line: StatementLine, job: PastJob) => string | null> = {
  day: ({ bookedAt }) => bookedAt.toISOString().slice(0, 10),
  model: (_line, { model }) => model,
  key: (_line, { keyId }) => keyId,
  budget: (_line, { budgetId }) => budgetId,
  kind: (_line, { kind }) => kind,
};

/** Sums the lines of the statement in JavaScript, by group. */
function sumStatement(group: UsageGroup, from: string, to: string): Map<string | null, UsageSums> {
  const sums = new Map<string | null, UsageSums>();
  for (const line of statement) {
    const job = past.get(line.generationId ?? "");
    const day = line.bookedAt.toISOString().slice(0, 10);
    if (job === undefined || line.kind === "hold" || day < from || day > to) continue;
    const value = groupOf[group](line, job);
    const sum = sums.get(value) ?? { jobs: 0, images: 0, failed: 0, chargedMicroEur: 0n };
    sums.set(value, {
      group: value,
      jobs: sum.jobs + 1,
      jobsRead: sum.jobs + 1,
      images: sum.images + (job.status === "completed" ? job.renders : 0),
      failed: sum.failed + (job.status === "failed" ? 1 : 0),
      chargedMicroEur: sum.chargedMicroEur + line.chargedMicroEur,
      refundedMicroEur: 0n,
    });
  }
  return sums;
}

const mode = "live";
const all = { from: "2026-03-01", to: "2026-04-09" };
const some = { from: "2026-03-08", to: "2026-03-19" };

describe("usage over 10,000 jobs", () => {
  it.each(
    (["day", "model", "key", "budget", "kind"] as const).flatMap((group) => [
      { group, range: all },
      { group, range: some },
    ]),
  )("by $group equals the statement, $range.from to $range.to", async ({ group, range }) => {
    const rows = await readUsage(database, {
      accountId,
      mode,
      range,
      groupBy: group,
      maxJobs: jobs,
    });
    const expected = sumStatement(group, range.from, range.to);
    expect(expected.size).toBeGreaterThan(1);
    expect(new Map(rows.map((row) => [row.group, row]))).toEqual(expected);
    expect(rows).toHaveLength(expected.size);
  });

  it("charges in total what the statement charges", async () => {
    const charged = statement.reduce((sum, line) => sum + line.chargedMicroEur, 0n);
    expect(charged).toBeGreaterThan(0n);
    for (const groupBy of ["day", "model", "key", "budget", "kind"] as const) {
      const rows = await readUsage(database, {
        accountId,
        mode,
        range: all,
        groupBy,
        maxJobs: jobs,
      });
      expect(rows.reduce((sum, row) => sum + row.chargedMicroEur, 0n)).toBe(charged);
    }
  });

  it("reads no more than the limit, plus one that shows it", async () => {
    const rows = await readUsage(database, {
      accountId,
      mode,
      range: all,
      groupBy: "kind",
      maxJobs: 100,
    });
    expect(rows.reduce((sum, row) => sum + row.jobs, 0)).toBe(101);
  });

  it("is for the 30 days up to today by default", async () => {
    const range = await completeRange(database, { from: undefined, to: undefined });
    const [today] = await database.query<{ day: string }>(
      "SELECT (now() AT TIME ZONE 'UTC')::date::text AS day",
    );
    expect(range).toMatchObject({ to: today?.day, days: 30 });
    expect(await completeRange(database, { from: undefined, to: "2024-03-01" })).toEqual({
      from: "2024-02-01",
      to: "2024-03-01",
      days: 30,
    });
  });
});

describe("transactions", () => {
  /** Reads all pages. */
  async function readAll(limit: number): Promise<AccountTransaction[]> {
    const found: AccountTransaction[] = [];
    for (;;) {
      const beforeId = found.at(-1)?.id ?? null;
      const page = await listTransactions(database, { accountId, beforeId, limit });
      found.push(...page);
      if (page.length < limit) return found;
    }
  }

  it("list every top-up, charge and withdrawal once, newest first", async () => {
    const transactions = await readAll(997);
    const wanted = statement.filter(({ kind }) => kind !== "hold" && kind !== "release");
    expect(new Set(transactions.map(({ id }) => id))).toEqual(
      new Set(wanted.map(({ transferId }) => transferId)),
    );
    expect(transactions).toHaveLength(wanted.length);
    const times = transactions.map(({ bookedAt }) => bookedAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it("sum to the balance and the holds", async () => {
    const [account] = await database.query<{ owned: bigint }>(
      "SELECT balance_micro_eur + held_micro_eur AS owned FROM account WHERE id = $1",
      [accountId],
    );
    const transactions = await readAll(5_000);
    expect(transactions.reduce((sum, { amountMicroEur }) => sum + amountMicroEur, 0n)).toBe(
      account?.owned,
    );
  });

  it("name the job, the key and the reference", async () => {
    const transactions = await readAll(5_000);
    const others = transactions.filter(({ kind }) => kind !== "settle");
    expect(others.map(({ kind, reference }) => [kind, reference])).toEqual([
      ["withdrawal", "refund 1"],
      ["top_up", "invoice 1"],
    ]);
    const charges = transactions.filter(({ kind }) => kind === "settle");
    for (const { generationId, keyId } of charges.slice(0, 50)) {
      expect(keyId).toBe(past.get(generationId ?? "")?.keyId);
    }
  });

  it("end at a cursor of another account", async () => {
    const [foreign] = await database.query<{ id: string }>(
      "SELECT id FROM ledger_transfer WHERE account_id <> $1 LIMIT 1",
      [accountId],
    );
    const page = { accountId, beforeId: foreign?.id ?? null, limit: 10 };
    expect(await listTransactions(database, page)).toEqual([]);
  });
});
