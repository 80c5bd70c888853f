import { createServer, type AddressInfo } from "node:net";
import { createTestDatabase, type TestDatabase } from "@atelier/test-services";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { createDatabase, type Database } from "./database.ts";
import { createPipelinedSql } from "./pipelined.ts";
import { isTransient } from "./transient.ts";

describe("statements that share a connection", () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(inject("postgresUrl"));
    database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  });

  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  const numbers = Array.from({ length: 50 }, (_, index) => index);

  async function processId(): Promise<number> {
    const [row] = await database.pipelined.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return row?.pid ?? 0;
  }

  it("get each its own answer", async () => {
    const answers = await Promise.all(
      numbers.map((number) =>
        database.pipelined.query<{ sent: number; pid: number }>(
          "SELECT $1::int AS sent, pg_backend_pid() AS pid",
          [number],
        ),
      ),
    );
    expect(answers.map(([row]) => row?.sent)).toEqual(numbers);
    expect(new Set(answers.map(([row]) => row?.pid)).size).toBe(1);
  });

  it("are left alone by one among them that fails", async () => {
    const answers = await Promise.allSettled(
      numbers.map((number) => database.pipelined.query("SELECT 7 / $1::int", [number])),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      numbers.map((number) => (number === 0 ? "rejected" : "fulfilled")),
    );
  });

  it("fail together when it breaks, and the next has a new one", async () => {
    const before = await processId();
    const underWay = Promise.allSettled([
      database.pipelined.query("SELECT pg_sleep(60)"),
      database.pipelined.query("SELECT 1"),
    ]);
    await database.query("SELECT pg_terminate_backend($1)", [before]);
    for (const outcome of await underWay) {
      expect(outcome.status === "rejected" && isTransient(outcome.reason)).toBe(true);
    }
    const after = await processId();
    expect(after).not.toBe(before);
  });

  it("get a new one after a failure of any kind, and the others their answers", async () => {
    const before = await processId();
    const failing = database.pipelined.query("SELECT pg_sleep(0.05), 1 / 0");
    const beside = database.pipelined.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await expect(failing).rejects.toThrow("division by zero");
    expect(await processId()).not.toBe(before);
    expect(await beside).toEqual([{ pid: before }]);
  });

  it("that were to be parsed with another's can be asked again when that one failed", async () => {
    const text = "SELECT * FROM a_table_to_come";
    const answers = await Promise.allSettled([1, 2].map(() => database.pipelined.query(text)));
    await database.query("CREATE TABLE a_table_to_come ()");
    const [first, second] = answers.map((answer) =>
      answer.status === "rejected" ? isTransient(answer.reason) : null,
    );
    expect({ first, second }).toEqual({ first: false, second: true });
    expect(await database.pipelined.query(text)).toEqual([]);
  });

  it("are refused once the database is closed", async () => {
    const closing = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
    await closing.close();
    await expect(closing.pipelined.query("SELECT 1")).rejects.toThrow("was closed");
  });

  it("are answered before it closes", async () => {
    const closing = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
    await closing.pipelined.query("SELECT 1");
    const asked = closing.pipelined.query("SELECT pg_sleep(0.1), 1 AS one");
    await closing.close();
    expect(await asked).toMatchObject([{ one: 1 }]);
  });

  it("try again where a host took the connection and said nothing", async () => {
    let connections = 0;
    const silent = createServer(() => connections++).listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const host = { host: "127.0.0.1", port, connectionTimeoutMillis: 50 };
    const sql = createPipelinedSql(host, () => undefined);
    for (const tries of [1, 2]) {
      const failure = await sql.query("SELECT 1").catch((error: unknown) => error);
      expect(isTransient(failure)).toBe(true);
      expect(connections).toBe(tries);
    }
    await sql.close();
  });
});
