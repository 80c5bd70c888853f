import { createDatabase, newId, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { claimRender, type Claim } from "@atelier/generations/claims";
import { finalChannel, finishRender } from "@atelier/generations/endings";
import { insertTestKey, makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { createWaiters, type Waiters } from "./waiters.ts";

const lane = "test-lane";
/** Longer than a test: a request that is not woken fails it. */
const waitMs = 60_000;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** Accepts and claims an image. */
async function claimImage(): Promise<Claim> {
  const accountId = newId();
  await database.query(
    "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', 10000000)",
    [accountId],
  );
  await insertTestKey(database, accountId);
  const acceptance = await acceptGeneration(database, {
    accountId,
    keyId: accountId,
    plan: makeImagePlan({ model: "test-model", lane }),
    deadlineMs: 60_000,
    maxUnfinishedJobs: 100,
    idempotency: null,
  });
  if (acceptance.kind !== "accepted") throw new Error("it was accepted before");
  const claim = await claimRender(database, acceptance.ready[0]?.renderId ?? "", lane);
  if (claim === null) throw new Error("there is nothing to claim");
  return claim;
}

function openWaiters(): Waiters {
  const waiters = createWaiters(database, {
    maxWaiting: 10,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => waiters.close());
  return waiters;
}

const waitFor = (waiters: Waiters, claim: Claim) =>
  waiters.waitFor(claim, waitMs, new AbortController().signal);

it("wakes a request when the notification of the process that finished its image arrives", async () => {
  const claim = await claimImage();
  const { promise: notified, resolve } = Promise.withResolvers<string>();
  const listener = await database.listen({ [finalChannel]: resolve });
  onTestFinished(() => listener.close());
  const waiters = openWaiters();
  const waiting = waitFor(waiters, claim);
  await finishRender(database, claim, [], { callId: newId() });
  waiters.wake(await notified);
  expect(await waiting).toBe(true);
});

it("wakes a request although that process died between its commit and its notification", async () => {
  const claim = await claimImage();
  const waiting = waitFor(openWaiters(), claim);
  const dying: Database = { ...database, notify: () => undefined };
  await finishRender(dying, claim, [], { callId: newId() });
  expect(await waiting).toBe(true);
});
