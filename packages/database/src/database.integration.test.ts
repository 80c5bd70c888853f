import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { createDatabase, type Database } from "./database.ts";

describe("a transaction", () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(inject("postgresUrl"));
    database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
    await database.query("CREATE TABLE counter (name text PRIMARY KEY, value int NOT NULL)");
  });

  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  async function start(...names: string[]): Promise<void> {
    await database.query("DELETE FROM counter");
    await database.query("INSERT INTO counter SELECT unnest($1::text[]), 0", [names]);
  }

  const values = () =>
    database.query<{ name: string; value: number }>(
      "SELECT name, value FROM counter ORDER BY name",
    );

  /** A barrier: lets `count` callers pass together. */
  function meetingOf(count: number): () => Promise<void> {
    const all = Promise.withResolvers<void>();
    let arrived = 0;
    return () => {
      if (++arrived === count) all.resolve();
      return all.promise;
    };
  }

  it("is retried from the start after a deadlock", async () => {
    await start("a", "b");
    const meet = meetingOf(2);
    let runs = 0;
    const raise = (first: string, second: string) =>
      database.transaction(async (sql) => {
        runs++;
        const raiseOne = "UPDATE counter SET value = value + 1 WHERE name = $1";
        await sql.query(raiseOne, [first]);
        await meet();
        await sql.query(raiseOne, [second]);
      });
    await Promise.all([raise("a", "b"), raise("b", "a")]);
    // More when the repeated one takes its row again before Postgres has woken the other one.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(await values()).toEqual([
      { name: "a", value: 2 },
      { name: "b", value: 2 },
    ]);
  });

  it("is retried after a serialization failure and sees the other transaction's changes", async () => {
    await start("a");
    const meet = meetingOf(2);
    let runs = 0;
    const raise = () =>
      database.transaction(async (sql) => {
        runs++;
        await sql.query("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        const [read] = await sql.query<{ value: number }>("SELECT value FROM counter");
        await meet();
        await sql.query("UPDATE counter SET value = $1", [(read?.value ?? 0) + 1]);
      });
    await Promise.all([raise(), raise()]);
    expect(runs).toBe(3);
    expect(await values()).toEqual([{ name: "a", value: 2 }]);
  });

  it("is retried on another connection when its server accepts no writes any more", async () => {
    await start("a");
    const single = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
    // As the connections to a primary that was demoted.
    const demote = () => single.query("SET default_transaction_read_only = on");
    await demote();
    await single.transaction((sql) => sql.query("UPDATE counter SET value = value + 1"));
    await demote();
    await single.repeatable.query("UPDATE counter SET value = value + 1");
    expect(await values()).toEqual([{ name: "a", value: 2 }]);
    await single.close();
  });

  it("runs once and changes nothing when it fails with a permanent error", async () => {
    await start("a");
    let runs = 0;
    const failing = database.transaction(async (sql) => {
      runs++;
      await sql.query("UPDATE counter SET value = 1");
      await sql.query("INSERT INTO counter VALUES ('a', 1)");
    });
    await expect(failing).rejects.toThrow("duplicate key");
    expect(runs).toBe(1);
    expect(await values()).toEqual([{ name: "a", value: 0 }]);
  });
});

it("computes days in UTC on all connections, whatever the time zone of the database is", async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const { pathname } = new URL(testDatabase.url);
  const setting = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  await setting.query(`ALTER DATABASE "${pathname.slice(1)}" SET TimeZone = 'Europe/Berlin'`);
  await setting.close();
  const database = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
  });
  const hours =
    "SELECT extract(epoch FROM at + interval '1 day' - at)::int / 3600 AS hours FROM (SELECT '2026-03-28T12:00:00Z'::timestamptz AS at) AS day";
  const found = [
    await database.query(hours),
    await database.pipelined.query(hours),
    await database.transaction((sql) => sql.query(hours)),
  ];
  expect(found).toEqual([[{ hours: 24 }], [{ hours: 24 }], [{ hours: 24 }]]);
});
