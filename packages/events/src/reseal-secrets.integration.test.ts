import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { resealSecrets } from "./reseal-secrets.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { openSecret } from "./webhook-secret.ts";
import { createWebhook } from "./webhooks.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
});

beforeEach(() => database.query("DELETE FROM webhook"));

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const create = (pepper: string) =>
  createWebhook(database, {
    mode: "live",
    accountId: newId(),
    keyId: newId(),
    url: "https://example.com/",
    events: ["job.completed"],
    description: null,
    pepper,
  });

const always = () => Promise.resolve(true);

it("encrypts both secrets of a webhook with the current pepper", async () => {
  const { id, secret } = await create("old");
  const newSecret = await rotateSecret(database, {
    mode: "live",
    webhookId: id,
    pepper: "old",
    graceMs: 60_000,
  });
  expect(await resealSecrets(database, ["new", "old"], always)).toBe(0);
  const [row] = await database.query<{ secret: Buffer; previous: Buffer }>(
    "SELECT secret, previous_secret AS previous FROM webhook",
  );
  const opened = [row?.secret, row?.previous].map((one) =>
    openSecret(one ?? Buffer.of(), ["new"], id),
  );
  expect(opened).toEqual([newSecret, secret]);
});

it("drops a previous secret whose pepper is not configured, which signs nothing", async () => {
  const { id } = await create("lost");
  const newSecret = await rotateSecret(database, {
    mode: "live",
    webhookId: id,
    pepper: "new",
    graceMs: 60_000,
  });
  expect(await resealSecrets(database, ["newest", "new"], always)).toBe(0);
  const [row] = await database.query<{ secret: Buffer; previous: Buffer | null }>(
    "SELECT secret, previous_secret AS previous FROM webhook",
  );
  expect(openSecret(row?.secret ?? Buffer.of(), ["newest"], id)).toBe(newSecret);
  expect(row?.previous).toBeNull();
});

it("continues behind webhooks whose pepper is not configured, and counts them", async () => {
  const lost = await create("lost");
  const kept = await Promise.all(Array.from({ length: 250 }, () => create("old")));
  expect(await resealSecrets(database, ["new", "old"], always)).toBe(1);
  const rows = await database.query<{ id: string; secret: Buffer }>(
    "SELECT id, secret FROM webhook",
  );
  const opened = rows.filter(({ id }) => id !== lost.id);
  expect(opened.map(({ id, secret }) => openSecret(secret, ["new"], id)).toSorted()).toEqual(
    kept.map(({ secret }) => secret).toSorted(),
  );
  expect(() =>
    openSecret(rows.find(({ id }) => id === lost.id)?.secret ?? Buffer.of(), ["new"], lost.id),
  ).toThrow("Add that value to OLD_KEY_PEPPERS");
});
