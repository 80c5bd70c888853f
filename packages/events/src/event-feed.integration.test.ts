import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startEventFeed } from "./event-feed.ts";
import { accountEvents, recordEvents } from "./outbox.ts";
import { readAccountEvents, readConcurrentEvents, readJobEvents } from "./read-events.ts";

describe("events that are committed in another order than their ids", () => {
  let database: Database;
  let drop: () => Promise<void>;
  const accountId = newId();

  beforeAll(async () => {
    const testDatabase = await createTestDatabase(inject("postgresUrl"));
    database = createDatabase({ url: testDatabase.url, poolSize: 5, applicationName: "test" });
    drop = () => testDatabase.drop();
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  const write = (sql: Pick<Database, "query">, generationId: string) =>
    sql.query(
      `WITH ${recordEvents(
        "SELECT $1::uuid AS account_id, $2::uuid AS generation_id, 'job.updated' AS type, NULL AS data",
        accountEvents,
      )} SELECT`,
      [accountId, generationId],
    );

  it("are delivered once each, and the later one is replayed after the earlier one", async () => {
    const delivered: (string | null)[] = [];
    const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const feed = startEventFeed(database, {
      intervalMs: 10,
      limit: 100,
      accountIds: () => [accountId],
      onEvents: (events) => {
        for (const { generationId } of events) {
          arrivals[delivered.length]?.resolve();
          delivered.push(generationId);
        }
        return Promise.resolve();
      },
      onLost: () => expect.unreachable(),
      onError: (error) => expect.unreachable(String(error)),
    });
    await feed.sync();
    const [slow, fast] = [newId(), newId()];
    await database.transaction(async (sql) => {
      await write(sql, slow);
      await write(database, fast);
      await arrivals[0]?.promise;
    });
    await arrivals[1]?.promise;
    await feed.close();
    expect(delivered).toEqual([fast, slow]);

    // A client that has received only the first one.
    const [received] = await readJobEvents(database, {
      generationId: fast,
      afterId: 0n,
      limit: 10,
    });
    const eventId = received?.id ?? 0n;
    const later = await readAccountEvents(database, { accountId, afterId: eventId, limit: 10 });
    expect(later).toEqual([]);
    const concurrent = await readConcurrentEvents(database, { accountId, eventId });
    expect(concurrent.map(({ generationId }) => generationId)).toContain(slow);
    expect(concurrent.map(({ generationId }) => generationId)).not.toContain(fast);
  });

  it("are delivered beside events that a dump of another server contained", async () => {
    const delivered: (string | null)[] = [];
    const feed = startEventFeed(database, {
      intervalMs: 3_600_000,
      limit: 3,
      accountIds: () => [accountId],
      onEvents: (events) => {
        delivered.push(...events.map(({ generationId }) => generationId));
        return Promise.resolve();
      },
      onLost: () => expect.unreachable(),
      onError: (error) => expect.unreachable(String(error)),
    });
    await feed.sync();
    // Transaction ids above those of this server, and ids that it is about to assign.
    await database.query(
      `INSERT INTO event (account_id, generation_id, type, xid, created_at)
       SELECT $1, uuidv7(), 'job.updated', first + place, now() - interval '1 hour'
         FROM (VALUES (pg_current_xact_id()::text::bigint + 1000000), (pg_current_xact_id()::text::bigint)) AS ids (first),
              generate_series(0, 9) AS place`,
      [accountId],
    );
    const generationId = newId();
    await write(database, generationId);
    await feed.sync();
    await feed.close();
    expect(delivered).toEqual([generationId]);
  });

  it("are all lost to the feed at once when there are more than its limit", async () => {
    let isOverflown = false;
    const overflow = Promise.withResolvers<void>();
    const feed = startEventFeed(database, {
      intervalMs: 10,
      limit: 2,
      accountIds: () => [accountId],
      onEvents: () => expect.unreachable(),
      onLost: () => {
        isOverflown = true;
        overflow.resolve();
      },
      onError: (error) => expect.unreachable(String(error)),
    });
    await feed.sync();
    await database.transaction(async (sql) => {
      for (const id of [newId(), newId(), newId()]) await write(sql, id);
    });
    await overflow.promise;
    await feed.close();
    expect(isOverflown).toBe(true);
  });

  it("are lost when they cannot be delivered, so that streams are resumed", async () => {
    const lost = Promise.withResolvers<void>();
    const errors: unknown[] = [];
    const feed = startEventFeed(database, {
      intervalMs: 10,
      limit: 100,
      accountIds: () => [accountId],
      onEvents: () => Promise.reject(new Error("the jobs cannot be read")),
      onLost: () => lost.resolve(),
      onError: (error) => errors.push(error),
    });
    await feed.sync();
    await write(database, newId());
    await lost.promise;
    await feed.close();
    expect(errors).toEqual([new Error("the jobs cannot be read")]);
  });
});
