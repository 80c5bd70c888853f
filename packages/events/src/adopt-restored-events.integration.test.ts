import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { adoptRestoredEvents } from "./adopt-restored-events.ts";
import {
  readAccountEvents,
  readConcurrentEvents,
  readNewEvents,
  takeSnapshot,
} from "./read-events.ts";

let testDatabase: TestDatabase;
let database: Database;
const accountId = newId();

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function writeEvent(xid = "DEFAULT", horizon = xid, ofAccount = accountId): Promise<bigint> {
  const [event] = await database.query<{ id: bigint }>(
    `INSERT INTO event (account_id, generation_id, type, data, xid, horizon)
     VALUES ($1, uuidv7(), 'job.updated', '{}', ${xid}, ${horizon}) RETURNING id`,
    [ofAccount],
  );
  return event?.id ?? 0n;
}

it("streams new events and no old ones after a dump was restored into a fresh server", async () => {
  // Transaction ids of the server that was dumped.
  for (let event = 0; event < 20; event++) await writeEvent("4000000000");
  await adoptRestoredEvents(database);
  const snapshot = await takeSnapshot(database);
  const id = await writeEvent();
  const read = await readNewEvents(database, snapshot, { accountIds: [accountId], limit: 10 });
  expect(read.events.map((event) => event.id)).toEqual([id]);
});

it("continues with ids above all that clients received after the backup", async () => {
  const lastReceived = (await writeEvent()) + 1_000n;
  await adoptRestoredEvents(database);
  const id = await writeEvent();
  const replayed = await readAccountEvents(database, {
    accountId,
    afterId: lastReceived,
    limit: 10,
  });
  expect(replayed.map((event) => event.id)).toEqual([id]);
});

it("replays an event that was committed after the last one received, although its id is lower", async () => {
  const account = newId();
  await writeEvent("5000000001", "5000000001", account);
  // Its transaction began before that of the next event, and ended after it.
  const late = await writeEvent("5000000002", "5000000002", account);
  const received = await writeEvent("5000000003", "5000000002", account);
  await adoptRestoredEvents(database);
  await adoptRestoredEvents(database);
  const replayed = await readConcurrentEvents(database, { accountId: account, eventId: received });
  expect(replayed.map((event) => event.id)).toEqual([late]);
});
