import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, createKey } from "@atelier/accounts";
import { readHead, readOperatorLog } from "@atelier/audit";
import { topUp } from "@atelier/billing";
import { createDatabase, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../run.ts";
import { runInTest } from "../testing/run-in-test.ts";

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

it("ends shares, and jobs that are overdue or to be cancelled, also with an image in progress, keeps the others, and ends with a clean audit", async () => {
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

  await database.query(
    `INSERT INTO share (id, account_id, key_id, mode, generation_id, hash, expires_at)
     VALUES (uuidv7(), $1, $2, 'live', $3, 'hash', now() + interval '1 day')`,
    [accountId, keyId, unfinished],
  );

  let output = "";
  const write = (text: string) => (output += text);
  const exitCode = await run(["after-restore"], {
    environment: { DATABASE_URL: testDatabase.url },
    stdout: { write },
    stderr: { write },
    onInterruption: () => new AbortController().signal,
  });
  expect(output).toContain("1 shares were ended");
  expect(await database.query("SELECT FROM share")).toHaveLength(0);
  expect(output).toContain("All invariants hold.");
  expect(exitCode).toBe(0);
  const jobs = await database.query("SELECT id, status FROM generation ORDER BY id");
  expect(jobs).toEqual([
    { id: overdue, status: "failed" },
    { id: unfinished, status: "pending" },
    { id: toCancel, status: "cancelled" },
  ]);
});

/** Restores from a backup without files, whose manifest has some fields. */
async function restoreWith(fields: object) {
  const folder = await mkdtemp(join(tmpdir(), "atelier-after-restore-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const manifest = {
    format: 1,
    version: "0.4.0",
    created_at: "2026-11-30T00:00:00.000Z",
    installation: "services",
    postgres: { method: "dump", version: 18, migrations: [], uid: 0, gid: 0, folders: [] },
    secrets: [],
    images: null,
    files_sha256: createHash("sha256").update("").digest("hex"),
    ...fields,
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "files.jsonl"), "");
  return runInTest(["after-restore", folder], { DATABASE_URL: testDatabase.url });
}

it("says that images were not restored when STORAGE_URL is not set", async () => {
  const stdout = expect.stringMatching(/images of the backup were not restored.*STORAGE_URL/);
  expect(await restoreWith({ images: { count: 0, bytes: 0 } })).toMatchObject({ code: 0, stdout });
});

it("records itself in the operator log, and fails when the log lacks the last line of its backup", async () => {
  const before = await Array.fromAsync(readOperatorLog(database, {}));
  const last = await readHead(database);
  const digest = last?.digest ?? "";
  expect(
    await restoreWith({ operator_log: { number: String(last?.number), digest } }),
  ).toMatchObject({ code: 0 });
  const lines = await Array.fromAsync(readOperatorLog(database, {}));
  expect(lines.slice(before.length)).toMatchObject([{ action: "restore", fields: ["database"] }]);
  const cutOff = await restoreWith({ operator_log: { number: "999", digest } });
  expect(cutOff).toMatchObject({ code: 1, stdout: expect.stringContaining("cut off") });
});
