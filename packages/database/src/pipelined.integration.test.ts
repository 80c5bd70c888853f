import { createServer, type AddressInfo } from "node:net";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
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

  it("each get their own result", async () => {
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

  it("succeed when another one fails", async () => {
    const answers = await Promise.allSettled(
      numbers.map((number) => database.pipelined.query("SELECT 7 / $1::int", [number])),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      numbers.map((number) => (number === 0 ? "rejected" : "fulfilled")),
    );
  });

  it("all fail when it breaks, and the next statement opens a new one", async () => {
    const before = await processId();
    const inProgress = Promise.allSettled([
      database.pipelined.query("SELECT pg_sleep(60)"),
      database.pipelined.query("SELECT 1"),
    ]);
    await database.query("SELECT pg_terminate_backend($1)", [before]);
    for (const outcome of await inProgress) {
      expect(outcome.status === "rejected" && isTransient(outcome.reason)).toBe(true);
    }
    const after = await processId();
    expect(after).not.toBe(before);
  });

  it("get a new connection after any failure, while pending ones still get their results", async () => {
    const before = await processId();
    const failing = database.pipelined.query("SELECT pg_sleep(0.05), 1 / 0");
    const concurrent = database.pipelined.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await expect(failing).rejects.toThrow("division by zero");
    expect(await processId()).not.toBe(before);
    expect(await concurrent).toEqual([{ pid: before }]);
  });

  it("can be retried when the statement that would have parsed them failed", async () => {
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

  it("get their results before the database closes", async () => {
    const closing = createDatabase({ url: testDatabase.url, poolSize: 1, applicationName: "test" });
    await closing.pipelined.query("SELECT 1");
    const pending = closing.pipelined.query("SELECT pg_sleep(0.1), 1 AS one");
    await closing.close();
    expect(await pending).toMatchObject([{ one: 1 }]);
  });

  it("reconnect when a host accepted the connection and never answered", async () => {
    let connections = 0;
    const silent = createServer(() => connections++).listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const host = { host: "127.0.0.1", port, connectionTimeoutMillis: 50 };
    const sql = createPipelinedSql(host, { isPooled: false, onConnectionError: () => undefined });
    for (const tries of [1, 2]) {
      const failure = await sql.query("SELECT 1").catch((error: unknown) => error);
      expect(isTransient(failure)).toBe(true);
      expect(connections).toBe(tries);
    }
    await sql.close();
  });
});
