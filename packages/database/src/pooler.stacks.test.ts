import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createDatabase, type Database } from "./database.ts";
import { setRoleDefaults } from "./role-defaults.ts";

const poolerUrl = inject("poolerUrl");

describe.skipIf(poolerUrl === null)("through PgBouncer in transaction mode", () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(inject("postgresUrl"));
    await setRoleDefaults(testDatabase.url);
    const url = new URL(poolerUrl ?? "");
    url.pathname = new URL(testDatabase.url).pathname;
    database = createDatabase({
      url: url.href,
      directUrl: testDatabase.url,
      // More than the pooler has to Postgres: statements of one connection reach several sessions.
      poolSize: 20,
      applicationName: "test",
      onConnectionError: () => undefined,
    });
  });

  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  it("runs the same statements concurrently on sessions that do not know each other", async () => {
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const double = (sql: Pick<Database, "query">) =>
      Promise.all(
        numbers.map(async (number) => {
          const [row] = await sql.query<{ value: number }>("SELECT $1::int * 2 AS value", [number]);
          return row?.value;
        }),
      );
    const expected = numbers.map((number) => number * 2);
    expect(await double(database)).toEqual(expected);
    expect(await double(database.pipelined)).toEqual(expected);
    const added = numbers.map((number) =>
      database.transaction(async (sql) => {
        const [one, two] = await Promise.all([
          sql.query<{ value: number }>("SELECT $1::int + 1 AS value", [number]),
          sql.query<{ value: number }>("SELECT $1::int + 2 AS value", [number]),
        ]);
        return (one[0]?.value ?? 0) + (two[0]?.value ?? 0);
      }),
    );
    expect(await Promise.all(added)).toEqual(numbers.map((number) => number * 2 + 3));
  });

  it("reads and writes with Prisma", async () => {
    const prisma = await database.prisma();
    expect(await prisma.account.count()).toBeGreaterThanOrEqual(0);
  });

  it("receives notifications that are sent through the pooler", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const listener = await database.listen({ a_channel: resolve });
    database.notify("a_channel", "hello");
    expect(await promise).toBe("hello");
    await listener.close();
  });

  it("has the time-outs and the time zone of its role", async () => {
    const [row] = await database.query(
      `SELECT current_setting('statement_timeout') AS statement,
         current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS idle,
         (SELECT setting || ' of the ' || source FROM pg_settings WHERE name = 'TimeZone') AS zone`,
    );
    const zone = "UTC of the database user";
    expect(row).toEqual({ statement: "30s", lock: "10s", idle: "10s", zone });
  });

  it("leaves other databases of the role as they are", async () => {
    const client = new pg.Client({ connectionString: inject("postgresUrl") });
    await client.connect();
    const { rows } = await client.query("SHOW statement_timeout");
    await client.end();
    expect(rows).toEqual([{ statement_timeout: "0" }]);
  });
});
