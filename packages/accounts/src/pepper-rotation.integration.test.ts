import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { createAccount } from "./accounts.ts";
import { authenticate, authenticateAndLimit, type Caller } from "./authenticate.ts";
import { makeKey } from "./key-format.ts";
import { createKey } from "./keys.ts";
import { countPepperUse } from "./pepper-use.ts";
import { openStudioSession } from "./studio-sessions.ts";

let testDatabase: TestDatabase;
let database: Database;
let accountId: string;
let key: string;

const limit = { policy: "test", perMinute: 600 };

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
  accountId = await createAccount(database, { name: "test" });
});

beforeEach(async () => {
  await database.query("DELETE FROM api_key");
  ({ key } = await createKey(database, { accountId, name: "test", pepper: "old" }));
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function use(...peppers: [string, ...string[]]): Promise<Caller | null> {
  const credential = { kind: "key", key } as const;
  return (await authenticateAndLimit(database, credential, peppers, limit))?.caller ?? null;
}

it("moves a key to the current pepper when it is used", async () => {
  expect(await use("new", "old")).toMatchObject({ accountId });
  expect(await authenticate(database, key, ["new"])).toMatchObject({ accountId });
  expect(await authenticate(database, key, ["old"])).toBeNull();
});

it("refuses a key whose pepper is not configured, and leaves it as it is", async () => {
  expect(await use("new")).toBeNull();
  expect(await use("old")).toMatchObject({ accountId });
});

it("permits requests that began before the key was moved", async () => {
  const caller = await authenticate(database, key, ["new", "old"]);
  await use("new", "old");
  const options = { userAgent: null, forMs: 60_000 };
  expect(caller && (await openStudioSession(database, caller, options))).not.toBeNull();
});

it("writes a key once when many requests use it at the same time", async () => {
  await database.query("CREATE TABLE write (id int)");
  await database.query(
    `CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql
     AS 'BEGIN INSERT INTO write VALUES (1); RETURN NULL; END'`,
  );
  await database.query(
    "CREATE TRIGGER count_write AFTER UPDATE ON api_key FOR EACH ROW EXECUTE FUNCTION count_write()",
  );
  // Those that find the bucket of the key locked are refused.
  await Promise.allSettled(Array.from({ length: 20 }, () => use("new", "old")));
  await database.query("DROP TRIGGER count_write ON api_key");
  expect(await database.query("SELECT id FROM write")).toHaveLength(1);
  expect(await authenticate(database, key, ["new"])).not.toBeNull();
});

it("keeps a key at the old pepper while its previous secret may need it", async () => {
  await database.query(
    "UPDATE api_key SET previous_hash = 'x', previous_expires_at = now() + interval '1 hour'",
  );
  await use("new", "old");
  const { keys } = await countPepperUse(database, ["new", "old"]);
  expect(keys).toEqual({ current: 0, old: 1, missing: 0, unknown: 0 });
});

it("counts keys by the pepper that they need", async () => {
  const count = async (...peppers: [string, ...string[]]) =>
    (await countPepperUse(database, peppers)).keys;
  const none = { current: 0, old: 0, missing: 0, unknown: 0 };
  expect(await count("new", "old")).toEqual({ ...none, old: 1 });
  expect(await count("new")).toEqual({ ...none, missing: 1 });
  await use("new", "old");
  expect(await count("new")).toEqual({ ...none, current: 1 });
  await database.query("UPDATE api_key SET pepper_id = NULL");
  expect(await count("new")).toEqual({ ...none, unknown: 1 });
});

it("does not wait for the keys of members, whose secret is in links only", async () => {
  await database.query(
    `INSERT INTO member (id, account_id, key_id, name, role)
     SELECT uuidv7(), account_id, id, 'Mira', 'maker' FROM api_key`,
  );
  const { keys } = await countPepperUse(database, ["new", "old"]);
  expect(keys).toEqual({ current: 0, old: 0, missing: 0, unknown: 0 });
  await database.query("DELETE FROM member");
});

it("looks an unknown key up in one statement", async () => {
  let statements = 0;
  const counting: Pick<Database, "query"> = {
    query: (text, values) => {
      statements++;
      return database.query(text, values);
    },
  };
  const credential = { kind: "key", key: makeKey() } as const;
  const peppers = ["new", "old", "older", "oldest"] as const;
  expect(await authenticateAndLimit(counting, credential, peppers, limit)).toBeNull();
  expect(statements).toBe(1);
});
