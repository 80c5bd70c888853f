import { acceptGeneration } from "@atelier/generations/accept";
import { makeImagePlan } from "@atelier/generations/testing";
import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { createQueues, type Queues } from "@atelier/queue";
import { createLogger, createWorkerMetrics } from "@atelier/telemetry";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { RenderDependencies } from "../src/dependencies.ts";
import { enforceDeadlines } from "../src/recovery/enforce-deadlines.ts";
import { startRecovery } from "../src/recovery/start-recovery.ts";
import { until } from "./describe-queues.ts";

const lane = "test-lane";

let testDatabase: TestDatabase;
let database: Database;
let queues: Queues;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  const { url } = testDatabase;
  database = createDatabase({ url, poolSize: 5, applicationName: "test" });
  queues = await createQueues({ url, lanes: [lane], onError: () => undefined });
});

afterAll(async () => {
  await queues.close();
  await database.close();
  await testDatabase.drop();
});

async function createAccount(): Promise<string> {
  const accountId = newId();
  await database.query(
    "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', 1000000000)",
    [accountId],
  );
  await database.query(
    "INSERT INTO api_key (id, account_id, name, hash, last_four) VALUES ($1, $1, 'test', $2, 'test')",
    [accountId, Buffer.from(accountId)],
  );
  return accountId;
}

async function accept(deadlineMs: number, accountId?: string): Promise<string> {
  accountId ??= await createAccount();
  const plan = makeImagePlan({ model: "test-model", lane });
  const request = {
    accountId,
    keyId: accountId,
    plan,
    deadlineMs,
    maxUnfinishedJobs: 1_000,
    idempotency: null,
  };
  const { generationId } = await acceptGeneration(database, request);
  return generationId;
}

const observers = {
  logger: createLogger("worker", "silent"),
  metrics: createWorkerMetrics({
    certificateExpiresAt: new Date(),
    refusalCategories: [],
    lanes: [lane],
  }),
};

it("fails several batches of overdue jobs in one round", async () => {
  const accountId = await createAccount();
  for (let jobs = 0; jobs < 401; jobs++) await accept(-1, accountId);
  await enforceDeadlines({ database, ...observers });
  const statuses = await database.query(
    "SELECT status, count(*)::int AS jobs FROM generation WHERE account_id = $1 GROUP BY status",
    [accountId],
  );
  expect(statuses).toEqual([{ status: "failed", jobs: 401 }]);
});

it("enforces deadlines while the queue does not respond", async () => {
  await accept(600_000);
  await database.query("UPDATE render SET dispatched_at = now() - interval '1 hour'");
  const dispatchAttempted = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<boolean>();
  const hanging: Queues = {
    ...queues,
    ensureDispatched() {
      dispatchAttempted.resolve();
      return answer.promise;
    },
  };
  const dependencies: Partial<RenderDependencies> = {
    database,
    queues: hanging,
    lanes: new Map([[lane, {} as never]]),
    ...observers,
  };
  const recovery = startRecovery(
    { intervalMs: 20, unattendedAfterMs: 10_000 },
    dependencies as RenderDependencies,
  );
  await dispatchAttempted.promise;
  const overdue = await accept(-1);
  const isFailed = async () => {
    const query = "SELECT status FROM generation WHERE id = $1";
    const [generation] = await database.query<{ status: string }>(query, [overdue]);
    return generation?.status === "failed";
  };
  expect(await until(isFailed)).toBe(true);
  answer.resolve(false);
  await recovery.stop();
});
