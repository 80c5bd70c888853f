import { createDatabase, newId, type Database } from "@atelier/database";
import { countRowsRead, createTestDatabase, explainStatements } from "@atelier/local-services";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import {
  claimWebhook,
  listJobDeliveries,
  queueTestDelivery,
  recordDelivery,
  releaseWebhook,
  retryDelivery,
  takeDueDeliveries,
  type ClaimedWebhook,
} from "./deliveries.ts";
import { dropDeliveries } from "./drop-deliveries.ts";
import {
  accountEvents,
  deliveryChannel,
  hasDeliveries,
  recordEvents,
  wakeDeliveries,
} from "./outbox.ts";

let database: Database;
let url: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  url = testDatabase.url;
  // One connection, whose statistics `countBlocks` can flush.
  database = createDatabase({ url, poolSize: 1, applicationName: "test" });
  drop = () => testDatabase.drop();
});

afterAll(async () => {
  await database.close();
  await drop();
});

beforeEach(async () => {
  await database.query("TRUNCATE webhook, webhook_delivery");
});

const leaseMs = 30_000;

async function makeWebhook(accountId = newId()): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO webhook (id, account_id, url, events, secret)
     VALUES ($1, $2, 'https://example.com/', '{job.updated}', 'x')`,
    [id, accountId],
  );
  return id;
}

/** Adds pending deliveries of jobs with four events each, a millisecond apart. */
async function addDeliveries(webhookId: string, jobs: number, firstEvent = 1): Promise<void> {
  await database.query(
    `INSERT INTO webhook_delivery (webhook_id, event_id, generation_id, type, next_attempt_at, created_at)
     SELECT $1, event_id, job, 'job.updated', at, at
       FROM (SELECT uuidv7() AS job, number FROM generate_series(0, $2::int - 1) AS number) AS jobs,
            LATERAL (SELECT number * 4 + place + $3::int AS event_id FROM generate_series(0, 3) AS place) AS events,
            LATERAL (SELECT now() - interval '10 minutes' + event_id * interval '1 ms' AS at) AS times`,
    [webhookId, jobs, firstEvent],
  );
}

async function claim(): Promise<ClaimedWebhook> {
  const { claimed } = await claimWebhook(database, leaseMs);
  if (claimed === null) throw new Error("there is no webhook to claim");
  return claimed;
}

const take = async (claimed: ClaimedWebhook, limit: number) => {
  const taken = await takeDueDeliveries(database, claimed, { leaseMs, limit });
  if (taken === null) throw new Error("the claim was lost");
  return taken;
};

const eventsOf = ({ deliveries }: Awaited<ReturnType<typeof take>>) =>
  deliveries.map(({ eventId }) => Number(eventId));

const succeed = (claimed: ClaimedWebhook, id: string) =>
  recordDelivery(database, claimed, id, { responseStatus: 200, error: null, retryAfterMs: 0 });

const fail = (claimed: ClaimedWebhook, id: string, retryAfterMs = 60_000) =>
  recordDelivery(database, claimed, id, { responseStatus: 500, error: "no", retryAfterMs });

/** Blocks of deliveries and their indexes that a statement reads, by Postgres' statistics. */
async function countBlocks(work: (own: Database) => Promise<unknown>): Promise<number> {
  const own = createDatabase({ url, poolSize: 1, applicationName: "test" });
  const count = async () => {
    // A connection adds its blocks to the statistics some time after a statement, unless it is told to.
    for (const each of [own, database]) await each.query("SELECT pg_stat_force_next_flush()");
    const [row] = await database.query<{ blocks: bigint }>(
      `SELECT (idx_blks_hit + idx_blks_read + heap_blks_hit + heap_blks_read)::bigint AS blocks
         FROM pg_statio_user_tables WHERE relname = 'webhook_delivery'`,
    );
    return Number(row?.blocks ?? 0n);
  };
  const before = await count();
  await work(own);
  const blocks = (await count()) - before;
  await own.close();
  return blocks;
}

describe("a claim", () => {
  it("reads a few pages for each webhook, however many deliveries of paused ones are pending", async () => {
    const accountId = newId();
    for (let dead = 0; dead < 12; dead++) {
      await addDeliveries(await makeWebhook(accountId), 2_500);
    }
    await database.query("UPDATE webhook SET paused_until = now() + interval '1 hour'");
    const healthy = await makeWebhook();
    await addDeliveries(healthy, 1);
    await database.query("VACUUM ANALYZE webhook_delivery");
    let claimed: ClaimedWebhook | null = null;
    const blocks = await countBlocks(async (own) => {
      ({ claimed } = await claimWebhook(own, leaseMs));
    });
    expect(claimed).toMatchObject({ id: healthy, concurrency: 4 });
    expect(blocks).toBeLessThan(200);
  });

  it("reads a few pages for a webhook of which 20,000 deliveries were sent and not vacuumed yet", async () => {
    const webhookId = await makeWebhook();
    await addDeliveries(webhookId, 5_010);
    await database.query("VACUUM ANALYZE webhook_delivery");
    await claim();
    await database.query(
      "UPDATE webhook_delivery SET status = 'delivered' WHERE event_id <= 20000",
    );
    const look = (own: Database) => claimWebhook(own, leaseMs);
    expect(await countBlocks(look)).toBeLessThan(30);
  });

  it("is of one worker at a time, and of few webhooks of an account", async () => {
    const accountId = newId();
    for (let count = 0; count < 6; count++) await addDeliveries(await makeWebhook(accountId), 1);
    const other = await makeWebhook();
    await addDeliveries(other, 1);
    const claimed: string[] = [];
    for (;;) {
      const { claimed: next } = await claimWebhook(database, leaseMs);
      if (next === null) break;
      claimed.push(next.id);
    }
    expect(new Set(claimed).size).toBe(5);
    expect(claimed).toContain(other);
  });

  it("is not made for a webhook that is paused, disabled, deleted or without a due delivery", async () => {
    const [paused, disabled, deleted, later] = [
      await makeWebhook(),
      await makeWebhook(),
      newId(),
      await makeWebhook(),
    ];
    for (const id of [paused, disabled, deleted, later]) await addDeliveries(id, 1);
    await database.query("UPDATE webhook SET paused_until = 'infinity' WHERE id = $1", [paused]);
    await database.query("UPDATE webhook SET disabled_at = now() WHERE id = $1", [disabled]);
    await database.query(
      "UPDATE webhook_delivery SET next_attempt_at = 'infinity' WHERE webhook_id = $1",
      [later],
    );
    await makeWebhook();
    expect(await claimWebhook(database, leaseMs)).toMatchObject({ claimed: null });
  });
});

describe("a round", () => {
  it("takes the first pending delivery of each job, in the order of the events", async () => {
    await addDeliveries(await makeWebhook(), 3);
    const claimed = await claim();
    const first = await take(claimed, 2);
    expect(eventsOf(first)).toEqual([1, 5]);
    for (const { id } of first.deliveries) await succeed(claimed, id);
    expect(eventsOf(await take(claimed, 10))).toEqual([2, 6, 9]);
  });

  it("reads as much for 4,000 pending deliveries as for 40,000", async () => {
    const blocks: number[] = [];
    for (const jobs of [1_000, 10_000]) {
      await database.query("TRUNCATE webhook, webhook_delivery");
      await addDeliveries(await makeWebhook(), jobs);
      await database.query("VACUUM ANALYZE webhook_delivery");
      const claimed = await claim();
      blocks.push(
        await countBlocks((own) => takeDueDeliveries(own, claimed, { leaseMs, limit: 32 })),
      );
    }
    expect(blocks[1]).toBeLessThan(2 * (blocks[0] ?? 0));
  });

  it("holds back later events of a job until its first one has ended, and then sends them", async () => {
    await addDeliveries(await makeWebhook(), 1);
    const claimed = await claim();
    const [first] = (await take(claimed, 4)).deliveries;
    expect(await fail(claimed, first?.id ?? "")).toBe("pending");
    expect(await take(claimed, 4)).toEqual({ deliveries: [], hasMore: true });
    expect(await take(claimed, 4)).toEqual({ deliveries: [], hasMore: false });
    await addDeliveries(claimed.id, 1, 100);
    expect(eventsOf(await take(claimed, 4))).toEqual([100]);
    // The retry of the first one is due before those that were put off with it.
    await database.query("UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1", [
      first?.id,
    ]);
    expect(eventsOf(await take(claimed, 4))).toEqual([1, 100]);
    expect(await succeed(claimed, first?.id ?? "")).toBe("delivered");
    expect(eventsOf(await take(claimed, 4))).toEqual([2, 100]);
  });

  it("finds a due delivery behind hundreds that wait for the first one of their jobs", async () => {
    const webhookId = await makeWebhook();
    await addDeliveries(webhookId, 300);
    await database.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() + interval '1 hour'
        WHERE event_id % 4 = 1`,
    );
    await addDeliveries(webhookId, 1, 10_001);
    const claimed = await claim();
    let rounds = 0;
    let taken = await take(claimed, 4);
    while (taken.deliveries.length === 0 && taken.hasMore) {
      rounds += 1;
      taken = await take(claimed, 4);
    }
    expect(eventsOf(taken)).toEqual([10_001]);
    expect(rounds).toBeLessThan(20);
  });

  it("remembers the concurrency, and forgets failures when no delivery is left", async () => {
    const webhookId = await makeWebhook();
    await addDeliveries(webhookId, 1);
    const failing = await claim();
    await releaseWebhook(database, failing, { kind: "failure", pauseMs: 0, concurrency: 4 });
    expect(await stateOf(webhookId)).toMatchObject({ failures: 1, failing: true });
    await database.query("UPDATE webhook_delivery SET give_up_at = now()");
    const last = await claim();
    await database.query("UPDATE webhook_delivery SET status = 'failed'");
    await releaseWebhook(database, last, { kind: "failure", pauseMs: 60_000, concurrency: 16 });
    expect(await stateOf(webhookId)).toEqual({
      failures: 0,
      failing: false,
      paused: false,
      disabled: false,
    });
    await addDeliveries(webhookId, 1, 100);
    expect((await claim()).concurrency).toBe(16);
  });
});

