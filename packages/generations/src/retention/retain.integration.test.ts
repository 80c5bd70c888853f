import type { GenerationPlan } from "@atelier/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import { failGeneration } from "../endings/fail.ts";
import { finishRender } from "../endings/finish.ts";
import { keepJob } from "../library/keep-job.ts";
import {
  answer,
  error,
  imagePlan,
  imagesOf,
  openFixture,
  type Fixture,
} from "../testing/fixture.ts";
import {
  countEarlierDeletions,
  listAccountRetentions,
  markExpiredOfAccount,
} from "./retain-by-account.ts";
import { markExpiredImages } from "./retain.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const retentionMs = 24 * 3_600_000;
const mark = () => markExpiredImages(fixture.database, { retentionMs, limit: 100 });

/** Stores an image past its retention and returns the key of its PNG. */
async function expiredImage(): Promise<string> {
  const { generationId, renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  const images = imagesOf(claim);
  await finishRender(fixture.database, claim, images, answer);
  await fixture.database.query(
    `WITH moved AS (UPDATE image SET created_at = created_at - interval '30 h' WHERE render_id = $2)
     UPDATE generation SET completed_at = completed_at - interval '30 h' WHERE id = $1`,
    [generationId, claim.renderId],
  );
  return images[0]?.storageKey ?? "";
}

function planWith(key: string): GenerationPlan {
  const path = "reference_images.0.url";
  const source = { kind: "stored", key, path } as const;
  const reference = { role: "style", name: null, description: "the same place", source } as const;
  return {
    ...imagePlan,
    renders: imagePlan.renders.map((render) => ({
      ...render,
      spec: { ...render.spec, references: [reference] },
    })),
  };
}

const deletedImage = {
  code: "reference_unreachable",
  details: [expect.objectContaining({ reason: "gone", path: "reference_images.0.url" })],
};

it("refuses a job whose reference is marked as deleted, before anything is held", async () => {
  const key = await expiredImage();
  expect(await mark()).toBe(4);
  const accountId = await fixture.makeAccount();
  await expect(fixture.accept({ accountId, plan: planWith(key) })).rejects.toMatchObject(
    deletedImage,
  );
  const [account] = await fixture.database.query(
    "SELECT held_micro_eur AS held, unfinished_jobs AS jobs FROM account WHERE id = $1",
    [accountId],
  );
  expect(account).toEqual({ held: 0n, jobs: 0 });
});

it("marks no image of a job whose image is a reference of an accepted job, until that one has ended", async () => {
  const key = await expiredImage();
  const { generationId } = await fixture.accept({ plan: planWith(key) });
  expect(await mark()).toBe(0);
  await failGeneration(fixture.database, { generationId, claim: null, error });
  expect(await mark()).toBe(4);
});

it("marks all images of a job together, so that it is kept with all formats or not at all", async () => {
  const { database } = fixture;
  const { generationId, accountId, renders } = await fixture.accept();
  const claim = await fixture.claim(renders[0]);
  await finishRender(database, claim, imagesOf(claim), answer);
  await database.query(
    `WITH moved AS (UPDATE image SET created_at = created_at - interval '30 h' WHERE render_id = $2)
     UPDATE generation SET completed_at = completed_at - interval '30 h' WHERE id = $1`,
    [generationId, claim.renderId],
  );
  const caller = await fixture.callerOf(accountId);
  const keep = () =>
    keepJob(database, caller, { owner: { accountId }, generationId, quotaBytes: 1_000 });
  // Between two pages of a sweep, of which the first ends within the job.
  expect(await markExpiredImages(database, { retentionMs, limit: 1 })).toBe(4);
  await expect(keep()).rejects.toMatchObject({ code: "file_not_found" });
});

it("skips a job while a job with one of its images is being accepted", async () => {
  const key = await expiredImage();
  await fixture.database.transaction(async (sql) => {
    // The first step of accepting, with its lock held until the commit.
    await sql.query("SELECT FROM image WHERE storage_key = $1 FOR SHARE", [key]);
    expect(await mark()).toBe(0);
  });
  expect(await mark()).toBe(4);
});

it("refuses a job when its reference is marked as deleted while it waits for the lock", async () => {
  const key = await expiredImage();
  const accepted = fixture.database.transaction(async (sql) => {
    await sql.query("UPDATE image SET deleted_at = now() WHERE storage_key = $1", [key]);
    const late = fixture.accept({ plan: planWith(key) });
    // Asserted below; this prevents an unhandled rejection until then.
    late.catch(() => undefined);
    await fixture.untilBlocked("FOR SHARE");
    return { late };
  });
  await expect((await accepted).late).rejects.toMatchObject(deletedImage);
});

it("marks images of an account with a shorter retention, page by page, and no others", async () => {
  const { database } = fixture;
  const [own, other] = [await fixture.makeAccount(), await fixture.makeAccount()];
  await database.query("UPDATE account SET retention_hours = 2 WHERE id = $1", [own]);
  const finish = async (accountId: string, age: string) => {
    const { generationId, renders } = await fixture.accept({ accountId });
    const claim = await fixture.claim(renders[0]);
    await finishRender(database, claim, imagesOf(claim), answer);
    await database.query(
      "UPDATE generation SET completed_at = now() - $2::interval WHERE id = $1",
      [generationId, age],
    );
    return claim.renderId;
  };
  const expired = [await finish(own, "3 h"), await finish(own, "5 h")];
  const kept = [await finish(own, "1 h"), await finish(other, "3 h")];
  const accounts = await listAccountRetentions(database, { after: null, limit: 10 });
  expect(accounts).toEqual([{ accountId: own, retentionMs: 2 * 3_600_000 }]);
  const marked: number[] = [];
  let after: string | null = null;
  do {
    const page = { accountId: own, retentionMs: 2 * 3_600_000, oldestMs: retentionMs, limit: 2 };
    const result = await markExpiredOfAccount(database, { ...page, after });
    marked.push(result.marked);
    after = result.next;
  } while (after !== null);
  expect(marked).toEqual([8, 0]);
  const deleted = await database.query<{ renderId: string }>(
    `SELECT DISTINCT render_id AS "renderId" FROM image
      WHERE deleted_at IS NOT NULL AND render_id = ANY ($1) ORDER BY render_id`,
    [[...expired, ...kept]],
  );
  expect(deleted.map(({ renderId }) => renderId)).toEqual(expired.toSorted());
});

it("counts the images that a shorter retention deletes earlier", async () => {
  const accountId = await fixture.makeAccount();
  const hourMs = 3_600_000;
  for (const hours of [0, 5, 30, 50]) {
    const { generationId, renders } = await fixture.accept({ accountId });
    const claim = await fixture.claim(renders[0]);
    await finishRender(fixture.database, claim, imagesOf(claim), answer);
    await fixture.database.query(
      "UPDATE generation SET completed_at = now() - $2 * interval '1 h' WHERE id = $1",
      [generationId, hours],
    );
  }
  // Without images, nothing is deleted.
  await fixture.accept({ accountId });
  const of = { accountId, currentMs: 40 * hourMs, oldestMs: 64 * hourMs };
  const counted = await countEarlierDeletions(fixture.database, {
    ...of,
    retentionMs: 24 * hourMs,
  });
  expect(counted).toMatchObject({ atOnce: 1, later: 2, isCapped: false });
  const inHours = (at: Date | null) => Math.round(((at?.getTime() ?? 0) - Date.now()) / hourMs);
  expect([inHours(counted.firstAt), inHours(counted.lastAt)]).toEqual([19, 24]);
  const everything = await countEarlierDeletions(fixture.database, { ...of, retentionMs: 0 });
  expect(everything).toMatchObject({ atOnce: 3, later: 0, firstAt: null, lastAt: null });
});
