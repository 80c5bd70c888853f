import { newId } from "@atelier/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptGeneration } from "./accept.ts";
import { acceptRequest, losingResponses, openFixture, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** A `webhook_url` that no request has named. */
const webhookOf = (path = "hook") => ({
  webhookId: newId(),
  isNew: true,
  url: `https://example.com/${path}`,
  events: ["job.updated"] as const,
});

/** The receivers of an account, with the jobs and deliveries that each has. */
const receiversOf = (accountId: string) =>
  fixture.database.query(
    `SELECT id, url, (SELECT count(*)::int FROM generation_webhook WHERE webhook_id = webhook.id) AS jobs,
            (SELECT count(*)::int FROM webhook_delivery WHERE webhook_id = webhook.id) AS deliveries
       FROM webhook WHERE account_id = $1`,
    [accountId],
  );

it("an accepted request creates its receiver, which gets its first event", async () => {
  const webhook = webhookOf();
  const { accountId } = await fixture.accept({ webhook });
  expect(await receiversOf(accountId)).toEqual([
    { id: webhook.webhookId, url: webhook.url, jobs: 1, deliveries: 1 },
  ]);
});

it("a request whose response is lost creates its receiver once", async () => {
  const accountId = await fixture.makeAccount();
  const request = acceptRequest({ accountId, webhook: webhookOf() });
  await acceptGeneration(losingResponses(fixture.database), request);
  expect(await receiversOf(accountId)).toMatchObject([{ jobs: 1, deliveries: 1 }]);
});

it("a refused request creates no receiver", async () => {
  const accountId = await fixture.makeAccount(1n);
  await expect(fixture.accept({ accountId, webhook: webhookOf() })).rejects.toMatchObject({
    code: "insufficient_credit",
  });
  expect(await receiversOf(accountId)).toEqual([]);
});

it("concurrent requests with a new URL share its receiver", async () => {
  const accountId = await fixture.makeAccount();
  const requests = Array.from({ length: 8 }, (_, order) => ({
    accountId,
    webhook: webhookOf(`hook?order=${order}`),
  }));
  await Promise.all(requests.map((request) => fixture.accept(request)));
  expect(await receiversOf(accountId)).toMatchObject([{ jobs: 8, deliveries: 8 }]);
});

it("a request beyond the limit of URLs is refused, and stores nothing", async () => {
  const accountId = await fixture.makeAccount();
  await fixture.database.query(
    `INSERT INTO webhook (id, account_id, key_id, url, events, secret, requested_at)
     SELECT uuidv7(), $1, $1, 'https://example.com/' || path, '{}', '', now() FROM generate_series(1, 100) AS path`,
    [accountId],
  );
  await expect(fixture.accept({ accountId, webhook: webhookOf("more") })).rejects.toMatchObject({
    code: "too_many_webhooks",
  });
  const jobs = await fixture.database.query("SELECT FROM generation WHERE account_id = $1", [
    accountId,
  ]);
  expect(jobs).toEqual([]);
  expect(await receiversOf(accountId)).toHaveLength(100);
});