async function stateOf(webhookId: string) {
  const [state] = await database.query(
    `SELECT failures, failing_since IS NOT NULL AS failing, paused_until IS NOT NULL AS paused,
            disabled_at IS NOT NULL AS disabled FROM webhook WHERE id = $1`,
    [webhookId],
  );
  return state;
}

describe("dropping", () => {
  const proceed = async () => true;

  async function pendingEvents(webhookId: string): Promise<number[]> {
    const rows = await database.query<{ eventId: bigint }>(
      `SELECT event_id AS "eventId" FROM webhook_delivery
        WHERE webhook_id = $1 AND status = 'pending' ORDER BY event_id`,
      [webhookId],
    );
    return rows.map(({ eventId }) => Number(eventId));
  }

  async function droppedOf(webhookId: string): Promise<number> {
    const [webhook] = await database.query<{ count: bigint }>(
      "SELECT dropped_deliveries AS count FROM webhook WHERE id = $1",
      [webhookId],
    );
    return Number(webhook?.count);
  }

  it("ends the oldest deliveries beyond the limit of a webhook and counts them", async () => {
    const [full, other] = [await makeWebhook(), await makeWebhook()];
    await addDeliveries(full, 3);
    await addDeliveries(other, 1);
    expect(await dropDeliveries(database, proceed, 10)).toBe(2);
    expect(await pendingEvents(full)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await pendingEvents(other)).toHaveLength(4);
    expect([await droppedOf(full), await droppedOf(other)]).toEqual([2, 0]);
    expect(await dropDeliveries(database, proceed, 10)).toBe(0);
  });

  it("ends deliveries that were due for 24 hours, unless they were queued again", async () => {
    const webhookId = await makeWebhook();
    await addDeliveries(webhookId, 1);
    await database.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() - interval '25 hours',
              give_up_at = CASE WHEN event_id < 3 THEN now() - interval '1 hour' ELSE give_up_at END`,
    );
    expect(await dropDeliveries(database, proceed)).toBe(2);
    expect(await pendingEvents(webhookId)).toEqual([3, 4]);
    expect(await droppedOf(webhookId)).toBe(2);
  });

  it("ends those of other webhooks when the first cannot be changed", async () => {
    const webhooks = [newId(), newId()];
    for (const id of webhooks) await addDeliveries(id, 1);
    let failed = 0;
    const failing: Database = {
      ...database,
      transaction: (work) =>
        failed++ === 0 ? Promise.reject(new Error("locked")) : database.transaction(work),
    };
    await expect(dropDeliveries(failing, proceed)).rejects.toThrow("locked");
    const pending = await Promise.all(webhooks.map(pendingEvents));
    expect(pending.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 4]);
  });

  it("ends deliveries that a job wrote while their webhook was disabled or deleted", async () => {
    const [disabled, deleted] = [await makeWebhook(), newId()];
    for (const id of [disabled, deleted]) await addDeliveries(id, 1);
    await database.query("UPDATE webhook SET disabled_at = now()");
    expect(await dropDeliveries(database, proceed)).toBe(8);
    expect(await droppedOf(disabled)).toBe(0);
  });
});

describe("the next look for due deliveries", () => {
  const dueInMs = async () => (await claimWebhook(database, leaseMs)).dueInMs;

  it("is not needed without pending deliveries", async () => {
    await makeWebhook();
    expect(await dueInMs()).toBeNull();
  });

  it("is when the next delivery is due, the pause of its webhook ends, or a lost claim", async () => {
    const webhookId = await makeWebhook();
    await addDeliveries(webhookId, 1);
    const set = (column: string, seconds: number) =>
      database.query(`UPDATE webhook SET ${column} = now() + $1 * interval '1 s'`, [seconds]);
    await set("claimed_until", 20);
    expect(await dueInMs()).toBeCloseTo(20_000, -4);
    await set("paused_until", 40);
    expect(await dueInMs()).toBeCloseTo(40_000, -4);
    await database.query("UPDATE webhook_delivery SET next_attempt_at = now() + interval '60 s'");
    await database.query("UPDATE webhook SET paused_until = NULL, claimed_until = NULL");
    expect(await dueInMs()).toBeCloseTo(60_000, -4);
    await database.query("UPDATE webhook SET disabled_at = now()");
    expect(await dueInMs()).toBeNull();
  });
});

describe("workers are woken", () => {
  /** Whether work notifies on the channel of deliveries: notifications arrive in the order of commits. */
  async function notifies(work: () => Promise<unknown>): Promise<boolean> {
    let isNotified = false;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const listener = await database.listen({
      [deliveryChannel]: () => (isNotified = true),
      end_of_test: () => end(),
    });
    await work();
    database.notify("end_of_test", "");
    await ended;
    await listener.close();
    return isNotified;
  }

  async function recordEventOf(accountId: string): Promise<void> {
    const [recorded] = await database.query<{ isAwaited: boolean }>(
      `WITH ${recordEvents(
        `SELECT '${accountId}'::uuid AS account_id, uuidv7() AS generation_id, 'job.updated' AS type, NULL AS data`,
        accountEvents,
      )} SELECT ${hasDeliveries} AS "isAwaited"`,
    );
    if (recorded?.isAwaited === true) wakeDeliveries(database);
  }

  it("by an event that a webhook receives, and by no other", async () => {
    const accountId = newId();
    await makeWebhook(accountId);
    expect(await notifies(() => recordEventOf(accountId))).toBe(true);
    expect(await notifies(() => recordEventOf(newId()))).toBe(false);
  });

  it("by a test event and a delivery that is sent again", async () => {
    const accountId = newId();
    const webhookId = await makeWebhook(accountId);
    expect(await notifies(() => queueTestDelivery(database, webhookId))).toBe(true);
    const [delivery] = await database.query<{ id: string }>("SELECT id FROM webhook_delivery");
    const deliveryId = delivery?.id ?? "";
    expect(await notifies(() => retryDelivery(database, { accountId, deliveryId }))).toBe(true);
  });

  it("by the release of a webhook that has pending deliveries", async () => {
    await addDeliveries(await makeWebhook(), 1);
    const release = async () =>
      releaseWebhook(database, await claim(), { kind: "unchanged", concurrency: 4 });
    expect(await notifies(release)).toBe(true);
    const claimed = await claim();
    await database.query("UPDATE webhook_delivery SET status = 'delivered'");
    expect(
      await notifies(() => releaseWebhook(database, claimed, { kind: "success", concurrency: 4 })),
    ).toBe(false);
  });
});

it("reads few of a webhook's old deliveries for those of a job and for a test", async () => {
  const [webhookId, generationId] = [await makeWebhook(), newId()];
  await database.query(
    `INSERT INTO webhook_delivery (id, webhook_id, event_id, generation_id, type, status)
     SELECT uuidv7(n * interval '-1 minute'), $1, n, uuidv7(), 'job.updated', 'delivered'
       FROM generate_series(1, 5000) AS n`,
    [webhookId],
  );
  await database.transaction(async (sql) => {
    // Without an account and the secret of its webhooks.
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(
      `INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur,
                               renders_total, deadline_at, created_at, completed_at)
       SELECT $1, $1, 'image', 'completed', 'm', '{}', 'normal', 0, 1, now(), at, at
         FROM (SELECT now() - interval '100 minutes' AS at) AS times`,
      [generationId],
    );
  });
  await database.query(
    `INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
     VALUES ($1, $2, 'https://example.com/', '{}')`,
    [generationId, webhookId],
  );
  await database.query(
    "UPDATE webhook_delivery SET generation_id = $1 WHERE webhook_id = $2 AND event_id = 100",
    [generationId, webhookId],
  );
  await database.query("ANALYZE webhook_delivery, generation, generation_webhook");
  const page = { generationId, beforeId: null, limit: 20 };
  expect(await listJobDeliveries(database, page)).toMatchObject([{ eventId: 100n }]);
  const plans = await explainStatements(database, async (sql) => {
    await listJobDeliveries(sql, page);
    await queueTestDelivery(sql, webhookId);
  });
  for (const plan of plans) expect(countRowsRead(plan)).toBeLessThanOrEqual(50);
});
