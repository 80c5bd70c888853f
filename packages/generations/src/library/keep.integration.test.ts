import { beginErasure, updateAccount } from "@atelier/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishRender } from "../endings/finish.ts";
import { findGeneration } from "../jobs/find.ts";
import { redactOldGenerations } from "../retention/redact.ts";
import { deleteImages, markExpiredImages } from "../retention/retain.ts";
import {
  answer,
  imagePlan,
  imagesOf,
  losingResponses,
  openFixture,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { changeNote } from "./change-note.ts";
import { keepJob, keepRequested, releaseJob } from "./keep-job.ts";
import { findFilesToCopy, findKeptToRemove, forgetKept, markCopied } from "./kept-files.ts";
import { readKeptUsage } from "./reserve.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const retentionMs = 24 * 3_600_000;
const none = { after: "", limit: 1_000 };

/** The files of a job in these tests have 4 bytes. */
const quotaBytes = 4;

async function complete(
  request: Parameters<Fixture["accept"]>[0] = {},
): Promise<AcceptedGeneration> {
  const accepted = await fixture.accept(request);
  await finish(accepted);
  return accepted;
}

async function finish({ renders }: AcceptedGeneration): Promise<void> {
  const claim = await fixture.claim(renders[0]);
  await finishRender(fixture.database, claim, imagesOf(claim), answer);
}

async function keep(
  { accountId, generationId }: AcceptedGeneration,
  database = fixture.database,
): Promise<void> {
  const target = { owner: { accountId }, generationId, quotaBytes };
  await keepJob(database, await fixture.callerOf(accountId), target);
}

async function release({ accountId, generationId }: AcceptedGeneration): Promise<void> {
  const target = { owner: { accountId }, generationId };
  await releaseJob(fixture.database, await fixture.callerOf(accountId), target);
}

/** Records all files that are to be copied as copied, as a worker does. */
async function copyAll(): Promise<number> {
  const files = await findFilesToCopy(fixture.database, none);
  await markCopied(
    fixture.database,
    files.map(({ storageKey }) => storageKey),
  );
  return files.length;
}

const read = ({ accountId, generationId }: AcceptedGeneration) =>
  findGeneration(fixture.database, { accountId, generationId });

const used = ({ accountId }: AcceptedGeneration) =>
  readKeptUsage(fixture.database, { accountId, mode: "live" });

async function expire({ generationId }: AcceptedGeneration): Promise<number> {
  await fixture.database.query(
    `WITH moved AS (
       UPDATE image SET created_at = image.created_at - interval '30 h'
         FROM render WHERE render.id = render_id AND generation_id = $1)
     UPDATE generation SET completed_at = completed_at - interval '30 h' WHERE id = $1`,
    [generationId],
  );
  return markExpiredImages(fixture.database, { retentionMs, limit: 100 });
}

async function isRedacted({ generationId }: AcceptedGeneration): Promise<boolean> {
  const redacted = await fixture.database.query(
    "SELECT FROM generation WHERE id = $1 AND redacted_at IS NOT NULL",
    [generationId],
  );
  return redacted.length > 0;
}

it("keeps the images of a job past their retention, also when the request runs twice", async () => {
  const job = await complete();
  await keep(job, losingResponses(fixture.database));
  expect(await used(job)).toBe(4);
  expect((await read(job))?.keep).toEqual({ status: "pending", sizeBytes: 4 });
  expect(await copyAll()).toBe(4);
  expect(await copyAll()).toBe(0);
  expect((await read(job))?.keep).toEqual({ status: "kept", sizeBytes: 4 });
  expect(await expire(job)).toBe(4);
  const images = (await read(job))?.renders[0]?.images ?? [];
  expect(images).toHaveLength(4);
  for (const image of images) {
    expect(image).toMatchObject({ deleted: false });
    expect(image.storageKey).toMatch(new RegExp(`^kept/${job.generationId}/`));
  }
});

it("does not delete images that are to be copied, however old they are", async () => {
  const job = await complete();
  await keep(job);
  expect(await expire(job)).toBe(0);
  await copyAll();
  expect(await markExpiredImages(fixture.database, { retentionMs, limit: 100 })).toBe(4);
});

it("counts concurrent requests of an account one after another", async () => {
  const accountId = await fixture.makeAccount();
  const jobs = [await complete({ accountId }), await complete({ accountId })];
  const results = await Promise.allSettled(jobs.map((job) => keep(job)));
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toEqual([
    {
      status: "rejected",
      reason: expect.objectContaining({
        code: "keep_quota_exceeded",
        details: {
          used_bytes: 4,
          quota_bytes: 4,
          required_bytes: 4,
          largest: [{ job_id: expect.any(String), size_bytes: 4 }],
        },
      }),
    },
  ]);
  expect(await readKeptUsage(fixture.database, { accountId, mode: "live" })).toBe(4);
});

it("frees the quota at once and removes the files when a job is released", async () => {
  const job = await complete();
  await keep(job);
  await copyAll();
  await expire(job);
  await release(job);
  await release(job);
  expect(await used(job)).toBe(0);
  const released = await read(job);
  expect(released?.keep).toBeNull();
  expect(released?.renders[0]?.images.map(({ deleted }) => deleted)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const keys = await findKeptToRemove(fixture.database, { ...none, accountId: job.accountId });
  expect(keys).toHaveLength(4);
  await forgetKept(fixture.database, keys);
  await expect(keep(job)).rejects.toMatchObject({ code: "file_not_found" });
});

it("removes files that a worker may still be copying only after the longest copy", async () => {
  const job = await complete();
  await keep(job);
  await release(job);
  const own = { ...none, accountId: job.accountId };
  expect(await findKeptToRemove(fixture.database, own)).toEqual([]);
  await fixture.database.query(
    "UPDATE kept_file SET deleted_at = deleted_at - interval '11 min' WHERE account_id = $1",
    [job.accountId],
  );
  expect(await findKeptToRemove(fixture.database, own)).toHaveLength(4);
});

it("keeps an unfinished job when it is completed, or refuses it when the quota is used up", async () => {
  const accountId = await fixture.makeAccount();
  const [first, second, failed] = [
    await fixture.accept({ accountId, plan: { ...imagePlan, isKept: true } }),
    await fixture.accept({ accountId }),
    await fixture.accept({ accountId, plan: { ...imagePlan, isKept: true } }),
  ];
  await keep(second);
  expect((await read(second))?.keep).toEqual({ status: "pending", sizeBytes: 0 });
  const run = async () => {
    const onError = (error: unknown) => expect.unreachable(String(error));
    const options = { quotaBytes, after: null, limit: 10, onError };
    return (await keepRequested(fixture.database, options)).count;
  };
  expect(await run()).toBe(0);
  await finish(first);
  await finish(second);
  await fixture.database.query(
    "UPDATE generation SET status = 'failed', completed_at = now() WHERE id = $1",
    [failed.generationId],
  );
  expect(await run()).toBe(3);
  expect(await run()).toBe(0);
  await copyAll();
  expect((await read(first))?.keep).toEqual({ status: "kept", sizeBytes: 4 });
  expect((await read(second))?.keep).toEqual({ status: "refused", sizeBytes: 0 });
  expect((await read(failed))?.keep).toEqual({ status: "refused", sizeBytes: 0 });
  await release(first);
  await keep(second);
  expect((await read(second))?.keep).toEqual({ status: "pending", sizeBytes: 4 });
});

it("accepts a job with a kept image as a reference, and leaves the file to it", async () => {
  const job = await complete();
  await keep(job);
  await copyAll();
  const key = (await read(job))?.renders[0]?.images[0]?.storageKey ?? "";
  const source = { kind: "stored", key, path: "reference_images.0.url" } as const;
  const reference = { role: "style", name: null, description: "it", source } as const;
  const plan = {
    ...imagePlan,
    renders: imagePlan.renders.map((render) => ({
      ...render,
      spec: { ...render.spec, references: [reference] },
    })),
  };
  const user = await fixture.accept({ accountId: job.accountId, plan });
  await expect(deleteImages(fixture.database, job)).rejects.toMatchObject({
    code: "images_in_use",
  });
  await release(job);
  const own = { ...none, accountId: job.accountId };
  expect(await findKeptToRemove(fixture.database, own)).toHaveLength(3);
  await expect(fixture.accept({ accountId: job.accountId, plan })).rejects.toMatchObject({
    code: "reference_unreachable",
  });
  await finish(user);
  expect(await findKeptToRemove(fixture.database, own)).toHaveLength(4);
});

it("ends with the images of the job, whose quota is freed", async () => {
  const job = await complete();
  await keep(job);
  await copyAll();
  await deleteImages(fixture.database, job);
  expect(await used(job)).toBe(0);
  expect((await read(job))?.renders[0]?.images[0]).toMatchObject({ deleted: true });
});

it("does not redact a job while it is kept", async () => {
  const job = await complete();
  await keep(job);
  await copyAll();
  await expire(job);
  const page = { olderThanMs: retentionMs, after: null, limit: 1_000 };
  await redactOldGenerations(fixture.database, page);
  expect(await isRedacted(job)).toBe(false);
  await release(job);
  await redactOldGenerations(fixture.database, page);
  expect(await isRedacted(job)).toBe(true);
});

it("ends with the account", async () => {
  const job = await complete();
  await keep(job);
  await copyAll();
  await beginErasure(fixture.database, job.accountId);
  expect(await used(job)).toBe(0);
  expect((await read(job))?.keep).toBeNull();
  const own = { ...none, accountId: job.accountId };
  expect(await findKeptToRemove(fixture.database, own)).toHaveLength(4);
  await expect(keep(job)).rejects.toMatchObject({ code: "unauthorized" });
});

describe("a star of an account that keeps what it stars", () => {
  async function keepingAccount(isFinished = true): Promise<AcceptedGeneration> {
    const job = await fixture.accept();
    if (isFinished) await finish(job);
    await updateAccount(fixture.database, job.accountId, { keepStarred: true });
    return job;
  }

  async function note(
    { accountId, generationId }: AcceptedGeneration,
    change: { readonly starred?: boolean; readonly title?: string },
    ofQuota = quotaBytes,
  ): Promise<void> {
    const target = { owner: { accountId }, generationId, quotaBytes: ofQuota };
    const database = losingResponses(fixture.database);
    await changeNote(database, await fixture.callerOf(accountId), target, change);
  }

  it("keeps the images once, and its removal leaves them kept", async () => {
    const job = await keepingAccount();
    await note(job, { title: "Fox" });
    expect(await read(job)).toMatchObject({ keep: null });
    await note(job, { starred: true });
    const usedBytes = await used(job);
    expect(usedBytes).toBeGreaterThan(0);
    await note(job, { starred: true });
    await note(job, { starred: false });
    expect(await read(job)).toMatchObject({
      note: { starred: false },
      keep: { status: "pending" },
    });
    expect(await used(job)).toBe(usedBytes);
  });

  it("is set also when the quota has no room, and the images are marked as refused", async () => {
    const job = await keepingAccount();
    await note(job, { starred: true }, 0);
    expect(await read(job)).toMatchObject({ note: { starred: true }, keep: { status: "refused" } });
    await keep(job);
    expect(await read(job)).toMatchObject({ keep: { status: "pending" } });
  });

  it("keeps the images of an unfinished job when it is completed", async () => {
    const job = await keepingAccount(false);
    await note(job, { starred: true });
    expect(await read(job)).toMatchObject({ keep: { status: "pending" } });
  });

  it("keeps nothing for other accounts", async () => {
    const job = await fixture.accept();
    await finish(job);
    await note(job, { starred: true });
    expect(await read(job)).toMatchObject({ note: { starred: true }, keep: null });
  });
});
