import { afterAll, beforeAll, expect, it } from "vitest";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import { decision, error, openFixture, type Fixture } from "../testing/fixture.ts";
import { decodeCost, encodeCost, type CallCost } from "./call-cost.ts";
import type { Claim } from "./claim.ts";
import { postponeRender } from "./postpone.ts";
import { earlierCalls, recordIntent, recordRequestId } from "./provider-calls.ts";
import { switchModel } from "./switch-model.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const cost: CallCost = {
  units: { image_output_tokens: 50 },
  price: { currency: "USD", per: { million_image_output_tokens: "30" } },
  basis: "computed",
  micro: 1_500n,
  currency: "USD",
  microEur: 1_380n,
  microEurPerUsd: 920_000n,
};
const unknown: CallCost = {
  units: {},
  price: null,
  basis: "unknown",
  micro: null,
  currency: null,
  microEur: null,
  microEurPerUsd: null,
};

async function startCall(): Promise<{ readonly claim: Claim; readonly callId: string }> {
  const { renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  return { claim, callId: (await recordIntent(fixture.database, claim, decision)) ?? "" };
}

async function costOf({ callId }: { readonly callId: string }) {
  const [row] = await fixture.database.query(
    `SELECT outcome, finished_at IS NOT NULL AS "isClosed", units, price, cost_basis AS basis,
            cost_micro AS micro, cost_currency AS currency, cost_micro_eur AS "microEur",
            micro_eur_per_usd AS "microEurPerUsd"
       FROM provider_call WHERE id = $1`,
    [callId],
  );
  return row;
}

it("records the cost of a call with its image", async () => {
  const call = await startCall();
  await finishRender(fixture.database, call.claim, [], { ...call, cost });
  expect(await costOf(call)).toEqual({ ...cost, outcome: "image", isClosed: true });
});

it("records the cost of a call that fails the generation", async () => {
  const call = await startCall();
  const failure = { generationId: call.claim.generationId, claim: call.claim, error } as const;
  await failGeneration(fixture.database, { ...failure, callOutcome: "refused", callCost: cost });
  expect(await costOf(call)).toEqual({ ...cost, outcome: "refused", isClosed: true });
});

it("records the cost of an image whose generation fails without an outcome of the call", async () => {
  const call = await startCall();
  const failure = { generationId: call.claim.generationId, claim: call.claim, error } as const;
  await failGeneration(fixture.database, { ...failure, callCost: cost });
  expect(await costOf(call)).toEqual({ ...cost, outcome: "unknown", isClosed: true });
});

it("records the cost of a call before its render is repeated, and leaves a lost call open", async () => {
  const call = await startCall();
  await postponeRender(fixture.database, call.claim, {
    error,
    usedUp: true,
    callOutcome: null,
    callCost: cost,
  });
  expect(await costOf(call)).toEqual({ ...cost, outcome: null, isClosed: false });
});

it("records the cost of a call before another model is used", async () => {
  const call = await startCall();
  const other = { model: "other-model", lane: "other-lane", priceMicroEur: 1n };
  const change = {
    choose: () => other,
    error,
    callOutcome: "unavailable",
    callCost: cost,
  } as const;
  await switchModel(fixture.database, call.claim, change);
  expect(await costOf(call)).toEqual({ ...cost, outcome: "unavailable", isClosed: true });
});

it("keeps an unknown cost apart from a cost of 0", async () => {
  const call = await startCall();
  await finishRender(fixture.database, call.claim, [], { ...call, cost: unknown });
  expect(await costOf(call)).toMatchObject({ basis: "unknown", micro: null, microEur: null });
});

it("leaves the cost empty for workers that record none", async () => {
  const call = await startCall();
  await finishRender(fixture.database, call.claim, [], call);
  expect(await costOf(call)).toMatchObject({ outcome: "image", basis: null, micro: null });
});

it("records the cost of the call that made the image, and of no other", async () => {
  const first = await startCall();
  const claim = await fixture.claim(first.claim.renderId);
  const callId = (await recordIntent(fixture.database, claim, decision)) ?? "";
  await finishRender(fixture.database, claim, [], { callId: first.callId, cost });
  expect(await costOf(first)).toMatchObject({ basis: "computed", micro: 1_500n });
  expect(await costOf({ callId })).toMatchObject({ outcome: "unknown", basis: null });
});

it("keeps the cost that a vendor stated with its request id when the call is lost", async () => {
  const { claim, callId } = await startCall();
  const stated = { ...cost, basis: "reported" } as const;
  await recordRequestId(fixture.database, callId, "request-1", stated);
  await postponeRender(fixture.database, claim, { error, usedUp: true, callOutcome: null });
  expect(await earlierCalls(fixture.database, claim.renderId)).toMatchObject([
    { units: cost.units, reportedCost: { micro: 1_500n, currency: "USD" } },
  ]);
  const other = await fixture.claim(claim.renderId);
  await recordIntent(fixture.database, other, decision);
  expect(await costOf({ callId })).toMatchObject({ outcome: "unknown", micro: 1_500n });
});

it("changes no cost of a claim that was taken over", async () => {
  const stale = await startCall();
  await fixture.claim(stale.claim.renderId);
  await finishRender(fixture.database, stale.claim, [], { ...stale, cost });
  await postponeRender(fixture.database, stale.claim, {
    error,
    usedUp: true,
    callOutcome: "unavailable",
    callCost: cost,
  });
  expect(await costOf(stale)).toMatchObject({ outcome: null, basis: null });
});

it("encodes amounts exactly", () => {
  const large = { ...cost, micro: 9_007_199_254_740_993n };
  expect(decodeCost(encodeCost(large))).toEqual(large);
  expect(decodeCost(encodeCost(unknown))).toEqual(unknown);
});
