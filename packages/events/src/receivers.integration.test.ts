import { createDatabase, newId, type Database } from "@atelier/database";
import {
  countRowsRead,
  createTestDatabase,
  explainStatements,
  type TestDatabase,
} from "@atelier/local-services";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { makeAccountSecret } from "./account-secret.ts";
import { claimWebhook } from "./deliveries.ts";
import { deleteExpiredReceivers, findReceiver } from "./receivers.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { openSecret } from "./webhook-secret.ts";

let testDatabase: TestDatabase;
let database: Database;
let accountId: string;
let keyId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 8, applicationName: "test" });
});

beforeEach(async () => {
  await database.query("TRUNCATE webhook, webhook_secret, generation_webhook, webhook_delivery");
  accountId = newId();
  keyId = newId();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const makeSecret = () => makeAccountSecret(database, { accountId, pepper: "old", graceMs: 60_000 });

const find = (url: string, max?: number) => findReceiver(database, { accountId, keyId, url }, max);

async function findId(url: string): Promise<string> {
  const result = await find(url);
  return result.kind === "found" ? result.id : expect.unreachable(result.kind);
}

it("a receiver needs a secret of its account", async () => {
  expect(await find("https://example.com/")).toEqual({ kind: "secret-missing" });
});

it("URLs that differ in their query share a receiver, of one key", async () => {
  await makeSecret();
  const urls = Array.from({ length: 10 }, (_, order) => `https://example.com/hook?order=${order}`);
  const ids = await Promise.all(urls.map(findId));
  expect(new Set(ids).size).toBe(1);
  expect(await findId("https://example.com/other")).not.toBe(ids[0]);
  keyId = newId();
  expect(await findId("https://example.com/hook")).not.toBe(ids[0]);
});

it("concurrent requests create no more receivers than an account may have", async () => {
  await makeSecret();
  const urls = Array.from({ length: 10 }, (_, path) => `https://example.com/${path}`);
  const results = await Promise.all(urls.map((url) => find(url, 4)));
  expect(results.filter(({ kind }) => kind === "found")).toHaveLength(4);
  expect(results.filter(({ kind }) => kind === "too-many")).toHaveLength(6);
  expect(
    await find(urls[results.findIndex(({ kind }) => kind === "found")] ?? "", 4),
  ).toMatchObject({
    kind: "found",
  });
});

it("a receiver that was disabled because it failed is tried again by the next request", async () => {
  await makeSecret();
  const id = await findId("https://example.com/");
  await database.query(
    "UPDATE webhook SET disabled_at = now(), failing_since = now() - interval '6 days'",
  );
  expect(await findId("https://example.com/")).toBe(id);
  const [row] = await database.query<object>("SELECT disabled_at, failing_since FROM webhook");
  expect(row).toEqual({ disabled_at: null, failing_since: null });
});

it("receivers and URLs of jobs are deleted after ten days without a request", async () => {
  await makeSecret();
  const [unused, used] = [
    await findId("https://example.com/a"),
    await findId("https://example.com/b"),
  ];
  await database.query(
    `INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
     SELECT uuidv7(-age), webhook.id, 'https://example.com/', '{}'
       FROM webhook, unnest(ARRAY[interval '9 days', interval '11 days']) AS age`,
  );
  await database.query("UPDATE webhook SET requested_at = now() - interval '11 days'");
  await findId("https://example.com/b");
  expect(await deleteExpiredReceivers(database)).toBe(false);
  expect(await database.query("SELECT id FROM webhook")).toEqual([{ id: used }]);
  const left = await database.query<{ id: string }>(
    "SELECT webhook_id AS id FROM generation_webhook",
  );
  expect(left.map(({ id }) => id).toSorted()).toEqual([unused, used].toSorted());
});

it("a claim of a receiver has the secrets of its account, also after the pepper was replaced", async () => {
  const old = await makeSecret();
  const { secret } = await makeSecret();
  const id = await findId("https://example.com/");
  await database.query(
    "INSERT INTO webhook_delivery (webhook_id, event_id, type) VALUES ($1, 1, 'job.completed')",
    [id],
  );
  expect(await resealSecrets(database, ["new", "old"], () => Promise.resolve(true))).toBe(0);
  const { claimed } = await claimWebhook(database, 30_000);
  const opened = [claimed?.secret, claimed?.previousSecret].map((sealed) =>
    openSecret(sealed ?? Buffer.of(), ["new"], claimed?.secretOf ?? ""),
  );
  expect(opened).toEqual([secret, old.secret]);
});

it("reads no URLs of jobs that have not expired", async () => {
  const [row] = await database.query<{ id: string }>(
    `INSERT INTO webhook (id, account_id, url, events, secret)
     VALUES (uuidv7(), $1, 'https://example.com/', '{}', '') RETURNING id`,
    [newId()],
  );
  await database.query(
    `INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
     SELECT uuidv7(n * interval '-1 minute'), $1, 'https://example.com/', '{}'
       FROM generate_series(1, 5000) AS n`,
    [row?.id],
  );
  await database.query("ANALYZE generation_webhook");
  const plans = await explainStatements(database, deleteExpiredReceivers);
  for (const plan of plans) expect(countRowsRead(plan)).toBeLessThanOrEqual(50);
});
