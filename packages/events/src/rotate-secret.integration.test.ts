import { createDatabase, newId } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { expect, inject, it, vi } from "vitest";
import { rotateSecret } from "./rotate-secret.ts";
import { openSecret } from "./webhook-secret.ts";
import { createWebhook } from "./webhooks.ts";

it("keeps the secrets of both callers when a webhook's secret is rotated twice at once", async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
  const pepper = "a pepper that is only for tests and long enough";
  const { id: webhookId } = await createWebhook(database, {
    mode: "live",
    accountId: newId(),
    keyId: newId(),
    url: "https://example.com/",
    events: ["job.completed"],
    description: null,
    pepper,
  });
  const rotate = () => rotateSecret(database, { mode: "live", webhookId, pepper, graceMs: 60_000 });
  const rotations = await database.transaction(async (sql) => {
    await sql.query("SELECT FROM webhook WHERE id = $1 FOR UPDATE", [webhookId]);
    const both = [rotate(), rotate()];
    const blocked = () =>
      database.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    await vi.waitUntil(async () => (await blocked()).length === 2, { timeout: 10_000 });
    return { both };
  });
  const secrets = await Promise.all(rotations.both);
  const [stored] = await database.query<{ secret: Buffer; previous: Buffer }>(
    "SELECT secret, previous_secret AS previous FROM webhook",
  );
  if (stored === undefined) throw new Error("the webhook is gone");
  const signing = [stored.secret, stored.previous].map((sealed) =>
    openSecret(sealed, [pepper], webhookId),
  );
  expect(signing.toSorted()).toEqual(secrets.toSorted());
  await database.close();
  await testDatabase.drop();
});
