import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Claim } from "../claims/claim.ts";
import {
  answer,
  imagesOf,
  losingResponses,
  openFixture,
  storyPlan,
  type Fixture,
} from "../testing/fixture.ts";
import type { RenderMark } from "./finish.ts";
import { createFinisher } from "./finisher.ts";

const mark = (watermarkId: string): RenderMark => ({
  watermarkId,
  perceptualHash: "0".repeat(64),
  parentWatermarks: [],
  synthetic: null,
  hasDossier: false,
});

describe("finishing renders of one account that wait for each other", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  async function claimMany(accountId: string, count: number): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (let index = 0; index < count; index++) {
      const { renders } = await fixture.accept({ accountId });
      claims.push(await fixture.claim(renders[0]));
    }
    return claims;
  }

  /** Finishes all at once: the first alone, the others behind it. */
  async function finishAll(
    claims: readonly Claim[],
    database = fixture.database,
    marks: readonly RenderMark[] = [],
  ): Promise<string[]> {
    const finisher = createFinisher(database);
    const results = await Promise.allSettled(
      claims.map((claim, index) =>
        finisher.finish(claim, imagesOf(claim), answer, marks[index] ?? null),
      ),
    );
    return results.map((result) =>
      result.status === "fulfilled"
        ? result.value.kind
        : (result.reason as { constraint: string }).constraint,
    );
  }

  async function moneyOf(accountId: string) {
    const [money] = await fixture.database.query(
      `SELECT balance_micro_eur AS balance, held_micro_eur AS held, unfinished_jobs AS jobs,
              (SELECT count(*)::int FROM ledger_transfer
                WHERE account_id = account.id AND kind = 'settle') AS settles,
              (SELECT count(DISTINCT xmin::text)::int FROM ledger_transfer
                WHERE account_id = account.id AND kind = 'settle') AS transactions
         FROM account WHERE id = $1`,
      [accountId],
    );
    return money;
  }

  it("commits those that wait together, at most 16", async () => {
    const accountId = await fixture.makeAccount();
    const claims = await claimMany(accountId, 18);
    expect(new Set(await finishAll(claims))).toEqual(new Set(["completed"]));
    expect(await moneyOf(accountId)).toEqual({
      balance: 9_100_000n,
      held: 0n,
      jobs: 0,
      settles: 18,
      transactions: 3,
    });
  });

  it("completes a story whose last renders are in one group", async () => {
    const accountId = await fixture.makeAccount();
    const [first] = await claimMany(accountId, 1);
    const story = await fixture.accept({ accountId, plan: storyPlan });
    const portraits = [
      await fixture.claim(story.renders[0]),
      await fixture.claim(story.renders[1]),
    ];
    expect(await finishAll([first as Claim, ...portraits])).toEqual([
      "completed",
      "advanced",
      "advanced",
    ]);
    expect(await fixture.stateOf(story)).toMatchObject({
      renders: ["done", "done", "ready", "waiting"],
    });
    for (const scene of story.renders.slice(2)) await finishAll([await fixture.claim(scene)]);
    expect(await fixture.stateOf(story)).toMatchObject({ status: "completed", settles: 1 });
  });

  it("changes nothing for a stale claim, and finishes its neighbours", async () => {
    const accountId = await fixture.makeAccount();
    const claims = await claimMany(accountId, 4);
    const again = await fixture.claim(claims[2]?.renderId);
    expect(await finishAll(claims)).toEqual(["completed", "completed", "stale", "completed"]);
    expect(await moneyOf(accountId)).toMatchObject({ settles: 3, held: 50_000n, jobs: 1 });
    expect(await finishAll([again])).toEqual(["completed"]);
  });

  it("fails a render that violates a constraint alone", async () => {
    const accountId = await fixture.makeAccount();
    const claims = await claimMany(accountId, 4);
    const ids = ["a", "b", "a", "c"].map((digit) => mark(`${accountId.slice(-15)}${digit}`));
    expect(await finishAll(claims, fixture.database, ids)).toEqual([
      "completed",
      "completed",
      "mark_watermark_id_key",
      "completed",
    ]);
    expect(await moneyOf(accountId)).toMatchObject({ settles: 3, held: 50_000n, jobs: 1 });
  });

  it("settles each once when the response to the COMMIT is lost", async () => {
    const accountId = await fixture.makeAccount();
    const claims = await claimMany(accountId, 6);
    const results = await finishAll(claims, losingResponses(fixture.database));
    expect(new Set(results)).toEqual(new Set(["completed"]));
    expect(await moneyOf(accountId)).toMatchObject({ settles: 6, held: 0n, jobs: 0 });
  });

  it("locks no account while it waits for a generation, as a cancellation holds", async () => {
    const accountId = await fixture.makeAccount();
    const claims = await claimMany(accountId, 6);
    const { finishing } = await fixture.database.transaction(async (sql) => {
      await sql.query("SELECT FROM generation WHERE id = $1 FOR NO KEY UPDATE", [
        claims[5]?.generationId,
      ]);
      const results = finishAll(claims);
      await fixture.untilBlocked("generation");
      await fixture.database.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE NOWAIT", [
        accountId,
      ]);
      return { finishing: results };
    });
    expect(new Set(await finishing)).toEqual(new Set(["completed"]));
  });
});
