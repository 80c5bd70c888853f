import { afterAll, beforeAll, expect, it } from "vitest";
import { decision, lane, openFixture, type Fixture } from "../testing/fixture.ts";
import { claimRender } from "./claim.ts";
import { earlierCalls, recordIntent, recordRequestId } from "./provider-calls.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

it("closes an earlier call when calling again and ignores its late request id", async () => {
  const { database } = fixture;
  const { renders } = await fixture.accept();
  const first = await fixture.claim(renders[0]);
  const firstCall = await recordIntent(database, first, decision);
  const second = await fixture.claim(renders[0]);
  await recordIntent(database, second, decision);
  await recordRequestId(database, firstCall ?? "", "late");
  expect(await earlierCalls(database, second.renderId)).toMatchObject([
    { requestId: null, outcome: "unknown" },
    { requestId: null, outcome: null },
  ]);
});

it("ignores a request id that Postgres does not store", async () => {
  const { database } = fixture;
  const { renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  const callId = (await recordIntent(database, claim, decision)) ?? "";
  for (const requestId of ["a\0b", "\ud83d"]) await recordRequestId(database, callId, requestId);
  expect(await earlierCalls(database, claim.renderId)).toMatchObject([{ requestId: null }]);
});

it("makes no call that a worker that takes over can't see", async () => {
  const { database } = fixture;
  const { renders } = await fixture.accept();
  const stale = await fixture.claim(renders[0]);
  const intent = await database.transaction(async (sql) => {
    await claimRender({ ...database, repeatable: sql }, stale.renderId, lane);
    // Runs while the take-over is not committed yet.
    const writing = recordIntent(database, stale, decision);
    await waitsForLock();
    return { writing };
  });
  expect(await intent.writing).toBeNull();
  expect(await fixture.outcomesOf(renders[0])).toEqual([]);
});

/** Resolves when a statement waits for a row that another transaction has locked. */
async function waitsForLock(): Promise<void> {
  await expect
    .poll(() =>
      fixture.database.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1);
}
