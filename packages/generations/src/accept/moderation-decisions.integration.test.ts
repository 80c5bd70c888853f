import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordIntent } from "../claims/provider-calls.ts";
import {
  listSpecs,
  recordApprovals,
  recordRefusal,
  wasAllowed,
  wereInputsAllowed,
} from "./moderation-decisions.ts";
import { decision, openFixture, storyPlan, type Fixture } from "../testing/fixture.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const imageRefusal = {
  moderator: "test-of-images",
  promptHash: null,
  category: "sexual",
  path: "image",
  certainty: "certain",
} as const;

function decisionsOn(renderId: string) {
  return fixture.database.query(
    "SELECT allowed, moderator, category, certainty FROM moderation_decision WHERE render_id = $1",
    [renderId],
  );
}

it("replaces the decision on the texts by a refusal of the image", async () => {
  const { renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  await recordIntent(fixture.database, claim, decision);
  await recordRefusal(fixture.database, claim, imageRefusal);
  expect(await decisionsOn(claim.renderId)).toEqual([
    { allowed: false, moderator: "test-of-images", category: "sexual", certainty: "certain" },
  ]);
});

it("ignores a stale refusal after another worker took over", async () => {
  const { renders } = await fixture.accept();
  const stale = await fixture.claim(renders[0]);
  await recordIntent(fixture.database, stale, decision);
  await fixture.claim(renders[0]);
  await recordRefusal(fixture.database, stale, imageRefusal);
  expect(await decisionsOn(stale.renderId)).toEqual([
    { allowed: true, moderator: "test", category: null, certainty: null },
  ]);
});

it("records the refusal that ended the render although an earlier attempt was allowed", async () => {
  const { renders } = await fixture.accept();
  const first = await fixture.claim(renders[0]);
  await recordIntent(fixture.database, first, decision);
  const second = await fixture.claim(renders[0]);
  const onTexts = {
    ...decision,
    category: "hate",
    path: "prompt",
    certainty: "uncertain",
  } as const;
  await recordRefusal(fixture.database, first, { ...onTexts, category: "gore" });
  expect(await decisionsOn(first.renderId)).toMatchObject([{ allowed: true }]);
  await recordRefusal(fixture.database, second, onTexts);
  expect(await decisionsOn(first.renderId)).toEqual([
    { allowed: false, moderator: "test", category: "hate", certainty: "uncertain" },
  ]);
});

it("records an image as allowed after an earlier attempt was refused", async () => {
  const { database } = fixture;
  const { renders } = await fixture.accept();
  const first = await fixture.claim(renders[0]);
  await recordRefusal(database, first, {
    ...decision,
    category: "gore",
    path: "prompt",
    certainty: "uncertain",
  });
  const second = await fixture.claim(renders[0]);
  expect(await wasAllowed(database, second, decision)).toBe(false);
  await recordIntent(database, second, decision);
  expect(await wasAllowed(database, second, decision)).toBe(true);
  const kept = await database.query(
    "SELECT allowed, category, path, certainty FROM moderation_decision WHERE render_id = $1",
    [second.renderId],
  );
  expect(kept).toEqual([{ allowed: true, category: null, path: null, certainty: null }]);
});

describe("the approval of all renders of a generation", () => {
  async function acceptStory() {
    const { generationId, renders } = await fixture.accept({ plan: storyPlan });
    const approve = (moderator = "test") =>
      recordApprovals(fixture.database, {
        generationId,
        strictness: "normal",
        moderator,
        approvals: renders.map((renderId) => ({ renderId, promptHash: decision.promptHash })),
      });
    return { generationId, renders, approve };
  }

  it("is found by each of them, at its first attempt", async () => {
    const { renders, approve } = await acceptStory();
    const first = await fixture.claim(renders[0]);
    const second = await fixture.claim(renders[1]);
    expect(await wasAllowed(fixture.database, second, decision)).toBe(false);
    await approve();
    for (const claim of [first, second]) {
      expect(await wasAllowed(fixture.database, claim, decision)).toBe(true);
    }
    const other = { ...decision, promptHash: Buffer.from("other texts") };
    expect(await wasAllowed(fixture.database, second, other)).toBe(false);
  });

  it("is stored once when it is repeated, and replaced when the moderator changes", async () => {
    const { renders, approve } = await acceptStory();
    const claim = await fixture.claim(renders[0]);
    for (const moderator of ["test", "test", "another"]) await approve(moderator);
    expect(await decisionsOn(claim.renderId)).toEqual([
      { allowed: true, moderator: "another", category: null, certainty: null },
    ]);
  });

  it("replaces no refusal", async () => {
    const { renders, approve } = await acceptStory();
    const claim = await fixture.claim(renders[0]);
    await recordRefusal(fixture.database, claim, { ...imageRefusal, promptHash: Buffer.from("") });
    await approve();
    expect(await decisionsOn(claim.renderId)).toMatchObject([{ allowed: false }]);
  });

  it("does not allow the images of the client, which are judged before the intent", async () => {
    const { renders, approve } = await acceptStory();
    await approve();
    const claim = await fixture.claim(renders[0]);
    expect(await wereInputsAllowed(fixture.database, claim, decision)).toBe(false);
    await recordIntent(fixture.database, claim, decision);
    expect(await wereInputsAllowed(fixture.database, claim, decision)).toBe(true);
  });

  it("is made from the specifications of all, in the order of the plan", async () => {
    const { generationId, renders } = await acceptStory();
    const specs = await listSpecs(fixture.database, generationId);
    expect(specs.map(({ renderId }) => renderId)).toEqual(renders);
    expect(specs.map(({ spec }) => spec)).toEqual(storyPlan.renders.map(({ spec }) => spec));
  });
});
