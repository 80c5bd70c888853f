import { createDatabase, newId } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { expect, inject, it } from "vitest";
import { deleteExpiredEvents } from "./outbox.ts";

it("keeps events for 24 hours", async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({
    url: testDatabase.url,
    poolSize: 1,
    applicationName: "test",
  });
  for (const age of ["25 hours", "23 hours"]) {
    await database.query(
      `INSERT INTO event (account_id, type, created_at)
       SELECT $1, 'account.balance_low', now() - $2::interval FROM generate_series(1, 1200)`,
      [newId(), age],
    );
  }
  const countEvents = async () => {
    const [events] = await database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM event",
    );
    return events?.count;
  };
  expect(await deleteExpiredEvents(database)).toBe(true);
  expect(await countEvents()).toBe(1_400);
  await deleteExpiredEvents(database);
  await deleteExpiredEvents(database);
  expect(await countEvents()).toBe(1_200);

  // As in a restored database, whose events have the larger transaction ids of another server.
  await database.query(
    `INSERT INTO event (account_id, type, created_at, xid)
     SELECT $1, 'account.balance_low', now() - interval '25 hours', 500000000 + place
       FROM generate_series(1, 1200) AS place`,
    [newId()],
  );
  expect(await deleteExpiredEvents(database)).toBe(true);
  expect(await deleteExpiredEvents(database)).toBe(false);
  expect(await countEvents()).toBe(1_200);
  await database.close();
  await testDatabase.drop();
});
