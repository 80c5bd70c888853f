import { newId, applyMigrations, createDatabase, type Database } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  createTestDatabase,
  startCrashingPostgres,
  templateName,
  type CrashingPostgres,
  type TestDatabase,
} from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { adoptRestoredEvents } from "./adopt-restored-events.ts";
import { claimWebhook, takeDueDeliveries } from "./deliveries.ts";
import { startEventFeed } from "./event-feed.ts";
import { accountEvents, recordEvents } from "./outbox.ts";

// The first start creates a cluster.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let original: TestDatabase;
let dumped: Database;
let server: CrashingPostgres;
let restored: Database;
const accountId = newId();
const leaseMs = 30_000;

beforeAll(async () => {
  original = await createTestDatabase(inject("postgresUrl"));
  dumped = createDatabase({ url: original.url, poolSize: 1, applicationName: "test" });
  server = await startCrashingPostgres();
  await createDatabaseFromTemplate(server.url("postgres"), templateName, "template0");
  await applyMigrations(server.url(templateName));
  const url = server.url(templateName);
  restored = createDatabase({ url, poolSize: 2, applicationName: "test" });
});

afterAll(async () => {
  await restored.close();
  await server.close();
  await dumped.close();
  await original.drop();
});

const write = (database: Database) =>
  database.query<{ id: bigint }>(
    `WITH ${recordEvents(
      "SELECT $1::uuid AS account_id, uuidv7() AS generation_id, 'job.updated' AS type, NULL AS data",
      accountEvents,
    )} SELECT id FROM recorded_event`,
    [accountId],
  );

/** Copies the rows of a table, as a dump does. */
async function copy(table: string): Promise<void> {
  const [content] = await dumped.query<{ rows: string }>(
    `SELECT coalesce(json_agg(row), '[]')::text AS rows FROM ${table} AS row`,
  );
  await restored.query(
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [content?.rows],
  );
}

it(
  "delivers to streams and webhooks at once after a dump was restored into another server",
  { tags: "full" },
  async () => {
    await dumped.query(
      `INSERT INTO webhook (id, account_id, url, events, secret)
     VALUES (uuidv7(), $1, 'https://example.com/', '{job.updated}', 'x')`,
      [accountId],
    );
    const [earlier] = await write(dumped);
    // The dump is made while a worker delivers, and the server of the dump had more transactions.
    expect((await claimWebhook(dumped, leaseMs)).claimed).not.toBeNull();
    await dumped.query("UPDATE event SET xid = xid + 4000000000, horizon = horizon + 4000000000");
    for (const table of ["webhook", "event", "webhook_delivery"]) await copy(table);
    await adoptRestoredEvents(restored);

    const streamed: bigint[] = [];
    const feed = startEventFeed(restored, {
      intervalMs: 3_600_000,
      limit: 10,
      accountIds: () => [accountId],
      onEvents: (events) => {
        streamed.push(...events.map(({ id }) => id));
        return Promise.resolve();
      },
      onLost: () => expect.unreachable(),
      onError: (error) => expect.unreachable(String(error)),
    });
    await feed.sync();
    const [next] = await write(restored);
    await feed.sync();
    await feed.close();
    expect(streamed).toEqual([next?.id]);

    // The first look of a worker.
    const { claimed } = await claimWebhook(restored, leaseMs);
    if (claimed === null) return expect.unreachable("the webhook is still claimed");
    const taken = await takeDueDeliveries(restored, claimed, { leaseMs, limit: 10 });
    expect(taken?.deliveries.map(({ eventId }) => eventId)).toEqual([earlier?.id, next?.id]);
  },
);
