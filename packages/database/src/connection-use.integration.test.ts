import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createDatabase, type Database } from "./database.ts";
import { describeConnectionUse, readConnectionUse } from "./connection-use.ts";

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
});

afterAll(() => testDatabase.drop());

function open(poolSize: number, more: { directUrl?: string; queueConnections?: number } = {}) {
  const { url } = testDatabase;
  return createDatabase({ url, poolSize, applicationName: "test", ...more });
}

it("sums the pools of the programs that listen, with one connection for those behind a pooler", async () => {
  const databases: Database[] = [
    open(20, { queueConnections: 6 }),
    open(64),
    open(64, { directUrl: testDatabase.url }),
  ];
  const listeners = await Promise.all(databases.map((database) => database.listen({})));
  const [first] = databases;
  const use = first === undefined ? null : await readConnectionUse(first);
  // A pool, the pipelined connection and the one that listens.
  expect(use?.possible).toBe(20 + 2 + 6 + 64 + 2 + 1);
  expect(use?.allowed).toBeGreaterThan(90);
  await Promise.all(listeners.map((listener) => listener.close()));
  await Promise.all(databases.map((database) => database.close()));
});

it("warns when the pools may exceed the limit of Postgres", () => {
  expect(describeConnectionUse({ possible: 97, allowed: 97 })).toBeNull();
  expect(describeConnectionUse({ possible: 124, allowed: 97 })).toContain(
    "may open 124 connections to Postgres, which allows 97: raise max_connections",
  );
});
