import { newId, type Database } from "@atelier/database";
import { deliveryChannel } from "@atelier/events";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { claimRender } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import { postponeRender } from "../claims/postpone.ts";
import { recordIntent } from "../claims/provider-calls.ts";
import { findPreviousScene } from "../jobs/earlier-images.ts";
import {
  answer,
  decision,
  error,
  imagesOf,
  lane,
  losingCommits,
  losingResponses,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { cancelAsRequested, cancelGeneration } from "./cancel.ts";
import { finalChannel } from "./end-generation.ts";
import { failGeneration } from "./fail.ts";
import { finishRender } from "./finish.ts";

describe("ending a generation", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  /** Claims a render and finishes it. */
  async function make(renderId: string | undefined) {
    const claim = await fixture.claim(renderId);
    return finishRender(fixture.database, claim, imagesOf(claim), answer);
  }

  const completed = {
    status: "completed",
    settles: 1,
    releases: 0,
    held: 0n,
    unfinishedJobs: 0,
    unfinishedRenders: 0,
  };
  const released = {
    charged: null,
    settles: 0,
    releases: 1,
    available: 10_000_000n,
    held: 0n,
    unfinishedJobs: 0,
    unfinishedRenders: 0,
  };

  it("charges once when a render is finished twice, with the same result", async () => {
    const generation = await fixture.accept();
    const claim = await fixture.claim(generation.renders[0]);
    const results = await Promise.all(
      [1, 2].map(() => finishRender(fixture.database, claim, imagesOf(claim), answer)),
    );
    expect(results.map(({ kind }) => kind)).toEqual(["completed", "completed"]);
    expect(await fixture.stateOf(generation)).toMatchObject({
      ...completed,
      available: 9_950_000n,
    });
  });

  it("notifies in no transaction that changes rows, but after it", async () => {
    // Notifications of other tests may still arrive in their database.
    const quiet = await openFixture();
    onTestFinished(() => quiet.close());
    const { database } = quiet;
    const notified: string[] = [];
    const collecting: Database = {
      ...database,
      notify: (channel, payload) => void notified.push(`${channel} ${payload}`),
    };
    const heard: string[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const hear = (payload: string) => void heard.push(payload);
    const listener = await database.listen({
      [finalChannel]: hear,
      [deliveryChannel]: hear,
      end_of_test: () => end(),
    });
    const accountId = await quiet.makeAccount();
    await database.query(
      `INSERT INTO webhook (id, account_id, url, events, secret)
       VALUES ($1, $2, 'https://example.com', '{job.updated,job.completed,job.failed,job.cancelled}', '')`,
      [newId(), accountId],
    );
    const [done, failed, cancelled] = [
      await quiet.accept({ accountId }, collecting),
      await quiet.accept({ accountId }, collecting),
      await quiet.accept({ accountId }, collecting),
    ];
    expect(notified.splice(0)).toEqual(Array(3).fill("webhook_delivery "));
    const claim = await claimRender(collecting, done.renders[0] ?? "", lane);
    expect(notified.splice(0)).toEqual(["webhook_delivery "]);
    if (claim === null) throw new Error("there is nothing to claim");
    await finishRender(collecting, claim, imagesOf(claim), answer);
    await failGeneration(collecting, { ...failed, claim: null, error });
    await cancelGeneration(collecting, cancelled);
    expect(notified).toEqual(
      [done, failed, cancelled].flatMap(({ generationId }) => [
        `generation_final ${generationId}`,
        "webhook_delivery ",
      ]),
    );
    await database.query("SELECT pg_notify('end_of_test', '')");
    await ended;
    await listener.close();
    expect(heard).toEqual([]);
  });

  it("charges once when the response to COMMIT is lost", async () => {
    const generation = await fixture.accept();
    const claim = await fixture.claim(generation.renders[0]);
    const finished = await finishRender(
      losingResponses(fixture.database),
      claim,
      imagesOf(claim),
      answer,
    );
    expect(finished).toEqual({ kind: "completed", chargedMicroEur: 50_000n });
    expect(await fixture.stateOf(generation)).toMatchObject({
      ...completed,
      available: 9_950_000n,
    });
  });

  it("returns the next renders of a story when the response to COMMIT is lost", async () => {
    const unreliable = losingResponses(fixture.database);
    const story = await fixture.accept({ plan: storyPlan });
    const [first, second, scene] = story.renders;
    await make(first);
    const claim = await fixture.claim(second);
    expect(await finishRender(unreliable, claim, imagesOf(claim), answer)).toEqual({
      kind: "advanced",
      ready: [{ renderId: scene, lane, priority: 4 }],
      cancelRequested: false,
    });
    const outdated = { ...claim, attempt: claim.attempt - 1 };
    expect(await finishRender(unreliable, outdated, imagesOf(outdated), answer)).toEqual({
      kind: "stale",
    });
  });

  it("records outcome image for the call of the images and unknown for an open one", async () => {
    const { renders } = await fixture.accept();
    const [renderId] = renders;
    const late = await fixture.claim(renderId);
    const callId = await recordIntent(fixture.database, late, decision);
    const claim = await fixture.claim(renderId);
    await recordIntent(fixture.database, claim, decision);
    expect(await fixture.outcomesOf(renderId)).toEqual(["unknown", null]);
    await finishRender(fixture.database, claim, imagesOf(claim), {
      ...answer,
      callId: callId ?? "",
    });
    expect(await fixture.outcomesOf(renderId)).toEqual(["image", "unknown"]);
  });

  it("fails once when the response to COMMIT is lost", async () => {
    const generation = await fixture.accept();
    const claim = await fixture.claim(generation.renders[0]);
    const failure = { ...generation, claim, error };
    expect(await failGeneration(losingResponses(fixture.database), failure)).toBe(true);
    expect(await failGeneration(losingResponses(fixture.database), failure)).toBe(false);
    expect(await fixture.stateOf(generation)).toMatchObject({ ...released, status: "failed" });
  });

  it.each([{ of: "a worker" }, { of: "recovery" }])(
    "does not report a failure of $of that was rolled back before another one cancelled the generation",
    async ({ of }) => {
      const { database } = fixture;
      const generation = await fixture.accept();
      const claim = of === "recovery" ? null : await fixture.claim(generation.renders[0]);
      const unreliable = losingCommits(database, () =>
        cancelGeneration(database, { ...generation, hasWorkers: false }),
      );
      expect(await failGeneration(unreliable, { ...generation, claim, error })).toBe(false);
      expect(await fixture.stateOf(generation)).toMatchObject({ ...released, status: "cancelled" });
    },
  );

  it("closes a call that a sibling records concurrently", async () => {
    const { database } = fixture;
    const generation = await fixture.accept({ plan: storyPlan });
    const [refused, calling] = generation.renders;
    const claim = await fixture.claim(refused);
    const sibling = await fixture.claim(calling);
    let failing: Promise<boolean> | undefined;
    await database.transaction(async (sql) => {
      await recordIntent(sql, sibling, decision);
      failing = failGeneration(database, { ...generation, claim, error });
      const isWaiting = async () => {
        const waiting = await database.query(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      };
      await vi.waitUntil(isWaiting, { timeout: 10_000 });
    });
    expect(await failing).toBe(true);
    const calls = await database.query("SELECT outcome FROM provider_call WHERE render_id = $1", [
      calling,
    ]);
    expect(calls).toEqual([{ outcome: "unknown" }]);
  });

  it("completes a story with its last render, readying each render once", async () => {
    const generation = await fixture.accept({ plan: storyPlan });
    const [first, second, third, fourth] = generation.renders;
    const portraits = await Promise.all([make(first), make(second)]);
    const ready = portraits.flatMap((result) => (result.kind === "advanced" ? result.ready : []));
    expect(ready.map(({ renderId }) => renderId)).toEqual([third]);
    expect(await fixture.stateOf(generation)).toMatchObject({
      status: "processing",
      renders: ["done", "done", "ready", "waiting"],
    });
    expect(await make(third)).toMatchObject({ kind: "advanced", ready: [{ renderId: fourth }] });
    expect(await make(fourth)).toEqual({ kind: "completed", chargedMicroEur: 200_000n });
    expect(await fixture.stateOf(generation)).toMatchObject({ ...completed, charged: 200_000n });
  });

  it("fails all renders of a story when one fails and closes their calls", async () => {
    const { database } = fixture;
    const generation = await fixture.accept({ plan: storyPlan });
    const [first, second] = generation.renders;
    const failing = await fixture.claim(first);
    const sibling = await fixture.claim(second);
    await recordIntent(database, failing, decision);
    await recordIntent(database, sibling, decision);
    const { generationId } = generation;
    const failure = { generationId, claim: failing, error, callOutcome: "refused" } as const;
    expect(await failGeneration(database, failure)).toBe(true);
    expect(await finishRender(database, sibling, imagesOf(sibling), answer)).toEqual({
      kind: "stale",
    });
    expect(await fixture.stateOf(generation)).toMatchObject({
      ...released,
      status: "failed",
      renders: ["failed", "failed", "cancelled", "cancelled"],
    });
    expect(await fixture.outcomesOf(first)).toEqual(["refused"]);
    expect(await fixture.outcomesOf(second)).toEqual(["unknown"]);
  });

  it("cancels only generations that no worker has started", async () => {
    const { database } = fixture;
    const generation = await fixture.accept();
    const stranger = await fixture.makeAccount();
    const cancel = (accountId = generation.accountId) =>
      cancelGeneration(database, { ...generation, accountId });
    await expect(cancel(stranger)).rejects.toMatchObject({ code: "job_not_found" });
    const claim = await fixture.claim(generation.renders[0]);
    await expect(cancel()).rejects.toMatchObject({ code: "job_not_cancellable" });
    await postponeRender(database, claim, { error, usedUp: true, callOutcome: null });
    expect(await cancel()).toMatchObject({
      kind: "cancelled",
      stopped: [{ renderId: generation.renders[0] }],
    });
    expect(await fixture.stateOf(generation)).toMatchObject({ ...released, status: "cancelled" });
    await expect(cancel()).rejects.toMatchObject({ code: "job_not_cancellable" });
  });

  it("cancels a story between two images without a charge", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    const claim = await fixture.claim(story.renders[0]);
    await finishRender(database, claim, imagesOf(claim), answer);
    expect(await fixture.stateOf(story)).toMatchObject({ status: "processing" });
    const cancellation = await cancelGeneration(database, story);
    if (cancellation.kind !== "cancelled") throw new Error(cancellation.kind);
    expect(cancellation.stopped.map(({ renderId }) => renderId).toSorted()).toEqual(
      story.renders.slice(1).toSorted(),
    );
    expect(await fixture.stateOf(story)).toMatchObject({
      ...released,
      status: "cancelled",
      renders: ["done", "cancelled", "cancelled", "cancelled"],
    });
  });

  it("does not report a cancellation that was rolled back before another one ended the generation", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    await fixture.claim(story.renders[0]);
    expect(await cancelGeneration(database, story)).toEqual({ kind: "requested" });
    const failing = losingCommits(database, () =>
      failGeneration(database, { ...story, claim: null, error }),
    );
    const end = { renderId: story.renders[0] ?? "", hasWorkers: false };
    expect(await cancelAsRequested(failing, end)).toBe(false);
    expect(await fixture.stateOf(story)).toMatchObject({ ...released, status: "failed" });

    const single = await fixture.accept();
    const cancelling = losingCommits(database, () => cancelGeneration(database, single));
    await expect(cancelGeneration(cancelling, single)).rejects.toMatchObject({
      code: "job_not_cancellable",
    });
  });

  it("cancels a story when its current images are done and starts no further one", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    const [first = "", second = "", scene = ""] = story.renders;
    const claims = [await fixture.claim(first), await fixture.claim(second)] as const;
    expect(await cancelAsRequested(database, { renderId: first })).toBe(false);
    expect(await cancelGeneration(database, story)).toEqual({ kind: "requested" });
    expect(await cancelGeneration(database, story)).toEqual({ kind: "requested" });
    const advanced = { kind: "advanced", cancelRequested: true };
    const finish = (claim: Claim) => finishRender(database, claim, imagesOf(claim), answer);
    expect(await finish(claims[0])).toMatchObject(advanced);
    expect(await cancelAsRequested(database, { renderId: first })).toBe(false);
    expect(await finish(claims[1])).toMatchObject({ ...advanced, ready: [{ renderId: scene }] });
    expect(await claimRender(database, scene, lane)).toBeNull();
    const end = { renderId: second };
    expect(await cancelAsRequested(losingResponses(database), end)).toBe(true);
    expect(await cancelAsRequested(database, end)).toBe(false);
    expect(await fixture.stateOf(story)).toMatchObject({
      ...released,
      status: "cancelled",
      renders: ["done", "done", "cancelled", "cancelled"],
    });
  });

  it("cancels a story when the workers of all its images died", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    const [first = "", second = ""] = story.renders;
    await recordIntent(database, await fixture.claim(first), decision);
    const late = await fixture.claim(second);
    await cancelGeneration(database, story);
    // Their jobs are delivered again. A job from another lane does not prove that a worker died.
    expect(await claimRender(database, first, lane)).toBeNull();
    expect(await cancelAsRequested(database, { renderId: first, lostIn: lane })).toBe(false);
    expect(await cancelAsRequested(database, { renderId: second, lostIn: "other" })).toBe(false);
    expect(await cancelAsRequested(database, { renderId: second, lostIn: lane })).toBe(true);
    expect(await finishRender(database, late, imagesOf(late), answer)).toEqual({ kind: "stale" });
    expect(await fixture.stateOf(story)).toMatchObject({ ...released, status: "cancelled" });
    expect(await fixture.outcomesOf(first)).toEqual(["unknown"]);
  });

  it("fails with an error whose text Postgres does not store as it is", async () => {
    const { database } = fixture;
    const { generationId, renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    const unusual = { ...error, message: "The provider said: a\0b" };
    expect(await failGeneration(database, { generationId, claim, error: unusual })).toBe(true);
  });

  it("deletes provider state that version 0.1 stored in rows, which contains images", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    for (const renderId of story.renders.slice(0, 3)) {
      const claim = await fixture.claim(renderId);
      await finishRender(database, claim, imagesOf(claim), answer);
    }
    const scene = story.renders[2];
    await database.query(`UPDATE render SET turn = '{"image": "AAAA"}' WHERE id = $1`, [scene]);
    const last = await fixture.claim(story.renders[3]);
    const previous = { renderId: scene, attempt: 1, turn: { image: "AAAA" } };
    expect(await findPreviousScene(database, last)).toEqual(previous);
    await finishRender(database, last, imagesOf(last), answer);
    expect(await fixture.stateOf(story)).toMatchObject({ status: "completed" });
    expect(await findPreviousScene(database, last)).toEqual({ ...previous, turn: null });
  });

  it("settles or releases exactly once when several operations race", async () => {
    const { database } = fixture;
    const claimAndFinish = async (renderId: string) => {
      const claim = await claimRender(database, renderId, lane);
      if (claim !== null) await finishRender(database, claim, imagesOf(claim), answer);
    };
    const refusals: unknown[] = [];
    const racers = {
      finish: ({ renders }: AcceptedGeneration) => claimAndFinish(renders[0] ?? ""),
      "finish at another worker": ({ renders }: AcceptedGeneration) =>
        claimAndFinish(renders[0] ?? ""),
      fail: async ({ generationId, renders }: AcceptedGeneration) => {
        const claim = await claimRender(database, renders[0] ?? "", lane);
        if (claim !== null) await failGeneration(database, { generationId, claim, error });
      },
      postpone: async ({ renders }: AcceptedGeneration) => {
        const claim = await claimRender(database, renders[0] ?? "", lane);
        const postponement = { error, usedUp: true, callOutcome: null };
        if (claim !== null) await postponeRender(database, claim, postponement);
      },
      "pass the deadline": ({ generationId }: AcceptedGeneration) =>
        failGeneration(database, { generationId, claim: null, error }),
      cancel: (generation: AcceptedGeneration) =>
        cancelGeneration(database, generation).catch((refusal: unknown) => refusals.push(refusal)),
    };
    const ends: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.entries(racers), { minLength: 2 }),
        async (chosen) => {
          const generation = await fixture.accept();
          await Promise.all(chosen.map(([, race]) => race(generation)));
          // The deadline ends every generation that is still open.
          await racers["pass the deadline"](generation);
          const { status, settles, releases, held, unfinishedJobs, available } =
            await fixture.stateOf(generation);
          ends.push(status);
          const paid = status === "completed";
          expect({ settles, releases, held, unfinishedJobs, available }).toEqual({
            settles: paid ? 1 : 0,
            releases: paid ? 0 : 1,
            held: 0n,
            unfinishedJobs: 0,
            available: paid ? 9_950_000n : 10_000_000n,
          });
        },
      ),
      { numRuns: 80 },
    );
    // Refused while a worker is processing it, or after the end.
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: "job_not_cancellable" });
    // Every ending occurred, so the operations did race.
    expect(new Set(ends)).toEqual(new Set(["completed", "failed", "cancelled"]));
  });
});
