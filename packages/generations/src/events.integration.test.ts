import { topUp, withdraw } from "@atelier/billing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimRender } from "./claims/claim.ts";
import { cancelGeneration } from "./endings/cancel.ts";
import { failGeneration } from "./endings/fail.ts";
import { finishRender } from "./endings/finish.ts";
import {
  answer,
  error,
  imagePlan,
  imagesOf,
  lane,
  losingResponses,
  openFixture,
  storyPlan,
  type Fixture,
} from "./testing/fixture.ts";
import { atPrice } from "./testing/plans.ts";

describe("events of a generation", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  /** Types of the events of a generation, in the order of their ids. */
  async function eventsOf(generationId: string): Promise<string[]> {
    const events = await fixture.database.query<{ type: string }>(
      "SELECT type FROM event WHERE generation_id = $1 ORDER BY id",
      [generationId],
    );
    return events.map(({ type }) => type);
  }

  it("are written once per change of state, even if every response is lost once", async () => {
    const unreliable = losingResponses(fixture.database);
    const { generationId, renders } = await fixture.accept({}, unreliable);
    const [renderId = ""] = renders;
    await claimRender(unreliable, renderId, lane);
    const claim = await fixture.claim(renderId);
    await finishRender(unreliable, claim, imagesOf(claim), answer);
    expect(await eventsOf(generationId)).toEqual([
      "job.updated",
      "job.updated",
      "job.image_completed",
      "job.completed",
    ]);
  });

  it("are written once per image of a story, even if images finish concurrently", async () => {
    const { generationId, renders } = await fixture.accept({ plan: storyPlan });
    const portraits = await Promise.all(renders.slice(0, 2).map((id) => fixture.claim(id)));
    await Promise.all(
      portraits.map((claim) => finishRender(fixture.database, claim, imagesOf(claim), answer)),
    );
    for (const renderId of renders.slice(2)) {
      const claim = await fixture.claim(renderId);
      await finishRender(fixture.database, claim, imagesOf(claim), answer);
    }
    expect(await eventsOf(generationId)).toEqual([
      "job.updated",
      "job.updated",
      ...renders.map(() => "job.image_completed"),
      "job.completed",
    ]);
  });

  it("end with exactly one failure", async () => {
    const generation = await fixture.accept();
    const claim = await fixture.claim(generation.renders[0]);
    const failure = { ...generation, claim, error };
    await failGeneration(losingResponses(fixture.database), failure);
    await failGeneration(fixture.database, { ...failure, claim: null });
    expect((await eventsOf(generation.generationId)).slice(2)).toEqual(["job.failed"]);
  });

  it("end with exactly one cancellation", async () => {
    const generation = await fixture.accept();
    await cancelGeneration(losingResponses(fixture.database), generation);
    expect((await eventsOf(generation.generationId)).slice(1)).toEqual(["job.cancelled"]);
  });

  it("are not written for a stale claim", async () => {
    const { generationId, renders } = await fixture.accept();
    const stale = await fixture.claim(renders[0]);
    await fixture.claim(renders[0]);
    await finishRender(fixture.database, stale, imagesOf(stale), answer);
    expect(await eventsOf(generationId)).toEqual(["job.updated", "job.updated"]);
  });
});

describe("an account with a low balance alert", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  /** An account with 1 EUR and an alert at 0.70 EUR. */
  async function createAlertedAccount(): Promise<string> {
    const accountId = await fixture.makeAccount(1_000_000n);
    const alert = "UPDATE account SET low_balance_micro_eur = 700000 WHERE id = $1";
    await fixture.database.query(alert, [accountId]);
    return accountId;
  }

  async function alertsOf(accountId: string) {
    return fixture.database.query<{ data: object }>(
      "SELECT data FROM event WHERE account_id = $1 AND type = 'account.balance_low' ORDER BY id",
      [accountId],
    );
  }

  const costing = (total: bigint) => ({ plan: { ...imagePlan, price: atPrice(total) } });

  it("gets one event when its balance falls below the threshold, and no more while it stays below", async () => {
    const accountId = await createAlertedAccount();
    await fixture.accept({ accountId, ...costing(300_000n) });
    expect(await alertsOf(accountId)).toEqual([]);
    await fixture.accept({ accountId, ...costing(37_500n) }, losingResponses(fixture.database));
    await fixture.accept({ accountId, ...costing(100_000n) });
    expect(await alertsOf(accountId)).toEqual([
      { data: { balance_eur: "0.6625", low_balance_eur: "0.70" } },
    ]);
  });

  it("gets another event after the balance has risen", async () => {
    const accountId = await createAlertedAccount();
    const job = await fixture.accept({ accountId, ...costing(400_000n) });
    await cancelGeneration(fixture.database, job);
    await fixture.accept({ accountId, ...costing(400_000n) });
    await topUp(fixture.database, { accountId, amountMicroEur: 100_000n });
    await withdraw(fixture.database, { accountId, amountMicroEur: 100_000n });
    expect(await alertsOf(accountId)).toHaveLength(3);
  });

  it("gets one event when concurrent jobs cross the threshold together", async () => {
    const accountId = await createAlertedAccount();
    await Promise.all(
      Array.from({ length: 8 }, () => fixture.accept({ accountId, ...costing(100_000n) })),
    );
    expect(await alertsOf(accountId)).toEqual([
      { data: { balance_eur: "0.60", low_balance_eur: "0.70" } },
    ]);
  });

  it("gets no event from a refused request", async () => {
    const accountId = await createAlertedAccount();
    await expect(fixture.accept({ accountId, ...costing(1_000_001n) })).rejects.toMatchObject({
      code: "insufficient_credit",
    });
    expect(await alertsOf(accountId)).toEqual([]);
  });
});
