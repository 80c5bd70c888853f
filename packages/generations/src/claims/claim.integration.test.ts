import type { Sql } from "@atelier/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capability, needsNewerWorker } from "./capability.ts";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import {
  answer,
  decision,
  error,
  imagesOf,
  lane,
  openFixture,
  storyPlan,
  type Fixture,
} from "../testing/fixture.ts";
import { claimRender } from "./claim.ts";
import { postponeRender } from "./postpone.ts";
import { recordIntent } from "./provider-calls.ts";

describe("claiming a render", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  it("is left to a newer worker when the render needs more than this one can do", async () => {
    const { database } = fixture;
    const generation = await fixture.accept();
    const renderId = generation.renders[0] ?? "";
    await database.query("UPDATE render SET needs = $2 WHERE id = $1", [renderId, capability + 1]);
    const before = await fixture.stateOf(generation);
    expect(await claimRender(database, renderId, lane)).toBeNull();
    expect(await claimRender(database, renderId, lane, capability)).toBeNull();
    expect(await needsNewerWorker(database, renderId, capability)).toBe(true);
    expect(await fixture.stateOf(generation)).toEqual(before);
    expect(await needsNewerWorker(database, renderId, capability + 1)).toBe(false);
    expect(await claimRender(database, renderId, lane, capability + 1)).toMatchObject({
      renderId,
      attempt: 1,
    });
  });

  it("fences every write of an earlier claim", async () => {
    const { database } = fixture;
    const generation = await fixture.accept();
    const { generationId } = generation;
    const stale = await fixture.claim(generation.renders[0]);
    const claim = await fixture.claim(generation.renders[0]);
    expect([stale.attempt, claim.attempt]).toEqual([1, 2]);
    const before = await fixture.stateOf(generation);

    expect(await recordIntent(database, stale, decision)).toBeNull();
    expect(await finishRender(database, stale, imagesOf(stale), answer)).toEqual({ kind: "stale" });
    expect(await failGeneration(database, { generationId, claim: stale, error })).toBe(false);
    const postponement = { error, usedUp: true, callOutcome: null };
    expect(await postponeRender(database, stale, postponement)).toBe(false);
    expect(await fixture.stateOf(generation)).toEqual(before);

    expect(await finishRender(database, claim, imagesOf(claim), answer)).toEqual({
      kind: "completed",
      chargedMicroEur: 50_000n,
    });
  });

  it("counts a claim once when it is repeated after a lost response", async () => {
    const { database } = fixture;
    const { renders } = await fixture.accept();
    const repeated: Sql = {
      async query(text, values) {
        await database.query(text, values);
        return database.query(text, values);
      },
    };
    for (const count of [1, 2]) {
      const claim = await claimRender(
        { ...database, repeatable: repeated },
        renders[0] ?? "",
        lane,
      );
      expect(claim).toMatchObject({ attempt: count, tries: count });
    }
  });

  it("gives concurrent claims distinct attempt numbers", async () => {
    const { renders } = await fixture.accept();
    const claims = await Promise.all(Array.from({ length: 10 }, () => fixture.claim(renders[0])));
    const attempts = claims.map(({ attempt }) => attempt).toSorted((a, b) => a - b);
    expect(attempts).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });

  it("claims no render that waits, is done, failed, cancelled or overdue", async () => {
    const { database } = fixture;
    const story = await fixture.accept({ plan: storyPlan });
    expect(await claimRender(database, story.renders[2] ?? "", lane)).toBeNull();

    const { generationId, renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    await finishRender(database, claim, imagesOf(claim), answer);
    expect(await claimRender(database, claim.renderId, lane)).toBeNull();
    expect(await failGeneration(database, { generationId, claim: null, error })).toBe(false);

    const failed = await fixture.accept();
    await failGeneration(database, { ...failed, claim: null, error });
    expect(await claimRender(database, failed.renders[0] ?? "", lane)).toBeNull();

    const overdue = await fixture.accept({ deadlineMs: -1 });
    expect(await claimRender(database, overdue.renders[0] ?? "", lane)).toBeNull();
    expect(await fixture.stateOf(overdue)).toMatchObject({ status: "pending" });
  });

  it("returns a render to the queue once, also when repeated", async () => {
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
});
