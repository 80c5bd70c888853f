import type { Sql } from "@atelier/database";
import { countRowsRead, explainStatements } from "@atelier/local-services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { backfills } from "../retention/backfills.ts";
import { listAccountPage } from "../retention/redact.ts";
import { countEarlierDeletions, markExpiredOfAccount } from "../retention/retain-by-account.ts";
import { listWaitingJobs, readRenderSeconds } from "../claims/wait-estimate.ts";
import { answer, imagesOf, openFixture, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;
let accountId: string;

const dayMs = 86_400_000;

beforeAll(async () => {
  fixture = await openFixture();
  accountId = await fixture.makeAccount();
  await fixture.database.query(
    `WITH job AS (
       INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur,
                               renders_total, deadline_at, created_at, completed_at)
       SELECT uuidv7(-age), $1, 'image', 'completed', 'm', '{}', 'normal', 0, 1, now(), now() - age, now() - age
         FROM generate_series(1, 5000) AS n, LATERAL (SELECT interval '20 days' - n * interval '1 minute' AS age) AS at
       RETURNING id, created_at
     ), finished AS (
       INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, attempt,
                           dispatched_at, claimed_at, finished_at)
       SELECT id, id, 0, 'image', 'done', 'lane', 'm', '{"references": []}', '{}', 1, created_at, created_at, created_at
         FROM job RETURNING id
     )
     INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome)
     SELECT id, id, 1, 'lane', 'm', 'image' FROM finished`,
    [accountId],
  );
  await fixture.database.query("ANALYZE");
});

afterAll(() => fixture.close());

async function rowsRead(run: (sql: Sql) => Promise<unknown>): Promise<number> {
  const plans = await explainStatements(fixture.database, run);
  return Math.max(...plans.map(countRowsRead));
}

it("measures the time of renders from the calls of the last minutes only", async () => {
  const seconds = new Map<string, number>();
  expect(await rowsRead((sql) => readRenderSeconds(sql, seconds))).toBe(0);
  const { renders } = await fixture.accept({ accountId });
  const claim = await fixture.claim(renders[0]);
  await fixture.finisher.finish(claim, imagesOf(claim), answer, null);
  expect(await rowsRead((sql) => readRenderSeconds(sql, seconds))).toBeLessThanOrEqual(50);
});

it("finds the waiting jobs of an account without its finished ones", async () => {
  expect(await rowsRead((sql) => listWaitingJobs(sql, accountId))).toBeLessThanOrEqual(50);
  const { generationId } = await fixture.accept({ accountId });
  expect(await rowsRead((sql) => listWaitingJobs(sql, accountId))).toBeLessThanOrEqual(50);
  expect(await listWaitingJobs(fixture.database, accountId)).toMatchObject([{ generationId }]);
});

it("reads a page of an account's jobs for its retention", async () => {
  const page = { accountId, retentionMs: dayMs, after: null, oldestMs: 30 * dayMs, limit: 20 };
  const database = fixture.database;
  const read = await rowsRead((sql) =>
    markExpiredOfAccount({ ...database, transaction: (work) => work(sql) }, page),
  );
  expect(read).toBeLessThanOrEqual(50);
});

it("finds a page of an account's jobs to redact", async () => {
  const { database } = fixture;
  const [found, foundAlways] = await explainStatements(database, (sql) =>
    listAccountPage(sql, { accountId, after: null, limit: 20 }),
  );
  // The other statements read the rows of the page by their ids.
  for (const plan of [found, foundAlways]) {
    expect(plan === undefined ? null : countRowsRead(plan)).toBeLessThanOrEqual(50);
  }
});

it("counts what a shorter retention deletes only among jobs that may have images", async () => {
  const read = await rowsRead((sql) =>
    countEarlierDeletions(sql, {
      accountId,
      retentionMs: dayMs,
      currentMs: 2 * dayMs,
      oldestMs: 3 * dayMs,
    }),
  );
  expect(read).toBeLessThanOrEqual(50);
});

it("reads a batch of jobs for a backfill, and not all search terms", async () => {
  await fixture.database.query(
    "INSERT INTO generation_search SELECT account_id, id, to_tsvector('simple', 'a') FROM generation ON CONFLICT DO NOTHING",
  );
  await fixture.database.query("ANALYZE generation_search");
  const limit = 500;
  for (const { runBatch } of backfills) {
    const read = await rowsRead((sql) => runBatch(sql, null, limit));
    expect(read).toBeLessThanOrEqual(2 * limit + 50);
  }
});
