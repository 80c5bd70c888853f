import { newId } from "@atelier/database";
import { countRowsRead, explainStatements } from "@atelier/local-services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimRender } from "../claims/claim.ts";
import { findNextInLine } from "../claims/next-in-line.ts";
import { takeUnattended } from "../claims/recover.ts";
import { switchModel } from "../claims/switch-model.ts";
import { finishRender } from "../endings/finish.ts";
import {
  answer,
  error,
  imagesOf,
  lane,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { createBatch } from "./batches.ts";
import { batchPlaceChannel, findLanesInWait, returnToPlaces, takeForPlace } from "./places.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** Accepts a batch of an account of its own. */
async function acceptBatch(linesTotal: number, request = {}): Promise<AcceptedGeneration[]> {
  const accountId = await fixture.makeAccount();
  const id = newId();
  await createBatch(fixture.database, {
    id,
    accountId,
    keyId: accountId,
    linesTotal,
    acceptForMs: 3_600_000,
    idempotency: null,
    webhook: null,
  });
  const lines: AcceptedGeneration[] = [];
  for (let line = 1; line <= linesTotal; line++) {
    lines.push(await fixture.accept({ accountId, batch: { id, line }, ...request }));
  }
  return lines;
}

/** Takes as one worker until no image waits; returns the renders. */
async function takeAll(): Promise<string[]> {
  const renders: string[] = [];
  let accountId: string | null = null;
  for (;;) {
    const taken = await takeForPlace(fixture.database, lane, { accountId });
    if (taken === null) return renders;
    renders.push(taken.renderId);
    accountId = taken.accountId;
  }
}

it("takes the images of a batch in order, each once, and accounts in turn", async () => {
  const [first, second] = [await acceptBatch(3), await acceptBatch(2)];
  expect(await findLanesInWait(fixture.database, [lane, "another-lane"])).toEqual([lane]);
  const [one, two, three] = first.map(({ renders }) => renders[0]);
  const [other, last] = second.map(({ renders }) => renders[0]);
  expect(await takeAll()).toEqual([one, other, two, last, three]);
  expect(await findLanesInWait(fixture.database, [lane])).toEqual([]);
});

it("gives several workers different images", async () => {
  const lines = await acceptBatch(8);
  const taken = await Promise.all(
    lines.map(() => takeForPlace(fixture.database, lane, { accountId: null })),
  );
  const renders = [...taken.flatMap((one) => one?.renderId ?? []), ...(await takeAll())];
  expect(renders).toHaveLength(lines.length);
  expect(new Set(renders)).toEqual(new Set(lines.flatMap((line) => line.renders)));
});

it("leaves images that wait to the lane, and adds one that a worker took and lost", async () => {
  const [line] = await acceptBatch(1);
  const { accountId = "", renders = [] } = line ?? {};
  const findUnattended = async () => {
    const options = { olderThanMs: 0, lanes: [lane], limit: 100 };
    const unattended = await takeUnattended(fixture.database, options);
    return unattended.filter(({ renderId }) => renderId === renders[0]);
  };
  expect(await findUnattended()).toEqual([]);
  expect(await findNextInLine(fixture.database, { accountId, lane })).toBeNull();
  await takeAll();
  expect(await findUnattended()).toMatchObject([{ priority: 1_000_001 }]);
});

it("lets an image wait again until it is claimed", async () => {
  const [line, single] = [(await acceptBatch(1))[0], await fixture.accept()];
  const renderId = line?.renders[0] ?? "";
  expect(await takeAll()).toEqual([renderId]);
  expect(await returnToPlaces(fixture.database, renderId)).toBe(true);
  expect(await takeAll()).toEqual([renderId]);
  await fixture.claim(renderId);
  expect(await returnToPlaces(fixture.database, renderId)).toBe(false);
  expect(await returnToPlaces(fixture.database, single.renders[0] ?? "")).toBe(false);
});

it("dispatches no scene of a batch's story when its portraits are done, and takes no ended image", async () => {
  const [story] = await acceptBatch(1, { plan: storyPlan });
  const [portrait, other, scene] = story?.renders ?? [];
  expect(await takeAll()).toEqual([portrait, other]);
  for (const render of [portrait, other]) {
    const claim = await fixture.claim(render);
    const finished = await fixture.finisher.finish(claim, imagesOf(claim), answer, null);
    expect(finished).toMatchObject({ kind: "advanced", ready: [] });
  }
  expect(await takeAll()).toEqual([scene]);
  expect(await returnToPlaces(fixture.database, scene ?? "")).toBe(true);
  // A worker of an earlier version ends it.
  await fixture.database.query(
    "UPDATE render SET status = 'cancelled', finished_at = now() WHERE id = $1",
    [scene],
  );
  expect(await takeAll()).toEqual([]);
});

it("wakes workers when images of a batch wait for a place in another lane, or after an image", async () => {
  const { database } = fixture;
  const [story] = await acceptBatch(1, { plan: storyPlan });
  const [portrait = "", ...others] = story?.renders ?? [];
  const [accepted, switched] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isAccepted = false;
  const listener = await database.listen({
    [batchPlaceChannel]: () => isAccepted && switched.resolve(),
    end_of_acceptance() {
      isAccepted = true;
      accepted.resolve();
    },
  });
  // The notification of the acceptance is sent before this one.
  database.notify("end_of_acceptance", "");
  await accepted.promise;
  await takeForPlace(database, lane, { accountId: null });
  await switchModel(database, await fixture.claim(portrait), {
    choose: () => ({ model: "other-model", lane: "other-lane", priceMicroEur: 100_000n }),
    error,
    callOutcome: null,
  });
  await switched.promise;
  await listener.close();
  const notified: string[] = [];
  const collecting = { ...database, notify: (channel: string) => void notified.push(channel) };
  for (const render of [portrait, others[0] ?? ""]) {
    const claim = await claimRender(database, render, "other-lane");
    if (claim === null) throw new Error("there is nothing to claim");
    expect(notified).not.toContain(batchPlaceChannel);
    await finishRender(collecting, claim, imagesOf(claim), answer);
  }
  expect(notified).toContain(batchPlaceChannel);
});

it("gives a line the time of its batch, and that of its image from the first claim", async () => {
  const [line] = await acceptBatch(1, { deadlineMs: 60_000 });
  const { renders = [], generationId } = line ?? {};
  const secondsLeft = async () => {
    const [row] = await fixture.database.query<{ seconds: number }>(
      "SELECT extract(epoch FROM deadline_at - now())::float8 AS seconds FROM generation WHERE id = $1",
      [generationId],
    );
    return row?.seconds ?? 0;
  };
  expect(await secondsLeft()).toBeGreaterThan(3_500);
  const claim = await fixture.claim(renders[0]);
  expect(claim.remainingMs).toBeLessThanOrEqual(60_000);
  expect(claim.remainingMs).toBeGreaterThan(50_000);
  const after = await secondsLeft();
  expect(after).toBeLessThanOrEqual(60);
  await fixture.claim(renders[0]);
  expect(await secondsLeft()).toBeLessThanOrEqual(after);
});

it("reads few rows, however many images wait", async () => {
  const { database } = fixture;
  await database.query(
    `WITH job AS (
       INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur,
                               renders_total, deadline_at, batch_id, batch_line)
       SELECT uuidv7(), account.id, 'image', 'pending', 'm', '{}', 'normal', 0, 1, now(), account.id, n
         FROM account, generate_series(1, 500) AS n RETURNING id, account_id)
     INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, place_account_id)
     SELECT uuidv7(), id, 0, 'image', 'ready', 'crowded', 'm', '{}', '{}', account_id FROM job`,
  );
  for (const analyze of ["SELECT", "ANALYZE generation, render"]) {
    await database.query(analyze);
    const plans = await explainStatements(database, async (sql) => {
      await takeForPlace(sql, "crowded", { accountId: null });
      await takeForPlace(sql, "crowded", { accountId: "ffffffff-ffff-ffff-ffff-ffffffffffff" });
      await findLanesInWait(sql, ["crowded", lane]);
    });
    for (const plan of plans) expect(countRowsRead(plan)).toBeLessThanOrEqual(50);
  }
});
