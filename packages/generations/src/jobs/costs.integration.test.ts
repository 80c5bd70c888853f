import { afterAll, beforeAll, expect, it } from "vitest";
import type { CallCost } from "../claims/call-cost.ts";
import { recordIntent } from "../claims/provider-calls.ts";
import { presentCosts, readCosts } from "./costs.ts";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import { decision, error, openFixture, storyPlan, type Fixture } from "../testing/fixture.ts";
import { atPrice } from "../testing/plans.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const range = { from: "2026-01-01", to: "2199-12-31" };

const costing = (microEur: bigint | null): CallCost => ({
  units: {},
  price: null,
  basis: microEur === null ? "unknown" : "computed",
  micro: microEur,
  currency: microEur === null ? null : "EUR",
  microEur,
  microEurPerUsd: null,
});

async function startCall(renderId: string | undefined) {
  const claim = await fixture.claim(renderId);
  return { claim, callId: (await recordIntent(fixture.database, claim, decision)) ?? "" };
}

async function deliver(renderId: string | undefined, microEur: bigint | null): Promise<void> {
  const { callId, claim } = await startCall(renderId);
  await finishRender(fixture.database, claim, [], { callId, cost: costing(microEur) });
}

async function refuse(accountId: string, microEur: bigint): Promise<void> {
  const { renders, generationId } = await fixture.accept({ accountId });
  const { claim } = await startCall(renders[0]);
  const failure = { generationId, claim, error, callOutcome: "refused" } as const;
  await failGeneration(fixture.database, { ...failure, callCost: costing(microEur) });
}

async function reportOf(accountId: string) {
  const groups = await readCosts(fixture.database, { groupBy: "account", range });
  return presentCosts(
    groups.filter(({ group }) => group === accountId),
    "account",
    range,
  ).total;
}

it("adds up revenue, costs and paid refusals", async () => {
  const accountId = await fixture.makeAccount();
  const { renders } = await fixture.accept({ accountId });
  await deliver(renders[0], 40_000n);
  await refuse(accountId, 20_000n);
  await refuse(accountId, 0n);
  expect(await reportOf(accountId)).toMatchObject({
    calls: 3,
    images: 1,
    revenue_eur: "0.05",
    known_cost_eur: "0.06",
    margin_eur: "-0.01",
    unknown_costs: 0,
    paid_refusals: 1,
    refusals_eur: "0.02",
    losses: 0,
  });
});

it("states no margin while a cost is unknown, and its upper bound", async () => {
  const accountId = await fixture.makeAccount();
  await deliver((await fixture.accept({ accountId })).renders[0], null);
  expect(await reportOf(accountId)).toMatchObject({
    known_cost_eur: "0.00",
    unknown_costs: 1,
    margin_eur: null,
    margin_at_most_eur: "0.05",
  });
});

it("divides the charge of a story among its images without a remainder", async () => {
  const accountId = await fixture.makeAccount();
  const plan = { ...storyPlan, price: atPrice(200_001n) };
  const { renders } = await fixture.accept({ accountId, plan });
  for (const renderId of renders) await deliver(renderId, 10_000n);
  expect(await reportOf(accountId)).toMatchObject({
    images: 4,
    revenue_eur: "0.200001",
    margin_eur: "0.160001",
  });
});

it("counts images of failed generations as losses", async () => {
  const accountId = await fixture.makeAccount();
  const { generationId, renders } = await fixture.accept({ accountId, plan: storyPlan });
  await deliver(renders[0], 10_000n);
  await failGeneration(fixture.database, { generationId, claim: null, error });
  expect(await reportOf(accountId)).toMatchObject({
    images: 0,
    revenue_eur: "0.00",
    losses: 1,
    losses_eur: "0.01",
    margin_eur: "-0.01",
  });
});

it("counts calls of versions that recorded no costs as unknown", async () => {
  const accountId = await fixture.makeAccount();
  const { callId, claim } = await startCall((await fixture.accept({ accountId })).renders[0]);
  await finishRender(fixture.database, claim, [], { callId });
  expect(await reportOf(accountId)).toMatchObject({ unknown_costs: 1, margin_eur: null });
});

it.each(["model", "day", "provider"] as const)("groups by %s", async (groupBy) => {
  const today = new Date().toISOString().slice(0, 10);
  const own = { model: "test-model", day: today, provider: "test-lane" }[groupBy];
  const groups = await readCosts(fixture.database, { groupBy, range });
  expect(groups.map(({ group }) => group)).toContain(own);
  const later = { from: "2199-01-01", to: "2199-12-31" };
  expect(await readCosts(fixture.database, { groupBy, range: later })).toEqual([]);
});

it("reads the calls of some days by an index", async () => {
  const plan = await fixture.database.transaction(async (sql) => {
    await sql.query("SET LOCAL enable_seqscan = off");
    return sql.query<{ "QUERY PLAN": string }>(
      "EXPLAIN SELECT id FROM provider_call WHERE started_at >= now() - interval '1 day'",
    );
  });
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("provider_call_started_at_idx");
});
