import { beginErasure } from "@atelier/accounts";
import { auditDatabase } from "@atelier/audit";
import { createDatabase, newId, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { cancelGeneration } from "@atelier/generations/endings";
import { completeUpload, listUploads, reserveUpload } from "@atelier/generations/uploads";
import { insertTestKey, makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { topUp } from "@atelier/billing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function makeAccount(): Promise<string> {
  const accountId = newId();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
  await insertTestKey(database, accountId);
  await topUp(database, { accountId, amountMicroEur: 1_000_000n });
  return accountId;
}

/** Accepts a job and cancels it, which writes two events. */
async function endJob(accountId: string): Promise<void> {
  const { generationId } = await acceptGeneration(database, {
    accountId,
    keyId: accountId,
    plan: makeImagePlan({ model: "test-model", lane: "test-lane" }),
    deadlineMs: 60_000,
    maxUnfinishedJobs: 10,
    idempotency: null,
  });
  await cancelGeneration(database, { accountId, generationId });
}

async function findBroken(): Promise<readonly string[]> {
  const findings = await auditDatabase(database);
  return findings.filter(({ violations }) => violations > 0).map(({ invariant }) => invariant);
}

it("passes the audit although its jobs ended a moment ago", async () => {
  await endJob(await makeAccount());
  const accountId = await makeAccount();
  await endJob(accountId);
  expect(await beginErasure(database, accountId)).toMatchObject({ kind: "begun" });
  expect(await findBroken()).toEqual([]);
});

it("stores no upload whose request was authenticated before the erasure", async () => {
  const accountId = await makeAccount();
  const owner = {
    accountId,
    keyId: accountId,
    mode: "live" as const,
    sizeBytes: 1_000,
    quotaBytes: 1_000_000,
  };
  const complete = (id: string) =>
    completeUpload(database, {
      id,
      storageKey: `uploads/${id}/image.png`,
      format: "png",
      sha256: "0".repeat(64),
      sizeBytes: 1_000,
      width: 1,
      height: 1,
      retentionMs: 3_600_000,
      idempotencyKey: null,
    });
  const [stored, reserved] = [newId(), newId()];
  await reserveUpload(database, { ...owner, id: stored });
  await complete(stored);
  await reserveUpload(database, { ...owner, id: reserved });
  await beginErasure(database, accountId);

  await expect(reserveUpload(database, { ...owner, id: newId() })).rejects.toMatchObject({
    code: "account_suspended",
  });
  expect(await complete(reserved)).toBeNull();
  expect(await listUploads(database, accountId)).toEqual([]);
  expect(await findBroken()).toEqual([]);
});
