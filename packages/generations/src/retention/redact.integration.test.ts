import { topUp } from "@atelier/billing";
import { newId } from "@atelier/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failGeneration } from "../endings/fail.ts";
import { findGeneration } from "../jobs/find.ts";
import { finishRender } from "../endings/finish.ts";
import { recordIntent } from "../claims/provider-calls.ts";
import {
  listAccountPage,
  redactJobs,
  redactOldGenerations,
  type RedactionCursor,
} from "./redact.ts";
import { expireImages } from "./retain.ts";
import { insertTestKey } from "../testing/insert-test-key.ts";
import {
  decision,
  error,
  imagesOf,
  openFixture,
  storyPlan,
  type Fixture,
} from "../testing/fixture.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const dayMs = 86_400_000;

/** Redacts page by page, and returns the number of pages as well. */
async function redactPages(limit: number) {
  let [redacted, pages] = [0, 0];
  let after: RedactionCursor | null = null;
  do {
    const options = { olderThanMs: 30 * dayMs, after, limit };
    const page = await redactOldGenerations(fixture.database, options);
    redacted += page.redacted;
    pages += 1;
    after = page.next;
  } while (after !== null);
  return { redacted, pages };
}

const redactOld = async () => (await redactPages(100)).redacted;

async function makeAccount(): Promise<string> {
  const accountId = newId();
  await fixture.database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [accountId]);
  await insertTestKey(fixture.database, accountId);
  await topUp(fixture.database, { accountId, amountMicroEur: 10_000_000n });
  return accountId;
}

async function complete(accountId: string, plan = storyPlan): Promise<string> {
  const { generationId, renders } = await fixture.accept({ accountId, plan });
  for (const renderId of renders) {
    const claim = await fixture.claim(renderId);
    const callId = (await recordIntent(fixture.database, claim, decision)) ?? "";
    await finishRender(fixture.database, claim, imagesOf(claim), { callId });
  }
  return generationId;
}

async function age(generationId: string, days: number): Promise<void> {
  await fixture.database.query(
    `UPDATE generation SET completed_at = now() - $2 * interval '1 day' WHERE id = $1`,
    [generationId, days],
  );
}

async function removeImages(generationId: string): Promise<void> {
  const renders = await fixture.database.query<{ id: string }>(
    "SELECT id FROM render WHERE generation_id = $1",
    [generationId],
  );
  await expireImages(
    fixture.database,
    renders.map(({ id }) => id),
  );
}

/** Every text that the database stores about a generation, as JSON. */
async function storedTexts(generationId: string): Promise<string> {
  const rows = await fixture.database.query<{ row: object }>(
    `SELECT to_jsonb(g) AS row FROM generation g WHERE id = $1
     UNION ALL SELECT to_jsonb(r) FROM render r WHERE generation_id = $1
     UNION ALL SELECT to_jsonb(c) FROM provider_call c JOIN render ON render.id = render_id
                WHERE generation_id = $1
     UNION ALL SELECT jsonb_build_object('prompt', terms::text) FROM generation_search
                WHERE generation_id = $1`,
    [generationId],
  );
  return JSON.stringify(rows);
}

describe("redaction", () => {
  it("removes texts of old jobs without kept images, and leaves money and hashes", async () => {
    const accountId = await makeAccount();
    const [old, young, kept] = [
      await complete(accountId),
      await complete(accountId),
      await complete(accountId),
    ];
    const before = await findGeneration(fixture.database, { accountId, generationId: old });
    expect(await storedTexts(old)).toContain("prompt");
    await age(old, 31);
    await age(kept, 31);
    for (const id of [old, young]) await removeImages(id);
    expect(await redactOld()).toBe(1);
    expect(await redactOld()).toBe(0);
    expect(await storedTexts(old)).not.toContain("prompt");
    for (const id of [young, kept]) expect(await storedTexts(id)).toContain("prompt");
    const after = await findGeneration(fixture.database, { accountId, generationId: old });
    expect(after).toMatchObject({ status: "completed", request: {}, metadata: {}, title: null });
    expect(after?.chargedMicroEur).toBe(before?.chargedMicroEur);
    const hashes = (found: typeof before) =>
      found?.renders.flatMap(({ images }) => images.map(({ sha256 }) => sha256));
    expect(hashes(after)).toEqual(hashes(before));
  });

  it("reads each job with kept images once, page by page", async () => {
    const accountId = await makeAccount();
    const before = await redactPages(2);
    const kept: string[] = [];
    for (let job = 0; job < 5; job++) {
      const id = await complete(accountId);
      await age(id, 32);
      kept.push(id);
    }
    const old = await complete(accountId);
    await age(old, 31);
    await removeImages(old);
    const { redacted, pages } = await redactPages(2);
    expect(redacted).toBe(1);
    expect(pages - before.pages).toBeLessThanOrEqual(3);
    expect(await storedTexts(old)).not.toContain("prompt");
    for (const id of kept) expect(await storedTexts(id)).toContain("prompt");
  });

  it("keeps the code of an error and removes its texts", async () => {
    const accountId = await makeAccount();
    const generation = await fixture.accept({ accountId });
    const claim = await fixture.claim(generation.renders[0]);
    await failGeneration(fixture.database, { ...generation, claim, error });
    await age(generation.generationId, 31);
    expect(await redactOld()).toBe(1);
    const { generationId } = generation;
    const found = await findGeneration(fixture.database, { accountId, generationId });
    expect(found?.error).toEqual({
      error: error.error,
      message: "The texts of this job were removed.",
      details: null,
    });
  });

  it("of an account goes page by page over all its final jobs and can be repeated", async () => {
    const accountId = await makeAccount();
    const ids = [await complete(accountId), await complete(accountId), await complete(accountId)];
    for (let run = 1; run <= 2; run++) {
      let after: string | null = null;
      const pages: number[] = [];
      do {
        const page = await listAccountPage(fixture.database, { accountId, after, limit: 2 });
        await redactJobs(fixture.database, page.generationIds);
        pages.push(page.generationIds.length);
        expect(page.recentRenderIds).toHaveLength(page.renderIds.length);
        after = page.next;
      } while (after !== null);
      expect(pages).toEqual([2, 1]);
    }
    for (const id of ids) expect(await storedTexts(id)).not.toContain("prompt");
  });
});
