import { newId } from "@atelier/database";
import { eventTypes, type KeyMode } from "@atelier/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBatch } from "./batches/batches.ts";
import { endBatch } from "./batches/turns.ts";
import { cancelGeneration } from "./endings/cancel.ts";
import { failGeneration } from "./endings/fail.ts";
import { finishRender } from "./endings/finish.ts";
import {
  answer,
  error,
  imagePlan,
  imagesOf,
  openFixture,
  type Fixture,
} from "./testing/fixture.ts";
import { insertTestKey } from "./testing/insert-test-key.ts";

describe.each(["live", "test"] as const)("events of a %s key", (mode) => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  /** An account with a key and a webhook of each mode, which receives all events. */
  async function makeAccount() {
    const accountId = await fixture.makeAccount();
    const keys: Record<KeyMode, string> = { live: accountId, test: newId() };
    await insertTestKey(fixture.database, accountId, keys.test, "test");
    await fixture.database.query(
      `INSERT INTO webhook (id, account_id, key_id, url, events, secret)
       SELECT uuidv7(), account_id, id, 'https://example.com', $2, '' FROM api_key WHERE account_id = $1`,
      [accountId, eventTypes],
    );
    return { accountId, keyId: keys[mode] };
  }

  /** The modes of the webhooks that received events of a type. */
  const receivers = async (accountId: string, type: string) =>
    (
      await fixture.database.query<{ mode: KeyMode }>(
        `SELECT DISTINCT maker.mode FROM webhook_delivery AS delivery JOIN webhook ON webhook.id = webhook_id
           JOIN api_key AS maker ON maker.id = key_id WHERE webhook.account_id = $1 AND type = $2`,
        [accountId, type],
      )
    ).map((row) => row.mode);

  /** Causes an event of a job by the end of that job; it is claimed unless it is cancelled. */
  async function causeJobEvent(type: string) {
    const requester = await makeAccount();
    const job = await fixture.accept({
      ...requester,
      plan: { ...imagePlan, mode },
      maxTestImages: 10,
    });
    if (type === "job.cancelled") await cancelGeneration(fixture.database, job);
    if (type === "job.cancelled") return job;
    const claim = await fixture.claim(job.renders[0]);
    if (type === "job.failed") await failGeneration(fixture.database, { ...job, claim, error });
    else await finishRender(fixture.database, claim, imagesOf(claim), answer);
    return job;
  }

  async function causeBatchEvent() {
    const requester = await makeAccount();
    const id = newId();
    await fixture.database.transaction((sql) =>
      createBatch(sql, {
        ...requester,
        id,
        linesTotal: 1,
        acceptForMs: 1_000,
        idempotency: null,
        webhook: null,
      }),
    );
    await fixture.database.query(
      "UPDATE batch SET lines_taken = 1, lines_refused = 1 WHERE id = $1",
      [id],
    );
    await endBatch(fixture.database, id, (ended) => ({ id, mode: ended.mode }));
    return requester;
  }

  it.each(eventTypes.filter((type) => /^(?:job|batch)\./.test(type)))(
    "%s go to webhooks of keys of its mode only",
    async (type) => {
      const { accountId } =
        type === "batch.completed" ? await causeBatchEvent() : await causeJobEvent(type);
      expect(await receivers(accountId, type)).toEqual([mode]);
    },
  );

  it("name the mode of a batch in their data", async () => {
    const { accountId } = await causeBatchEvent();
    const events = await fixture.database.query(
      "SELECT data->>'mode' AS mode FROM event WHERE account_id = $1 AND type = 'batch.completed'",
      [accountId],
    );
    expect(events).toEqual([{ mode }]);
  });
});
