import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postponeRender } from "./postpone.ts";
import { error, imagePlan, lane, openFixture, storyPlan, type Fixture } from "./fixture.ts";
import { findOverdue, forgetExpired, takeUnattended } from "./recover.ts";

describe("recovery", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  const take = (olderThanMs: number, lanes = [lane], limit = 100) =>
    takeUnattended(fixture.database, { olderThanMs, limit, lanes });

  const forgetFor = (interval: string) =>
    fixture.database.query(
      "UPDATE render SET dispatched_at = now() - $1::interval WHERE status IN ('ready', 'running')",
      [interval],
    );

  it("takes what is ready or running and was not looked after for a while, once", async () => {
    await take(0);
    const story = await fixture.accept({ plan: storyPlan });
    const image = await fixture.accept();
    await fixture.claim(image.renders[0]);
    const open = [...story.renders.slice(0, 2), ...image.renders].toSorted();

    expect(await take(60_000)).toEqual([]);
    await forgetFor("2 minutes");
    expect(await take(60_000, ["another-lane"])).toEqual([]);
    const taken = await take(60_000);
    expect(taken.map(({ renderId }) => renderId).toSorted()).toEqual(open);
    expect(await take(60_000)).toEqual([]);
  });

  it("shares the work between workers that look at the same time", async () => {
    const generations = await Promise.all(Array.from({ length: 12 }, () => fixture.accept()));
    await forgetFor("2 minutes");
    const shares = await Promise.all([1, 2, 3].map(() => take(60_000, [lane], 5)));
    const renders = [...shares.flat(), ...(await take(60_000))].map(({ renderId }) => renderId);
    expect(new Set(renders).size).toBe(renders.length);
    expect(renders).toEqual(expect.arrayContaining(generations.flatMap((one) => one.renders)));
  });

  it("queues a render again behind its account's others", async () => {
    const accountId = await fixture.makeAccount();
    await fixture.accept({ accountId, plan: imagePlan });
    await fixture.accept({ accountId, plan: storyPlan });
    await take(0);
    await forgetFor("2 minutes");
    const mine = (await take(60_000)).filter(({ priority }) => priority === 5);
    expect(mine).toHaveLength(3);
  });

  it("finds what is past its deadline, with the last thing that went wrong", async () => {
    const { database } = fixture;
    const silent = await fixture.accept({ deadlineMs: -1 });
    const telling = await fixture.accept();
    const claim = await fixture.claim(telling.renders[0]);
    await postponeRender(database, claim, { error, usedUp: true, callOutcome: null });
    await database.query("UPDATE generation SET deadline_at = now() WHERE id = $1", [
      telling.generationId,
    ]);
    const overdue = await findOverdue(database, 10);
    expect(overdue).toEqual([
      { generationId: silent.generationId, lastError: null },
      { generationId: telling.generationId, lastError: error },
    ]);
  });

  it("forgets idempotency keys after their day", async () => {
    const { database } = fixture;
    const idempotency = { requestHash: Buffer.from("body"), answerWithinMs: 0 };
    for (const key of ["old", "new"])
      await fixture.accept({ idempotency: { ...idempotency, key } });
    await database.query(
      "UPDATE idempotency_key SET created_at = now() - interval '25 hours' WHERE key = 'old'",
    );
    await forgetExpired(database);
    expect(await database.query("SELECT key FROM idempotency_key")).toEqual([{ key: "new" }]);
  });
});
