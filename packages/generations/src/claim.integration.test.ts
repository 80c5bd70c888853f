import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  claimRender,
  earlierCalls,
  recordIntent,
  recordRefusal,
  recordRequestId,
  wasAllowed,
} from "./claim.ts";
import { failGeneration, finishRender, postponeRender } from "./finish.ts";
import {
  decision,
  error,
  imagesOf,
  lane,
  openFixture,
  storyPlan,
  type Fixture,
} from "./fixture.ts";

describe("claiming a render", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  it("fences everything that an earlier claim still tries to write", async () => {
    const { database } = fixture;
    const generation = await fixture.accept();
    const { generationId } = generation;
    const stale = await fixture.claim(generation.renders[0]);
    const claim = await fixture.claim(generation.renders[0]);
    expect([stale.attempt, claim.attempt]).toEqual([1, 2]);
    const before = await fixture.stateOf(generation);

    expect(await recordIntent(database, stale, decision)).toBeNull();
    expect(await finishRender(database, stale, imagesOf(stale), null)).toEqual({ kind: "stale" });
    expect(await failGeneration(database, { generationId, claim: stale, error })).toBe(false);
    const postponement = { error, usedUp: true, callOutcome: null };
    expect(await postponeRender(database, stale, postponement)).toBe(false);
    expect(await fixture.stateOf(generation)).toEqual(before);

    expect(await finishRender(database, claim, imagesOf(claim), null)).toEqual({
      kind: "completed",
      chargedMicroEur: 50_000n,
    });
  });

  it("gives every claim a number of its own, however many come at once", async () => {
    const { renders } = await fixture.accept();
    const claims = await Promise.all(Array.from({ length: 10 }, () => fixture.claim(renders[0])));
    const attempts = claims.map(({ attempt }) => attempt).toSorted((a, b) => a - b);
    expect(attempts).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });

  it("finds nothing to do for what waits, is done, failed, cancelled or overdue", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    expect(await claimRender(database, story.renders[2] ?? "", lane)).toBeNull();

    const { generationId, renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    await finishRender(database, claim, imagesOf(claim), null);
    expect(await claimRender(database, claim.renderId, lane)).toBeNull();
    expect(await failGeneration(database, { generationId, claim: null, error })).toBe(false);

    const failed = await fixture.accept();
    await failGeneration(database, { ...failed, claim: null, error });
    expect(await claimRender(database, failed.renders[0] ?? "", lane)).toBeNull();

    const overdue = await fixture.accept({ deadlineMs: -1 });
    expect(await claimRender(database, overdue.renders[0] ?? "", lane)).toBeNull();
    expect(await fixture.stateOf(overdue)).toMatchObject({ status: "pending" });
  });

  it("gives a render back once, and says so however often it is asked", async () => {
    const { database } = fixture;
    const { renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    await recordIntent(database, claim, decision);
    const postponement = { error, usedUp: false, callOutcome: "unavailable" } as const;
    for (let run = 0; run < 2; run++) {
      expect(await postponeRender(database, claim, postponement)).toBe(true);
    }
    expect(await fixture.outcomesOf(renders[0])).toEqual(["unavailable"]);
    expect(await fixture.claim(renders[0])).toMatchObject({ attempt: 2, tries: 1 });
    expect(await postponeRender(database, claim, postponement)).toBe(false);
  });

  it("records an image as allowed that was refused at an earlier try, and is made", async () => {
    const { database } = fixture;
    const { renders } = await fixture.accept();
    const first = await fixture.claim(renders[0]);
    await recordRefusal(database, first, decision, { category: "gore", path: "prompt" });
    const second = await fixture.claim(renders[0]);
    expect(await wasAllowed(database, second, decision)).toBe(false);
    await recordIntent(database, second, decision);
    expect(await wasAllowed(database, second, decision)).toBe(true);
    const kept = await database.query(
      "SELECT allowed, category, path FROM moderation_decision WHERE render_id = $1",
      [second.renderId],
    );
    expect(kept).toEqual([{ allowed: true, category: null, path: null }]);
  });

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
});
