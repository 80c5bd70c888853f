import { afterAll, beforeAll, expect, it } from "vitest";
import { backfills, readBackfills, repeatBackfill, runBackfillBatch } from "./backfills.ts";
import { openFixture, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;

/** Of the search terms. */
const [search] = backfills;
if (search === undefined) throw new Error("no backfill of search terms");
const all = [search];

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const readTerms = () =>
  fixture.database.query(
    "SELECT generation_id, terms::text FROM generation_search ORDER BY generation_id",
  );

/** Removes the search terms of all jobs, as if a version without them had accepted the jobs. */
async function forgetTerms(): Promise<void> {
  await fixture.database.query("DELETE FROM generation_search");
  await fixture.database.query("DELETE FROM backfill");
}

it("adds the search terms that the accepting version left out, in batches with visible progress", async () => {
  for (let job = 0; job < 5; job++) await fixture.accept();
  const terms = await readTerms();
  await forgetTerms();
  const progress = [];
  for (;;) {
    const batch = await runBackfillBatch(fixture.database, { all, limit: 2 });
    if (batch === null) break;
    progress.push([batch.rowsDone, batch.finishedAt !== null]);
  }
  expect(progress).toEqual([
    [2, false],
    [4, false],
    [5, true],
  ]);
  expect(await readTerms()).toEqual(terms);
  expect(await readBackfills(fixture.database)).toEqual([
    expect.objectContaining({ rowsDone: 5, rowsTotal: 5, finishedAt: expect.any(Date) as Date }),
    expect.objectContaining({ name: "20261129_batch_modes", startedAt: null }),
  ]);
});

it("is run by one process at a time, and continued by another one when that fails", async () => {
  await forgetTerms();
  const broken = { ...search, runBatch: () => Promise.reject(new Error("killed")) };
  await expect(runBackfillBatch(fixture.database, { all: [broken] })).rejects.toThrow("killed");
  const batches = await Promise.all(
    [1, 2, 3].map(() => runBackfillBatch(fixture.database, { all, limit: 1_000 })),
  );
  expect(batches.filter((batch) => batch !== null)).toHaveLength(1);
  expect(await readTerms()).toHaveLength(5);
});

it("leaves redacted jobs without search terms", async () => {
  await forgetTerms();
  await fixture.database.query(
    "UPDATE generation SET redacted_at = now() WHERE id = (SELECT min(id::text)::uuid FROM generation)",
  );
  await runBackfillBatch(fixture.database, { all });
  expect(await readTerms()).toHaveLength(4);
});

it("repeats a finished backfill for rows that an older version wrote after it", async () => {
  const { generationId } = await fixture.accept();
  await fixture.database.query("DELETE FROM generation_search WHERE generation_id = $1", [
    generationId,
  ]);
  expect(await repeatBackfill(fixture.database, search)).toBe(1);
  expect(await repeatBackfill(fixture.database, search)).toBe(0);
});
