import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { createDatabase, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations";
import { makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { run } from "../run.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

it("ends jobs that are overdue or to be cancelled, also with an image in progress, keeps the others, and ends with a clean audit", async () => {
  const accountId = await createAccount(database, { name: "test" });
  await topUp(database, { accountId, amountMicroEur: 1_000_000n });
  const pepper = "a pepper that is long enough for a test";
  const { id: keyId } = await createKey(database, { accountId, name: "test", pepper });
  const plan = makeImagePlan({ model: "test-model", lane: "test-lane" });
  const accept = async (deadlineMs: number) =>
    (
      await acceptGeneration(database, {
        accountId,
        keyId,
        plan,
        deadlineMs,
        maxUnfinishedJobs: 10,
        idempotency: null,
      })
    ).generationId;
  const overdue = await accept(-3_600_000);
  const unfinished = await accept(3_600_000);
  const toCancel = await accept(3_600_000);
  await database.query(
    "UPDATE generation SET cancel_requested_at = now() - interval '1 hour' WHERE id = $1",
    [toCancel],
  );
  await database.query(
    `UPDATE render SET status = 'running', attempt = 1, claim_id = uuidv7(), claimed_at = now(),
                       dispatched_at = now() - interval '1 hour'
      WHERE generation_id = $1`,
    [toCancel],
  );

  let output = "";
  const write = (text: string) => (output += text);
  const exitCode = await run(["after-restore"], {
    environment: { DATABASE_URL: testDatabase.url },
    stdout: { write },
    stderr: { write },
    onInterruption: () => new AbortController().signal,
  });
  expect(output).toContain("All invariants hold.");
  expect(exitCode).toBe(0);
  const jobs = await database.query("SELECT id, status FROM generation ORDER BY id");
  expect(jobs).toEqual([
    { id: overdue, status: "failed" },
    { id: unfinished, status: "pending" },
    { id: toCancel, status: "cancelled" },
  ]);
});
