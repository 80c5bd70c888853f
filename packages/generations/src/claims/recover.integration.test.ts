import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountBusyError } from "../endings/end-generation.ts";
import { failGeneration } from "../endings/fail.ts";
import {
  error,
  imagePlan,
  lane,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { attendRenders } from "./attend.ts";
import { postponeRender } from "./postpone.ts";
import { findOverdue, forgetIdempotencyKeys, takeUnattended } from "./recover.ts";

describe("recovery", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  const take = (olderThanMs: number, lanes = [lane], limit = 100) =>
    takeUnattended(fixture.database, { olderThanMs, limit, lanes });

  const ageDispatches = (interval: string) =>
    fixture.database.query(
      `UPDATE render SET dispatched_at = now() - $1::interval, claimed_at = claimed_at - $1::interval
        WHERE status IN ('ready', 'running')`,
      [interval],
    );

  it("takes ready and running renders once when they were not updated for a while", async () => {
    await take(0);
    const story = await fixture.accept({ plan: storyPlan });
    const image = await fixture.accept();
    await fixture.claim(image.renders[0]);
    const open = [...story.renders.slice(0, 2), ...image.renders].toSorted();

    expect(await take(60_000)).toEqual([]);
    await ageDispatches("2 minutes");
    expect(await take(60_000, ["another-lane"])).toEqual([]);
    const dispatches = await take(60_000);
    expect(dispatches.map(({ renderId }) => renderId).toSorted()).toEqual(open);
    expect(await take(60_000)).toEqual([]);
  });

  it("leaves a running render to its worker while that attends to it, and no longer", async () => {
    await take(0);
    const { renders } = await fixture.accept();
    const first = await fixture.claim(renders[0]);
    const isTaken = async () =>
      (await take(60_000)).some(({ renderId }) => renderId === renders[0]);
    await ageDispatches("2 minutes");
    await attendRenders(fixture.database, [first]);
    expect(await isTaken()).toBe(false);

    await postponeRender(fixture.database, first, { error, usedUp: false, callOutcome: null });
    await fixture.claim(renders[0]);
    await ageDispatches("2 minutes");
    await attendRenders(fixture.database, [first]);
    expect(await isTaken()).toBe(true);
  });

  it("leaves a render that was just claimed to its worker, however long it waited before", async () => {
    const { renders } = await fixture.accept();
    await ageDispatches("2 minutes");
    await fixture.claim(renders[0]);
    expect((await take(60_000)).map(({ renderId }) => renderId)).not.toContain(renders[0]);
  });

  it("shares the work between concurrent workers", async () => {
    const generations = await Promise.all(Array.from({ length: 12 }, () => fixture.accept()));
    await ageDispatches("2 minutes");
    const shares = await Promise.all([1, 2, 3].map(() => take(60_000, [lane], 5)));
    const renders = [...shares.flat(), ...(await take(60_000))].map(({ renderId }) => renderId);
    expect(new Set(renders).size).toBe(renders.length);
    expect(renders).toEqual(expect.arrayContaining(generations.flatMap((one) => one.renders)));
  });

  it("gives each render its current priority, running ones first", async () => {
    const accountId = await fixture.makeAccount();
    const older = await fixture.accept({ accountId, plan: imagePlan });
    const story = await fixture.accept({ accountId, plan: storyPlan });
    const last = await fixture.accept({ accountId, plan: imagePlan });
    await fixture.claim(last.renders[0]);
    await take(0);
    await ageDispatches("2 minutes");
    const places = new Map(
      (await take(60_000)).map(({ renderId, priority }) => [renderId, priority]),
    );
    const inLine = [last.renders[0], older.renders[0], ...story.renders.slice(0, 2)];
    expect(inLine.map((renderId) => places.get(renderId ?? ""))).toEqual([1, 2, 3, 4]);
  });

  it("waits for the row of an account that other transactions lock in turn", async () => {
    const { database } = fixture;
    const { accountId, generationId } = await fixture.accept({ deadlineMs: -1 });
    let failing: Promise<boolean> | undefined;
    await database.transaction(async (sql) => {
      await sql.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
      failing = failGeneration(database, { generationId, claim: null, error });
      await Promise.race([fixture.untilBlocked("FROM account"), failing]);
    });
    expect(await failing).toBe(true);
  });

  it("fails overdue generations although another one or its account is locked", async () => {
    const { database } = fixture;
    const overdue = await Promise.all([1, 2, 3].map(() => fixture.accept({ deadlineMs: -1 })));
    const [locked, ofLockedAccount, free] = overdue;
    const fail = (generation: AcceptedGeneration | undefined) =>
      failGeneration(database, {
        generationId: generation?.generationId ?? "",
        claim: null,
        error,
      });
    await database.transaction(async (sql) => {
      await sql.query("SELECT FROM generation WHERE id = $1 FOR UPDATE", [locked?.generationId]);
      await sql.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [ofLockedAccount?.accountId]);
      expect(await fail(locked)).toBe(false);
      await expect(fail(ofLockedAccount)).rejects.toThrow(AccountBusyError);
      expect(await fail(free)).toBe(true);
    });
    expect(await fail(locked)).toBe(true);
    expect(await fail(ofLockedAccount)).toBe(true);
  });

  it("finds overdue generations with their last error", async () => {
    const { database } = fixture;
    const silent = await fixture.accept({ deadlineMs: -1 });
    const story = await fixture.accept();
    const claim = await fixture.claim(story.renders[0]);
    await postponeRender(database, claim, { error, usedUp: true, callOutcome: null });
    await database.query("UPDATE generation SET deadline_at = now() WHERE id = $1", [
      story.generationId,
    ]);
    const overdue = await findOverdue(database, { limit: 10 });
    expect(overdue).toEqual([
      { generationId: silent.generationId, accountId: silent.accountId, lastError: null },
      { generationId: story.generationId, accountId: story.accountId, lastError: error },
    ]);
    const exceptAccounts = [silent.accountId];
    expect(await findOverdue(database, { limit: 1, exceptAccounts })).toEqual(overdue.slice(1));
  });

  it("deletes idempotency keys after 24 hours", async () => {
    const { database } = fixture;
    const idempotency = { requestHash: Buffer.from("body"), answerWithinMs: 0 };
    for (const key of ["old", "new"])
      await fixture.accept({ idempotency: { ...idempotency, key } });
    await database.query(
      "UPDATE idempotency_key SET created_at = now() - interval '25 hours' WHERE key = 'old'",
    );
    await forgetIdempotencyKeys(database);
    expect(await database.query("SELECT key FROM idempotency_key")).toEqual([{ key: "new" }]);
  });
});
