import { topUp } from "@atelier/billing";
import { newId, type Sql } from "@atelier/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { returnToPlaces, takeForPlace } from "../batches/places.ts";
import { switchModel } from "../claims/switch-model.ts";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import {
  answer,
  error,
  imagesOf,
  lane,
  openFixture,
  storyPlan,
  type Fixture,
} from "../testing/fixture.ts";
import { createTotalsReader } from "./totals.ts";

const readTotals = createTotalsReader();
let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

it("sums unfinished jobs, holds and revenue", { concurrent: false }, async () => {
  const { database, accept, makeAccount } = fixture;
  expect(await readTotals(database)).toEqual({
    jobs: [
      { status: "pending", count: 0, oldestSeconds: 0 },
      { status: "processing", count: 0, oldestSeconds: 0 },
    ],
    lanes: [],
    openCircuits: [],
    heldMicroEur: 0n,
    chargedMicroEur: 0n,
    heldMismatchMicroEur: 0n,
    overdueJobs: 0,
    pendingDeliveries: 0,
    lastAuditSeconds: expect.any(Number),
    lastBackupSeconds: expect.any(Number),
    auditViolations: 0,
  });

  const accountId = await makeAccount(0n);
  await topUp(database, { accountId, amountMicroEur: 5_000_000n });
  const other = await makeAccount(0n);
  await topUp(database, { accountId: other, amountMicroEur: 1_000_000n });

  const finish = async (renderId: string | undefined) => {
    const claimed = await fixture.claim(renderId);
    return finishRender(database, claimed, imagesOf(claimed), answer);
  };
  // Charged 0.05 twice; failed and released; claimed; waiting; a story with a portrait left.
  for (const owner of [accountId, other]) {
    const completed = await accept({ accountId: owner });
    expect(await finish(completed.renders[0])).toMatchObject({ kind: "completed" });
  }
  const failed = await accept({ accountId });
  await failGeneration(database, { generationId: failed.generationId, claim: null, error });
  await fixture.claim((await accept({ accountId: other })).renders[0]);
  const waiting = await accept({ accountId });
  const story = await accept({ accountId, plan: storyPlan });
  await finish(story.renders[0]);
  await database.query(
    "UPDATE generation SET created_at = created_at - interval '100 s' WHERE id = $1",
    [waiting.generationId],
  );

  const totals = await readTotals(database);
  expect(totals).toMatchObject({
    jobs: [
      { status: "pending", count: 1 },
      { status: "processing", count: 2 },
    ],
    lanes: [{ lane, waiting: 2, running: 1 }],
    heldMicroEur: 300_000n,
    chargedMicroEur: 100_000n,
    heldMismatchMicroEur: 0n,
    overdueJobs: 0,
    pendingDeliveries: 0,
  });
  for (const { oldestSeconds } of [totals.jobs[0], totals.lanes[0]].flatMap((one) => one ?? [])) {
    expect(oldestSeconds).toBeGreaterThanOrEqual(100);
    expect(oldestSeconds).toBeLessThan(3_600);
  }
});

it("counts the age of a batch's line from its first claim", { concurrent: false }, async () => {
  const { database, accept } = fixture;
  await database.query("UPDATE generation SET created_at = now(), started_at = now()");
  const { generationId, renders } = await accept();
  await database.query(
    "UPDATE generation SET batch_id = id, batch_line = 1, created_at = created_at - interval '9 hours' WHERE id = $1",
    [generationId],
  );
  const oldest = async () => (await readTotals(database)).jobs.map((job) => job.oldestSeconds);
  for (const seconds of await oldest()) expect(seconds).toBeLessThan(3_600);
  await fixture.claim(renders[0]);
  for (const seconds of await oldest()) expect(seconds).toBeLessThan(3_600);
});

it(
  "counts the time that an image waits for a place of batches as no age",
  { concurrent: false },
  async () => {
    const { database, accept } = fixture;
    await database.query("DELETE FROM render WHERE status IN ('ready', 'running')");
    const { generationId, renders } = await accept();
    await database.query(
      "UPDATE generation SET batch_id = id, batch_line = 2, created_at = created_at - interval '9 hours' WHERE id = $1",
      [generationId],
    );
    await returnToPlaces(database, renders[0] ?? "");
    const waiting = await readTotals(database);
    expect(waiting.lanes).toEqual([{ lane, waiting: 1, running: 0, oldestSeconds: 0 }]);
    await takeForPlace(database, lane, { accountId: null });
    const { lanes } = await readTotals(database);
    expect(lanes).toMatchObject([{ lane, waiting: 1, running: 0 }]);
    expect(lanes[0]?.oldestSeconds).toBeLessThan(3_600);
  },
);

