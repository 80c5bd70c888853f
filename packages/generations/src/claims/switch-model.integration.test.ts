import type { GenerationPlan } from "@atelier/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import { finishRender } from "../endings/finish.ts";
import {
  answer,
  decision,
  error,
  imagePlan,
  imagesOf,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { atPrice } from "../testing/plans.ts";
import { claimRender } from "./claim.ts";
import type { Claim } from "./claim.ts";
import { postponeRender } from "./postpone.ts";
import { recordIntent } from "./provider-calls.ts";
import { switchModel, type ModelSwitch } from "./switch-model.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const other = { model: "other-model", lane: "other-lane" };

function switchTo(claim: Claim, chosen: ModelSwitch | null) {
  return switchModel(fixture.database, claim, {
    choose: () => chosen,
    error,
    callOutcome: "unavailable",
    ifBusy: { usedUp: true },
  });
}

async function modelsOf({ generationId }: AcceptedGeneration): Promise<string[]> {
  const rows = await fixture.database.query<{ made: string }>(
    "SELECT model || ' in ' || lane AS made FROM render WHERE generation_id = $1 ORDER BY position",
    [generationId],
  );
  return rows.map(({ made }) => made);
}

it("switches an image to another model, charges its price and releases the rest", async () => {
  const accepted = await fixture.accept();
  const [renderId = ""] = accepted.renders;
  const claim = await fixture.claim(renderId);
  await recordIntent(fixture.database, claim, decision);
  const ready = await switchTo(claim, { ...other, priceMicroEur: 30_000n });
  expect(ready).toEqual({
    kind: "switched",
    ready: [{ renderId, lane: other.lane, priority: 1 }],
  });
  expect(await fixture.outcomesOf(renderId)).toEqual(["unavailable"]);

  const again = await claimRender(fixture.database, renderId, other.lane);
  expect(again).toMatchObject({ ...other, attempt: 2, tries: 1 });
  if (again === null) return;
  await finishRender(fixture.database, again, imagesOf(again), answer);
  expect(await fixture.stateOf(accepted)).toMatchObject({
    status: "completed",
    charged: 30_000n,
    available: 9_970_000n,
    held: 0n,
  });
});

it("compares the prices of models without the steps after an image, and charges these", async () => {
  const [render] = imagePlan.renders;
  if (render === undefined) throw new Error("no render");
  const step = { task: { kind: "upscale", scale: 2 }, model: "scaler", priceMicroEur: 10_000 };
  const spec = { ...render.spec, after: [step] } as const;
  const accepted = await fixture.accept({
    plan: {
      ...imagePlan,
      price: atPrice(60_000n),
      renders: [{ ...render, spec }],
    } as GenerationPlan,
  });
  const [renderId = ""] = accepted.renders;
  const asked: bigint[] = [];
  await switchModel(fixture.database, await fixture.claim(renderId), {
    choose({ priceMicroEur }) {
      asked.push(priceMicroEur);
      return { ...other, priceMicroEur: 30_000n };
    },
    error,
    callOutcome: null,
  });
  expect(asked).toEqual([50_000n]);
  const again = await claimRender(fixture.database, renderId, other.lane);
  if (again === null) throw new Error("not claimable");
  await finishRender(fixture.database, again, imagesOf(again), answer);
  expect(await fixture.stateOf(accepted)).toMatchObject({ status: "completed", charged: 40_000n });
});

it("makes the render unclaimable in the old lane", async () => {
  const { renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  await switchTo(claim, { ...other, priceMicroEur: 50_000n });
  expect(await claimRender(fixture.database, claim.renderId, claim.lane)).toBeNull();
});

it("switches all images of a story at once", async () => {
  const accepted = await fixture.accept({ plan: storyPlan });
  const claim = await fixture.claim(accepted.renders[0]);
  const demands: unknown[] = [];
  const result = await switchModel(fixture.database, claim, {
    choose: (asked) => {
      demands.push(asked);
      return { ...other, priceMicroEur: 120_000n };
    },
    error,
    callOutcome: null,
  });
  const image = { aspectRatio: "1:1", imageSize: "1K", pixels: null, referenceImages: 0 };
  expect(demands).toEqual([
    expect.objectContaining({
      kind: "story",
      priceMicroEur: 200_000n,
      images: [image, image, image, image],
    }),
  ]);
  const ready = result.kind === "switched" ? result.ready : [];
  expect(ready.map(({ renderId }) => renderId).sort()).toEqual(accepted.renders.slice(0, 2).sort());
  expect(await modelsOf(accepted)).toEqual(Array(4).fill("other-model in other-lane"));
});

it.each([
  ["done", "kept"],
  ["running", "busy"],
] as const)("keeps the model of a story that has an image which is %s", async (status, kind) => {
  const accepted = await fixture.accept({ plan: storyPlan });
  const first = await fixture.claim(accepted.renders[0]);
  await recordIntent(fixture.database, first, decision);
  if (status === "done") await finishRender(fixture.database, first, imagesOf(first), answer);
  const second = await fixture.claim(accepted.renders[1]);
  expect(await switchTo(second, { ...other, priceMicroEur: 1n })).toEqual({ kind });
  expect(await modelsOf(accepted)).toEqual(Array(4).fill("test-model in test-lane"));
});

it("switches a story whose images fail at the same time when the last of them ends", async () => {
  const accepted = await fixture.accept({ plan: storyPlan });
  const first = await fixture.claim(accepted.renders[0]);
  const second = await fixture.claim(accepted.renders[1]);
  expect(await switchTo(first, { ...other, priceMicroEur: 1n })).toEqual({ kind: "busy" });
  expect((await fixture.stateOf(accepted)).renders.slice(0, 2)).toEqual(["ready", "running"]);
  expect(await switchTo(second, { ...other, priceMicroEur: 1n })).toMatchObject({
    kind: "switched",
  });
  expect(await modelsOf(accepted)).toEqual(Array(4).fill("other-model in other-lane"));
});

it("keeps the model of a story with a paid image that is not finished", async () => {
  const { database } = fixture;
  const accepted = await fixture.accept({ plan: storyPlan });
  const first = await fixture.claim(accepted.renders[0]);
  await recordIntent(database, first, decision);
  // Generated and staged, but not finished, for example because watermarking failed.
  await postponeRender(database, first, { error, usedUp: false, callOutcome: null });
  const second = await fixture.claim(accepted.renders[1]);
  expect(await switchTo(second, { ...other, priceMicroEur: 1n })).toEqual({ kind: "kept" });
  expect(await fixture.outcomesOf(accepted.renders[0])).toEqual([null]);
});

it("changes nothing without another model or with a stale claim", async () => {
  const accepted = await fixture.accept();
  const stale = await fixture.claim(accepted.renders[0]);
  const claim = await fixture.claim(accepted.renders[0]);
  expect(await switchTo(stale, { ...other, priceMicroEur: 1n })).toEqual({ kind: "kept" });
  expect(await switchTo(claim, null)).toEqual({ kind: "kept" });
  expect(await modelsOf(accepted)).toEqual(["test-model in test-lane"]);
  expect((await fixture.stateOf(accepted)).renders).toEqual(["running"]);
});

it("refuses a model that costs more than the hold", async () => {
  const { renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  await expect(switchTo(claim, { ...other, priceMicroEur: 50_001n })).rejects.toThrow(/cost more/);
});
