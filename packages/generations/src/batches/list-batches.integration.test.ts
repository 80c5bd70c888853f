import { newId } from "@atelier/database";
import { countRowsRead, explainStatements } from "@atelier/local-services";
import type { KeyMode } from "@atelier/schemas";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backfills, repeatBackfill } from "../retention/backfills.ts";
import type { Owner } from "../jobs/find.ts";
import { openFixture, type Fixture } from "../testing/fixture.ts";
import { insertTestKey } from "../testing/insert-test-key.ts";
import { fillBatchModes, findBatch, listBatches } from "./batches.ts";

let fixture: Fixture;
let accountId: string;
let testKeyId: string;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

beforeEach(async () => {
  await fixture.database.query("DELETE FROM batch");
  accountId = await fixture.makeAccount();
  testKeyId = newId();
  await insertTestKey(fixture.database, accountId, testKeyId, "test");
});

/** Creates batches as the version before `batch.mode` does. */
async function insertBatches(keyId: string, count: number): Promise<void> {
  await fixture.database.query(
    `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at)
     SELECT uuidv7(n * interval '1 ms'), $1, $2, 1, now() FROM generate_series(1, $3::int) AS n`,
    [accountId, keyId, count],
  );
}

/** Removes the modes of all batches, as if they were created before the column. */
async function forgetModes(): Promise<void> {
  await fixture.database.query("UPDATE batch SET mode = NULL WHERE account_id = $1", [accountId]);
}

async function listModes(owner: Partial<Owner>, limit = 100): Promise<KeyMode[]> {
  const page = { ...owner, accountId, beforeId: null, limit };
  return (await listBatches(fixture.database, page)).map(({ mode }) => mode);
}

describe("a page of batches beside 5,000 batches of live keys", () => {
  it.each([
    ["of test keys", () => ({ mode: "test" as const }), 1],
    ["of live keys", () => ({ mode: "live" as const }), 21],
    ["of both modes", () => ({ mode: null }), 21],
    ["of one live key", () => ({ keyId: accountId, mode: null }), 21],
    ["of one test key", () => ({ keyId: testKeyId, mode: "test" as const }), 1],
  ])("%s is read with at most 50 rows", async (_case, ownerOf, length) => {
    await insertBatches(testKeyId, 1);
    await insertBatches(accountId, 5_000);
    await fixture.database.query("ANALYZE batch");
    const page = { ...ownerOf(), accountId, beforeId: null, limit: 20 };
    const plans = await explainStatements(fixture.database, async (sql) => {
      expect(await listBatches(sql, page)).toHaveLength(length);
    });
    expect(Math.max(...plans.map(countRowsRead))).toBeLessThanOrEqual(50);
  });
});

describe("batches that were created before their mode was stored", () => {
  it("are in the lists of their mode, newest first, beside newer ones", async () => {
    await insertBatches(testKeyId, 2);
    await insertBatches(accountId, 2);
    await forgetModes();
    await insertBatches(testKeyId, 1);
    await insertBatches(accountId, 1);
    expect(await listModes({ mode: "test" })).toEqual(["test", "test", "test"]);
    expect(await listModes({ mode: "live" })).toEqual(["live", "live", "live"]);
    expect(await listModes({ mode: "test" }, 1)).toHaveLength(2);
    expect(await listModes({ mode: "test", keyId: testKeyId })).toHaveLength(3);
    const batches = await listBatches(fixture.database, { accountId, beforeId: null, limit: 9 });
    const ids = batches.map(({ id }) => id);
    expect(ids).toHaveLength(6);
    expect(ids).toEqual(ids.toSorted().toReversed());
    for (const { id: batchId, mode } of batches) {
      const target = { accountId, batchId };
      const other = mode === "test" ? "live" : "test";
      expect(await findBatch(fixture.database, { ...target, mode })).toMatchObject({ mode });
      expect(await findBatch(fixture.database, { ...target, mode: other })).toBeNull();
    }
  });

  it("get their mode from a backfill, once", async () => {
    await insertBatches(testKeyId, 3);
    await insertBatches(accountId, 2);
    await forgetModes();
    const fill = backfills.find(({ runBatch }) => runBatch === fillBatchModes);
    if (fill === undefined) throw new Error("no backfill of modes");
    expect(await repeatBackfill(fixture.database, fill)).toBe(5);
    expect(await repeatBackfill(fixture.database, fill)).toBe(0);
    const stored = await fixture.database.query(
      "SELECT mode, count(*)::int FROM batch WHERE account_id = $1 GROUP BY mode ORDER BY mode",
      [accountId],
    );
    expect(stored).toEqual([
      { mode: "live", count: 2 },
      { mode: "test", count: 3 },
    ]);
  });
});