it(
  "reports no mismatch for a job that was switched to a cheaper model",
  { concurrent: false },
  async () => {
    const { database, accept } = fixture;
    const { renders } = await accept();
    const claimed = await fixture.claim(renders[0]);
    const chosen = { model: "other-model", lane: "other-lane", priceMicroEur: 30_000n };
    await switchModel(database, claimed, { choose: () => chosen, error, callOutcome: null });
    expect(await readTotals(database)).toMatchObject({ heldMismatchMicroEur: 0n });
  },
);

it("reports ledger mismatches, overdue jobs and open lanes", { concurrent: false }, async () => {
  const { database, accept, makeAccount } = fixture;
  const { generationId } = await accept();
  await database.query(
    "UPDATE generation SET deadline_at = now() - interval '2 minutes' WHERE id = $1",
    [generationId],
  );
  const accountId = await makeAccount();
  await database.query("UPDATE account SET held_micro_eur = 7 WHERE id = $1", [accountId]);
  await database.query(
    `INSERT INTO lane_health (lane, failures, last_render_id, open_until, reason)
     VALUES ('left-alone', 5, $1, now() + interval '1 minute', 'away'),
            ('may-be-tried', 5, $1, now() - interval '1 minute', 'away'),
            ('failing', 1, $1, NULL, 'away')`,
    [generationId],
  );
  expect(await readTotals(database)).toMatchObject({
    openCircuits: ["left-alone"],
    heldMismatchMicroEur: 7n,
    overdueJobs: 1,
    pendingDeliveries: 0,
  });
});

it("counts the age of a scene from the moment it became ready", { concurrent: false }, async () => {
  const { database, accept } = fixture;
  await database.query("DELETE FROM render WHERE status IN ('ready', 'running')");
  const story = await accept({ plan: storyPlan });
  await database.query(
    "UPDATE generation SET created_at = created_at - interval '1 hour' WHERE id = $1",
    [story.generationId],
  );
  for (const renderId of story.renders.slice(0, 2)) {
    const claimed = await fixture.claim(renderId);
    await finishRender(database, claimed, imagesOf(claimed), answer);
  }
  const { lanes } = await readTotals(database);
  expect(lanes).toMatchObject([{ lane, waiting: 1, running: 0 }]);
  expect(lanes[0]?.oldestSeconds).toBeLessThan(1_800);
});

it(
  "reads only the top-ups and refunds of the last hour again, however many there were before",
  { concurrent: false },
  async () => {
    const { database, makeAccount } = fixture;
    const accountId = await makeAccount(0n);
    const topUps = async (count: number, isOld: boolean) => {
      const ids = Array.from({ length: count }, newId);
      for (const reference of ids)
        await topUp(database, { accountId, amountMicroEur: 1_000n, reference });
      if (!isOld) return;
      await database.transaction(async (sql) => {
        await sql.query("SET LOCAL session_replication_role = replica");
        await sql.query(
          "UPDATE ledger_transfer SET created_at = now() - interval '2 hours' WHERE reference = ANY ($1)",
          [ids],
        );
      });
    };
    const countRows = async (sql: Sql) => {
      const [rows] = await sql.query<{ count: number }>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS count FROM pg_stat_xact_user_tables
          WHERE relname IN ('ledger_transfer', 'ledger_entry')`,
      );
      return rows?.count ?? 0;
    };
    const read = (readTotalsOnce: typeof readTotals) =>
      database.transaction(async (sql) => {
        // These tables are too small for their indexes.
        await sql.query("SET LOCAL enable_seqscan = off");
        const before = await countRows(sql);
        const { chargedMicroEur } = await readTotalsOnce(sql);
        return { chargedMicroEur, rows: (await countRows(sql)) - before };
      });
    await topUps(200, true);
    const reader = createTotalsReader();
    const first = await read(reader);
    expect(first.rows).toBeGreaterThanOrEqual(400);
    await topUps(3, false);
    const second = await read(reader);
    expect(second.chargedMicroEur).toBe(first.chargedMicroEur);
    expect(second.rows).toBeLessThanOrEqual(first.rows - 400 + 6);
    expect((await read(createTotalsReader())).chargedMicroEur).toBe(first.chargedMicroEur);
  },
);
