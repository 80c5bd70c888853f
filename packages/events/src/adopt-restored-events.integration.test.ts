import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { adoptRestoredEvents } from "./adopt-restored-events.ts";
import { readAccountEvents, readNewEvents, takeSnapshot } from "./read-events.ts";

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

async function writeEvent(xid = "DEFAULT"): Promise<bigint> {
  const [event] = await database.query<{ id: bigint }>(
    `INSERT INTO event (account_id, type, data, xid) VALUES ($1, 'account.balance_low', '{}', ${xid})
     RETURNING id`,
    [accountId],
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
