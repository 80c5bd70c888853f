import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { createDatabase, type Database } from "./database.ts";

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

it("says when its connection breaks and when notifications arrive again, and not that it was closed", async () => {
  const said: string[] = [];
  const listener = await database.listen(
    { hello: () => said.push("hello") },
    {
      onConnected: () => said.push("connected"),
      onDisconnected: () => said.push("disconnected"),
    },
  );
  onTestFinished(() => listener.close());
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'atelier-listen%'`,
  );
  await vi.waitUntil(() => said.length === 3, { timeout: 10_000 });
  database.notify("hello", "");
  await vi.waitUntil(() => said.length === 4, { timeout: 10_000 });
  await listener.close();
  expect(said).toEqual(["connected", "disconnected", "connected", "hello"]);
});
