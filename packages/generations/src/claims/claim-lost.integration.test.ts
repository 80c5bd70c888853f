import { applyMigrations } from "@atelier/database";
import { readAccountEvents, startEventFeed } from "@atelier/events";
import {
  createDatabaseFromTemplate,
  startCrashingPostgres,
  templateName,
  type CrashingPostgres,
} from "@atelier/local-services";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import { recordRefusal } from "../accept/moderation-decisions.ts";
import {
  answer,
  decision,
  error,
  imagesOf,
  openFixture,
  type Fixture,
} from "../testing/fixture.ts";
import type { Claim } from "./claim.ts";
import { postponeRender } from "./postpone.ts";
import { recordIntent } from "./provider-calls.ts";

// The first start creates a cluster.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

describe("after a crash of Postgres, a claim", () => {
  let server: CrashingPostgres;
  let fixture: Fixture;

  beforeAll(async () => {
    // Commits that do not wait for the disk are not written before the crash.
    server = await startCrashingPostgres({ wal_writer_delay: "10s", autovacuum: "off" });
    await createDatabaseFromTemplate(server.url("postgres"), templateName, "template0");
    await applyMigrations(server.url(templateName));
    fixture = await openFixture({ url: server.url(templateName), drop: () => Promise.resolve() });
  });

  afterAll(async () => {
    await fixture.close();
    await server.close();
  });

  async function crash(): Promise<void> {
    await server.crash();
    const isConnected = () =>
      fixture.database.query("SELECT").then(
        () => true,
        () => false,
      );
    await vi.waitUntil(isConnected, { timeout: 30_000 });
  }

  /** Everything that the worker of a claim may write before it calls the provider. */
  async function writeAll(claim: Claim): Promise<unknown[]> {
    const { database } = fixture;
    const { generationId } = claim;
    const refusal = {
      moderator: "test",
      promptHash: null,
      category: "violence",
      path: "prompt",
      certainty: "certain" as const,
    };
    await recordRefusal(database, claim, refusal);
    const postponement = { error, usedUp: true, callOutcome: null };
    return [
      await recordIntent(database, claim, decision),
      await finishRender(database, claim, imagesOf(claim), answer),
      await postponeRender(database, claim, postponement),
      await failGeneration(database, { generationId, claim, error }),
    ];
  }

  it("that was lost before the intent changes nothing, whichever worker claims the render next", async () => {
    const { renders, generationId } = await fixture.accept();
    const lost = await fixture.claim(renders[0]);
    await crash();
    expect(await writeAll(lost)).toEqual([null, { kind: "stale" }, false, false]);
    const next = await fixture.claim(renders[0]);
    expect([next.attempt, next.tries]).toEqual([lost.attempt, lost.tries]);
    expect(await writeAll(lost)).toEqual([null, { kind: "stale" }, false, false]);
    expect(await fixture.outcomesOf(renders[0])).toEqual([]);
    expect(await recordIntent(fixture.database, next, decision)).not.toBeNull();
    const finished = await finishRender(fixture.database, next, imagesOf(next), answer);
    expect(finished).toMatchObject({ kind: "completed" });
    expect(await fixture.stateOf({ generationId })).toMatchObject({ settles: 1, held: 0n });
  });

  it("is kept with its intent, so that the next one has another attempt", async () => {
    const { renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    expect(await recordIntent(fixture.database, claim, decision)).not.toBeNull();
    await crash();
    const next = await fixture.claim(renders[0]);
    expect(next.attempt).toBe(2);
    expect(await recordIntent(fixture.database, claim, decision)).toBeNull();
  });

  it("after the first one is kept without an intent", async () => {
    const { renders } = await fixture.accept();
    const first = await fixture.claim(renders[0]);
    await recordIntent(fixture.database, first, decision);
    const second = await fixture.claim(renders[0]);
    await crash();
    expect((await fixture.claim(renders[0])).attempt).toBe(second.attempt + 1);
  });

  it("is kept once a stream has delivered its event", async () => {
    const { database } = fixture;
    const accountId = await fixture.makeAccount();
    const delivered: bigint[] = [];
    const feed = startEventFeed(database, {
      intervalMs: 20,
      limit: 100,
      accountIds: () => [accountId],
      onEvents: async (events) => void delivered.push(...events.map(({ id }) => id)),
      onLost: () => undefined,
      onError: () => undefined,
    });
    await feed.sync();
    const { renders } = await fixture.accept({ accountId });
    const claim = await fixture.claim(renders[0]);
    await feed.sync();
    await feed.close();
    expect(delivered).toHaveLength(2);
    await crash();
    const kept = await readAccountEvents(database, { accountId, afterId: 0n, limit: 100 });
    expect(kept.map(({ id }) => id)).toEqual(delivered);
    expect((await fixture.claim(renders[0])).attempt).toBe(claim.attempt + 1);
  });
});
