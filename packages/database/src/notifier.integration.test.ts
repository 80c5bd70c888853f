import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { createDatabase, type Database } from "./database.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = open();
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

function open(onConnectionError: (error: Error) => void = () => undefined): Database {
  return createDatabase({
    url: testDatabase.url,
    poolSize: 2,
    applicationName: "test",
    onConnectionError,
  });
}

/** Collects what arrives on a channel, in its order. */
async function hear(channel: string): Promise<string[]> {
  const heard: string[] = [];
  const listener = await database.listen({ [channel]: (payload) => heard.push(payload) });
  onTestFinished(() => listener.close());
  return heard;
}

it("sends every notification, and equal ones that wait together once", async () => {
  const heard = await hear("many");
  const payloads = Array.from({ length: 500 }, (_, index) => String(index));
  database.notify("many", "first");
  for (const payload of [...payloads, ...payloads]) database.notify("many", payload);
  await vi.waitUntil(() => heard.includes("499"), { timeout: 10_000 });
  expect(heard).toEqual(["first", ...payloads]);
});

it("sends what waits before it closes", async () => {
  const heard = await hear("closing");
  const closing = open();
  closing.notify("closing", "first");
  closing.notify("closing", "second");
  await closing.close();
  await vi.waitUntil(() => heard.length === 2, { timeout: 10_000 });
  expect(heard).toEqual(["first", "second"]);
});

it("sends again when a connection broke", async () => {
  const heard = await hear("broken");
  const [row] = await database.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const terminating = open();
  await terminating.query("SELECT pg_terminate_backend($1)", [row?.pid]);
  await terminating.close();
  database.notify("broken", "hello");
  await vi.waitUntil(() => heard.length > 0, { timeout: 10_000 });
  expect(heard).toEqual(["hello"]);
});

it("reports notifications that could not be sent", async () => {
  const errors: Error[] = [];
  const abandoned = open((error) => errors.push(error));
  abandoned.abandon();
  abandoned.notify("lost", "hello");
  await abandoned.close();
  expect(errors).toMatchObject([{ message: "waiting notifications were lost" }]);
});
