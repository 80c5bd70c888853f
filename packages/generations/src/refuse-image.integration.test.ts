import { afterAll, beforeAll, expect, it } from "vitest";
import { recordIntent, recordRefusal } from "./claim.ts";
import { decision, openFixture, type Fixture } from "./fixture.ts";
import { recordImageRefusal } from "./refuse-image.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const refusal = { moderator: "test-of-images", category: "sexual", path: "image" };

function decisionsOn(renderId: string) {
  return fixture.database.query(
    "SELECT allowed, moderator, category FROM moderation_decision WHERE render_id = $1",
    [renderId],
  );
}

it("takes the place of the decision on the texts", async () => {
  const { renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  await recordIntent(fixture.database, claim, decision);
  await recordImageRefusal(fixture.database, claim, refusal);
  expect(await decisionsOn(claim.renderId)).toEqual([
    { allowed: false, moderator: "test-of-images", category: "sexual" },
  ]);
});

it("does not touch what was decided for whoever took the render over", async () => {
  const { renders } = await fixture.accept();
  const stale = await fixture.claim(renders[0]);
  await recordIntent(fixture.database, stale, decision);
  await fixture.claim(renders[0]);
  await recordImageRefusal(fixture.database, stale, refusal);
  expect(await decisionsOn(stale.renderId)).toEqual([
    { allowed: true, moderator: "test", category: null },
  ]);
});

it("counts as it ended the render, where an earlier try was allowed", async () => {
  const { renders } = await fixture.accept();
  const first = await fixture.claim(renders[0]);
  await recordIntent(fixture.database, first, decision);
  const second = await fixture.claim(renders[0]);
  const onTexts = { category: "hate", path: "prompt" };
  await recordRefusal(fixture.database, first, decision, { ...onTexts, category: "gore" });
  expect(await decisionsOn(first.renderId)).toMatchObject([{ allowed: true }]);
  await recordRefusal(fixture.database, second, decision, onTexts);
  expect(await decisionsOn(first.renderId)).toEqual([
    { allowed: false, moderator: "test", category: "hate" },
  ]);
});
