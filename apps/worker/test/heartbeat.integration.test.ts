import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { createLogger } from "@atelier/telemetry";
import { endSharedStacks } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { startHeartbeat } from "../src/recovery/start-heartbeat.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  await endSharedStacks();
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 5, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const start = (lane: string) =>
  startHeartbeat({ database, logger: createLogger("worker", "fatal"), servedLanes: [lane] });

const countOf = async (lane: string) =>
  (await database.query("SELECT FROM worker WHERE $1 = ANY (lanes)", [lane])).length;

const untilSeen = (lane: string) => vi.waitUntil(async () => (await countOf(lane)) === 1, 30_000);

it("removes the heartbeat of a worker when it stops, and changes no other one", async () => {
  const [one, other] = [start("one"), start("other")];
  await Promise.all([untilSeen("one"), untilSeen("other")]);
  await one.stop();
  expect([await countOf("one"), await countOf("other")]).toEqual([0, 1]);
  // A second stop finds nothing to remove.
  await one.stop();
  await other.stop();
  expect(await countOf("other")).toBe(0);
});

it("waits for a database that is slow to remove the heartbeat", async () => {
  const heartbeat = start("slow");
  await untilSeen("slow");
  let isStopped = false;
  let stopping = Promise.resolve();
  await database.transaction(async (transaction) => {
    await transaction.query("SELECT FROM worker WHERE 'slow' = ANY (lanes) FOR UPDATE", []);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    stopping = heartbeat.stop().then(() => void (isStopped = true));
    const isWaiting = async () =>
      (
        await database.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).length > 0;
    while (!(await isWaiting()));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await isWaiting()).toBe(true);
    expect(isStopped).toBe(false);
  });
  await stopping;
  expect(await countOf("slow")).toBe(0);
});
