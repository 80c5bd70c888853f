import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptGeneration } from "./accept.ts";
import {
  acceptRequest,
  imagePlan,
  losingResponses,
  openFixture,
  storyPlan,
  type Fixture,
} from "../testing/fixture.ts";

describe("accepting a generation", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  const idempotency = { key: "key", requestHash: Buffer.from("body"), answerWithinMs: 1_000 };

  /** Row counts of an account: generations, renders, holds, keys, transfers. */
  async function rowsOf(accountId: string): Promise<unknown> {
    const [counts] = await fixture.database.query(
      `SELECT (SELECT count(*)::int FROM generation WHERE account_id = $1) AS generations,
              (SELECT count(*)::int FROM render JOIN generation ON generation.id = generation_id
                WHERE account_id = $1) AS renders,
              (SELECT count(*)::int FROM hold WHERE account_id = $1) AS holds,
              (SELECT count(*)::int FROM idempotency_key WHERE account_id = $1) AS keys,
              (SELECT count(*)::int FROM ledger_transfer WHERE account_id = $1) AS transfers,
              balance_micro_eur AS balance, unfinished_jobs AS "unfinishedJobs",
              unfinished_renders AS "unfinishedRenders"
         FROM account WHERE id = $1`,
      [accountId],
    );
    return counts;
  }

  const noRows = {
    generations: 0,
    renders: 0,
    holds: 0,
    keys: 0,
    transfers: 0,
    unfinishedJobs: 0,
    unfinishedRenders: 0,
  };

  it("stores nothing when the credit is too small", async () => {
    const accountId = await fixture.makeAccount(49_999n);
    await expect(fixture.accept({ accountId, idempotency })).rejects.toMatchObject({
      code: "insufficient_credit",
    });
    expect(await rowsOf(accountId)).toEqual({ ...noRows, balance: 49_999n });
  });

  it("stores nothing beyond the limit of unfinished jobs", async () => {
    const accountId = await fixture.makeAccount();
    const refused = fixture.accept({ accountId, idempotency, maxUnfinishedJobs: 0 });
    await expect(refused).rejects.toMatchObject({ code: "too_many_jobs" });
    expect(await rowsOf(accountId)).toEqual({ ...noRows, balance: 10_000_000n });
  });

  it("never exceeds the limit of unfinished jobs with concurrent requests", async () => {
    const accountId = await fixture.makeAccount();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => fixture.accept({ accountId, maxUnfinishedJobs: 3 })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await rowsOf(accountId)).toMatchObject({ generations: 3, holds: 3, unfinishedJobs: 3 });
  });

  it("accepts concurrent requests with one idempotency key once", async () => {
    const accountId = await fixture.makeAccount();
    const request = acceptRequest({ accountId, idempotency });
    const acceptances = await Promise.all(
      Array.from({ length: 12 }, () => acceptGeneration(fixture.database, request)),
    );
    expect(acceptances.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
    expect(new Set(acceptances.map(({ generationId }) => generationId)).size).toBe(1);
    expect(await rowsOf(accountId)).toMatchObject({ generations: 1, holds: 1, keys: 1 });
  });

  it("distinguishes a repeated request from a different one with the same key", async () => {
    const accountId = await fixture.makeAccount();
    const { generationId } = await fixture.accept({ accountId, idempotency });
    const replay = (requestHash: Buffer) =>
      acceptGeneration(
        fixture.database,
        acceptRequest({ accountId, idempotency: { ...idempotency, requestHash } }),
      );
    const replayed = { kind: "replayed", generationId };
    expect(await replay(Buffer.from("body"))).toMatchObject({ ...replayed, sameRequest: true });
    expect(await replay(Buffer.from("other"))).toMatchObject({ ...replayed, sameRequest: false });
  });

  it("honours an idempotency key for 24 hours, swept or not", async () => {
    const accountId = await fixture.makeAccount();
    const request = acceptRequest({ accountId, idempotency });
    const { generationId } = await acceptGeneration(fixture.database, request);
    const letPass = (time: string) =>
      fixture.database.query(
        `UPDATE idempotency_key SET created_at = created_at - interval '${time}' WHERE account_id = $1`,
        [accountId],
      );
    await letPass("23 hours 59 minutes");
    expect(await acceptGeneration(fixture.database, request)).toMatchObject({
      kind: "replayed",
      generationId,
    });
    await letPass("2 minutes");
    const next = await acceptGeneration(fixture.database, request);
    expect(next.kind).toBe("accepted");
    expect(await rowsOf(accountId)).toMatchObject({ generations: 2, holds: 2, keys: 1 });
    expect(await acceptGeneration(fixture.database, request)).toMatchObject({
      kind: "replayed",
      generationId: next.generationId,
    });
  });

  it.each([{ idempotency: null }, { idempotency }])(
    "accepts once when the response to its COMMIT is lost, %o",
    async ({ idempotency: key }) => {
      const accountId = await fixture.makeAccount();
      const acceptance = await acceptGeneration(
        losingResponses(fixture.database),
        acceptRequest({ accountId, idempotency: key }),
      );
      expect(acceptance).toMatchObject({ kind: "accepted", ready: [{}] });
      expect(await rowsOf(accountId)).toMatchObject({
        generations: 1,
        renders: 1,
        holds: 1,
        balance: 9_950_000n,
        unfinishedJobs: 1,
      });
    },
  );

  it("readies renders without dependencies, with a later priority for later ones", async () => {
    const accountId = await fixture.makeAccount();
    const request = (plan: typeof imagePlan) => acceptRequest({ accountId, plan });
    const story = await acceptGeneration(fixture.database, request(storyPlan));
    const image = await acceptGeneration(fixture.database, request(imagePlan));
    expect(story).toMatchObject({ ready: [{ priority: 4 }, { priority: 4 }] });
    expect(image).toMatchObject({ ready: [{ priority: 5 }] });
    expect(await fixture.stateOf(story)).toMatchObject({
      renders: ["ready", "ready", "waiting", "waiting"],
      unfinishedJobs: 2,
      unfinishedRenders: 5,
    });
  });
});
