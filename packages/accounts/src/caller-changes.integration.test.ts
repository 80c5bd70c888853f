import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createAccount } from "./accounts.ts";
import { authenticate, callerChannel } from "./authenticate.ts";
import { createKey } from "./keys.ts";

const pepper = "a pepper of thirty-two characters";
const endChannel = "end_of_test";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Another value for a column, by its type. */
const values: Readonly<Record<string, string>> = {
  uuid: "(SELECT id FROM account ORDER BY id LIMIT 1)",
  text: "'other'",
  bytea: "'\\x01'",
  timestamptz: "now() - interval '1 hour'",
  date: "current_date",
  bool: "NOT $column",
  int4: "7",
  int8: "7",
  _text: "'{read}'",
  key_mode: "'test'",
  strictness: "'liberal'",
  budget_period: "'month'",
};

/** Runs a change, and returns the accounts that were notified of it. */
async function notifiedBy(change: () => Promise<unknown>): Promise<string[]> {
  const notified: string[] = [];
  const ended = Promise.withResolvers<void>();
  const listener = await database.listen({
    [callerChannel]: (accountId) => notified.push(accountId),
    [endChannel]: () => ended.resolve(),
  });
  await change();
  // Notifications arrive in the order of the commits.
  await database.query("SELECT pg_notify($1, '')", [endChannel]);
  await ended.promise;
  await listener.close();
  return notified;
}

it.each(["api_key", "account"])(
  "notifies of each change of %s that changes what a caller may do",
  async (table) => {
    await createAccount(database, { name: "another" });
    const columns = await database.query<{ name: string; type: string }>(
      `SELECT column_name AS name, udt_name AS type FROM information_schema.columns
        WHERE table_name = $1 AND column_name <> 'id'`,
      [table],
    );
    const silent: string[] = [];
    for (const { name, type } of columns) {
      const accountId = await createAccount(database, { name: "test" });
      const { id, key } = await createKey(database, { accountId, name: "test", pepper });
      const before = await authenticate(database, key, [pepper]);
      const value = values[type]?.replace("$column", name) ?? `no value of the type ${type}`;
      const notified = await notifiedBy(() =>
        database.query(`UPDATE ${table} SET ${name} = ${value} WHERE id = $1`, [
          table === "account" ? accountId : id,
        ]),
      );
      const after = await authenticate(database, key, [pepper]);
      if (JSON.stringify(before) === JSON.stringify(after)) silent.push(name);
      else expect([name, notified]).toEqual([name, [accountId]]);
    }
    expect(silent).toContain(table === "account" ? "balance_micro_eur" : "last_used_at");
  },
);

it("notifies of the end of a grace period's secret, and of a deleted key", async () => {
  const accountId = await createAccount(database, { name: "test" });
  const { id } = await createKey(database, { accountId, name: "test", pepper });
  const changes = [
    "UPDATE api_key SET previous_hash = hash, previous_expires_at = now() + interval '1 h' WHERE id = $1",
    "UPDATE api_key SET previous_expires_at = now() WHERE id = $1",
    "DELETE FROM api_key WHERE id = $1",
  ];
  for (const change of changes) {
    expect(await notifiedBy(() => database.query(change, [id]))).toEqual([accountId]);
  }
});

it("notifies of nothing when a request is recorded or paid", async () => {
  const accountId = await createAccount(database, { name: newId() });
  const { id } = await createKey(database, { accountId, name: "test", pepper });
  const notified = await notifiedBy(async () => {
    await database.query("UPDATE api_key SET last_used_at = now(), hash = hash WHERE id = $1", [
      id,
    ]);
    await database.query("UPDATE api_key SET spent_micro_eur = 7 WHERE id = $1", [id]);
    await database.query("UPDATE account SET held_micro_eur = 7 WHERE id = $1", [accountId]);
  });
  expect(notified).toEqual([]);
});
