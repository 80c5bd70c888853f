import { afterAll, beforeAll, expect, it } from "vitest";
import { claimRender } from "./claim.ts";
import { decision, lane, openFixture, type Fixture } from "./fixture.ts";
import { earlierCalls, recordIntent, recordRequestId } from "./provider-calls.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

it("gives up an earlier call when it calls again, whose late id is not written", async () => {
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

it("lets no call be made that whoever takes over does not see", async () => {
  const { database } = fixture;
  const { renders } = await fixture.accept();
  const stale = await fixture.claim(renders[0]);
  const intent = await database.transaction(async (sql) => {
    await claimRender(sql, stale.renderId, lane);
    // Written while the take-over is not visible yet.
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
