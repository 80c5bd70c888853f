import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { createLogger } from "@atelier/telemetry";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { cleanWithLease } from "../src/recovery/start-cleaning.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 5, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const clean = () =>
  cleanWithLease(
    newId(),
    { database, peppers: ["a pepper"], logger: createLogger("worker", "fatal") },
    new AbortController().signal,
  );

async function count(table: string): Promise<bigint> {
  const [row] = await database.query<{ count: bigint }>(`SELECT count(*) FROM ${table}`);
  return row?.count ?? -1n;
}

it("deletes all expired rows, by one of five workers, and nothing before a minute has passed", async () => {
  // More than one batch.
  await database.query(
    `INSERT INTO event (account_id, type, data, created_at)
     SELECT uuidv7(), 'account.balance_low', '{}', now() - interval '3 days' FROM generate_series(1, 2500)`,
  );
  await database.query(
    `INSERT INTO rate_limit (key, theoretical_arrival_at) VALUES ('old', now() - interval '2 hours'), ('new', now())`,
  );
  await database.query(
    `INSERT INTO studio_link (hash, expires_at) VALUES ('old', now()), ('new', now() + interval '1 minute')`,
  );
  const cleaned = await Promise.all([clean(), clean(), clean(), clean(), clean()]);
  expect(cleaned.filter(Boolean)).toHaveLength(1);
  expect([await count("event"), await count("rate_limit")]).toEqual([0n, 1n]);
  expect(await count("studio_link")).toBe(1n);

  expect(await clean()).toBe(false);
  await database.query("UPDATE recurring_task SET next_turn_at = now() WHERE task = 'cleaning'");
  expect(await clean()).toBe(true);
});
