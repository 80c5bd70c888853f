import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { createAccount } from "./accounts.ts";
import { authenticateAndLimit } from "./authenticate.ts";
import { createKey } from "./keys.ts";
import { BucketBusyError, takeFromDay } from "./rate-limit.ts";

const pepper = "a pepper of thirty-two characters";
/** Few, so that the buckets do not refill during a test. */
const limit = { policy: "other", perMinute: 2 };

let testDatabase: TestDatabase;
let database: Database;
let accountId: string;
let key: { readonly id: string; readonly key: string };

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  accountId = await createAccount(database, { name: "test" });
  key = await createKey(database, { accountId, name: "test", pepper });
});

const admit = (text = key.key) =>
  authenticateAndLimit(database, { kind: "key", key: text }, [pepper], limit);

/** Requests taken from a bucket, from the time until it is full again. */
async function takenFrom(owner: string, perMinute: number): Promise<number> {
  const [bucket] = await database.query<{ seconds: number }>(
    `SELECT extract(epoch FROM theoretical_arrival_at - now())::float8 AS seconds
       FROM rate_limit WHERE key = 'other:' || $1`,
    [owner],
  );
  return Math.ceil(((bucket?.seconds ?? 0) * perMinute) / 60);
}

const takenFromKey = () => takenFrom(key.id, 2);
const takenFromAccount = () => takenFrom(`account:${accountId}`, 6);

it("takes a request from the buckets of key and account", async () => {
  await admit();
  const admission = await admit();
  expect(admission?.limit.allowed).toBe(true);
  expect([await takenFromKey(), await takenFromAccount()]).toEqual([2, 2]);
});

it("is one statement, and records the use of the key in a second one once a minute", async () => {
  await admit();
  let statements = 0;
  const counting = {
    query: ((text, values) => {
      statements += 1;
      return database.query(text, values);
    }) satisfies Database["query"],
  };
  const counts: number[] = [];
  for (const agoSeconds of [null, 0, 61, 0]) {
    if (agoSeconds !== 0) {
      await database.query(
        "UPDATE api_key SET last_used_at = now() - $2 * interval '1 s' WHERE id = $1",
        [key.id, agoSeconds],
      );
    }
    statements = 0;
    const wide = { policy: "other", perMinute: 600 };
    await authenticateAndLimit(counting, { kind: "key", key: key.key }, [pepper], wide);
    counts.push(statements);
  }
  expect(counts).toEqual([2, 1, 2, 1]);
  const [used] = await database.query<{ isRecent: boolean }>(
    `SELECT last_used_at > now() - interval '30 s' AS "isRecent" FROM api_key WHERE id = $1`,
    [key.id],
  );
  expect(used).toEqual({ isRecent: true });
});

it("counts each of several first requests once, which create the buckets together", async () => {
  const wide = { policy: "other", perMinute: 20 };
  const first = () =>
    authenticateAndLimit(database, { kind: "key", key: key.key }, [pepper], wide).catch(
      (error: unknown) => error,
    );
  const admitted = await Promise.all(Array.from({ length: 8 }, first));
  const counted = admitted.filter((outcome) => !(outcome instanceof BucketBusyError)).length;
  expect(counted).toBeGreaterThan(0);
  expect([await takenFrom(key.id, 20), await takenFrom(`account:${accountId}`, 60)]).toEqual([
    counted,
    counted,
  ]);
});

it("changes buckets in place, without a new entry in an index", async () => {
  await admit();
  const changed = await database.transaction(async (sql) => {
    for (let sent = 0; sent < 10; sent++) {
      await authenticateAndLimit(sql, { kind: "key", key: key.key }, [pepper], {
        ...limit,
        perMinute: 600,
      });
    }
    const [counts] = await sql.query<{ updated: number; inPlace: number }>(
      `SELECT pg_stat_get_xact_tuples_updated(oid)::int AS updated,
              pg_stat_get_xact_tuples_hot_updated(oid)::int AS "inPlace"
         FROM pg_class WHERE relname = 'rate_limit'`,
    );
    return counts;
  });
  expect(changed?.updated).toBeGreaterThanOrEqual(20);
  expect(changed?.inPlace).toBe(changed?.updated);
});

it.each([
  ["key", () => key.id],
  ["account", () => `account:${accountId}`],
])("takes nothing from the other bucket while that of the %s is locked", async (_name, owner) => {
  await admit();
  await database.transaction(async (sql) => {
    await sql.query("SELECT FROM rate_limit WHERE key = 'other:' || $1 FOR UPDATE", [owner()]);
    for (let attempt = 0; attempt < 10; attempt++) {
      await expect(admit()).rejects.toThrow(BucketBusyError);
    }
  });
  expect([await takenFromKey(), await takenFromAccount()]).toEqual([1, 1]);
});

it("takes nothing from the account for a request that the key's limit refuses", async () => {
  for (let sent = 0; sent < 3; sent++) await admit();
  expect((await admit())?.limit.allowed).toBe(false);
  expect(await takenFromAccount()).toBe(2);
});

it("takes nothing from the key for a request that the account's limit refuses", async () => {
  const keys = [];
  for (let index = 0; index < 3; index++) {
    keys.push(await createKey(database, { accountId, name: `${index}`, pepper }));
  }
  for (const { key: other } of keys) for (let sent = 0; sent < 2; sent++) await admit(other);
  const refused = await admit();
  expect(refused?.limit.allowed).toBe(false);
  expect(refused?.limit.backlogMs).toBeGreaterThan(40_000);
  expect(await takenFromKey()).toBe(0);
});

it("takes from an account's bucket of a day, and says when the next request fits", async () => {
  const day = { policy: "assist", perDay: 2 };
  expect(await takeFromDay(database, accountId, day)).toBe(0);
  expect(await takeFromDay(database, accountId, day)).toBe(0);
  const halfDayMs = 43_200_000;
  for (let refused = 0; refused < 2; refused += 1) {
    const waitMs = await takeFromDay(database, accountId, day);
    expect(waitMs).toBeLessThanOrEqual(halfDayMs);
    expect(waitMs).toBeGreaterThan(halfDayMs - 60_000);
  }
  const other = await createAccount(database, { name: "other" });
  expect(await takeFromDay(database, other, day)).toBe(0);
});
