import { lockAccount } from "@atelier/accounts";
import { createDatabase, newId, type Database } from "@atelier/database";
import {
  countRowsRead,
  createTestDatabase,
  explainStatements,
  type TestDatabase,
} from "@atelier/local-services";
import { type KeyMode, quotas } from "@atelier/schemas";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { makeAccountSecret, readTestSecret } from "./account-secret.ts";
import { claimWebhook } from "./deliveries.ts";
import { createReceiver, deleteExpiredReceivers, findReceiver } from "./receivers.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { openSecret } from "./webhook-secret.ts";
import { listReceivers, listWebhooks } from "./webhooks.ts";

let testDatabase: TestDatabase;
let database: Database;
let accountId: string;
let keyId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 8, applicationName: "test" });
});

beforeEach(async () => {
  await database.query(
    "TRUNCATE webhook, webhook_secret, test_webhook_secret, generation_webhook, webhook_delivery",
  );
  accountId = newId();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
  keyId = await makeKey();
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const makeSecret = (mode: KeyMode = "live") =>
  makeAccountSecret(database, { accountId, mode, pepper: "old", graceMs: 60_000 });

async function makeKey(mode: KeyMode = "live"): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO api_key (id, account_id, mode, name, hash, last_four)
     VALUES ($1, $2, $3, 'test', sha256($1::uuid::text::bytea), 'test')`,
    [id, accountId, mode],
  );
  return id;
}

const find = (url: string, of = keyId) => findReceiver(database, { accountId, keyId: of, url });

/** Creates a receiver as the transaction of a request does. */
const create = (url: string, of = keyId) =>
  database.transaction(async (sql) => {
    await lockAccount(sql, accountId);
    return createReceiver(sql, { id: newId(), accountId, keyId: of, url });
  });

const findId = async (url: string) => (await find(url)) ?? create(url);

it.each(["live", "test"] as const)(
  "a receiver of a %s key needs a secret of its mode",
  async (mode) => {
    const of = await makeKey(mode);
    await makeSecret(mode === "live" ? "test" : "live");
    await expect(find("https://example.com/", of)).rejects.toMatchObject({
      code: "webhook_secret_missing",
    });
    await makeSecret(mode);
    expect(await find("https://example.com/", of)).toBeNull();
  },
);

it("URLs that differ in their query share a receiver, of one key", async () => {
  await makeSecret();
  const urls = Array.from({ length: 10 }, (_, order) => `https://example.com/hook?order=${order}`);
  const ids = await Promise.all(urls.map(findId));
  expect(new Set(ids).size).toBe(1);
  expect(await find(urls[0] ?? "")).toBe(ids[0]);
  expect(await findId("https://example.com/other")).not.toBe(ids[0]);
  keyId = await makeKey();
  expect(await findId("https://example.com/hook")).not.toBe(ids[0]);
});

/** Creates receivers of other URLs, so that a mode of the account has room for this many more. */
const fillUp = (mode: KeyMode, left: number, of = keyId) =>
  database.query(
    `INSERT INTO webhook (id, account_id, key_id, url, events, secret, requested_at)
     SELECT uuidv7(), $1, $2, 'https://example.net/' || path, '{}', '', now() FROM generate_series(1, $3) AS path`,
    [accountId, of, quotas.webhookUrls[mode] - left],
  );

it("concurrent requests create no more receivers than an account may have", async () => {
  await makeSecret();
  await fillUp("live", 4);
  const urls = Array.from({ length: 10 }, (_, path) => `https://example.com/${path}`);
  const results = await Promise.allSettled(urls.map((url) => create(url)));
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(6);
  expect(refused[0]).toMatchObject({ reason: { code: "too_many_webhooks" } });
  const known = urls[results.findIndex(({ status }) => status === "fulfilled")] ?? "";
  expect(await create(known)).toBe(await find(known));
});

it("the limit counts distinct URLs of valid keys of one mode", async () => {
  await makeSecret();
  const [second, third, test] = [await makeKey(), await makeKey(), await makeKey("test")];
  await fillUp("live", 2);
  for (const of of [keyId, second, third]) await create("https://example.com/shared", of);
  await fillUp("test", 1, test);
  await create("https://example.com/a", test);
  await expect(create("https://example.com/b", test)).rejects.toMatchObject({
    code: "too_many_webhooks",
  });
  await create("https://example.com/a", second);
  await expect(create("https://example.com/b")).rejects.toMatchObject({
    code: "too_many_webhooks",
  });
  await database.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [second]);
  await create("https://example.com/b");
});

it("receivers of valid keys are listed apart from webhooks", async () => {
  await makeSecret();
  const ended = await makeKey();
  await create("https://example.com/ended", ended);
  const id = await create("https://example.com/hook?order=1");
  await database.query("UPDATE api_key SET expires_at = now() WHERE id = $1", [ended]);
  expect(await listReceivers(database, accountId)).toMatchObject([
    { id, keyId, mode: "live", url: "https://example.com/hook", events: [] },
  ]);
  expect(await listWebhooks(database, accountId)).toEqual([]);
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

it.each(["live", "test"] as const)(
  "a claim of a receiver of a %s key has the secrets of that mode, also after the pepper was replaced",
  async (mode) => {
    const other = await makeSecret(mode === "live" ? "test" : "live");
    const old = await makeSecret(mode);
    const { secret } = await makeSecret(mode);
    const id = await create("https://example.com/", await makeKey(mode));
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
    expect(opened).not.toContain(other.secret);
    expect(secret.startsWith("whsec_test")).toBe(mode === "test");
    // What follows `whsec_` is base64, as libraries of Standard Webhooks need it.
    expect(atob(secret.slice("whsec_".length))).toHaveLength(mode === "test" ? 35 : 32);
  },
);

it("the secret of tests is made once, for an account that has one of live keys", async () => {
  const read = () => readTestSecret(database, { accountId, peppers: ["old"] });
  await expect(read()).rejects.toMatchObject({ code: "webhook_secret_missing" });
  const live = await makeSecret();
  const made = await Promise.all([read(), read(), read()]);
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
  expect(made[0]?.secret).toMatch(/^whsec_test/);
  expect(made[0]?.secret).not.toBe(live.secret);
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
