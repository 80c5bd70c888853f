import { beginErasure } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { quotas, type ChangeJobRequest } from "@atelier/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findGeneration, readDetails } from "../jobs/find.ts";
import { listAmong, searchGenerations } from "../jobs/list.ts";
import { imagePlan, losingResponses, openFixture, type Fixture } from "../testing/fixture.ts";
import { redactAccount } from "../testing/redact-account.ts";
import { changeNote } from "./change-note.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

interface Job {
  readonly accountId: string;
  readonly generationId: string;
}

async function change(
  { accountId, generationId }: Job,
  to: ChangeJobRequest,
  database = fixture.database,
): Promise<void> {
  const target = { owner: { accountId }, generationId, quotaBytes: 0 };
  await changeNote(database, await fixture.callerOf(accountId), target, to);
}

const read = (job: Job) => findGeneration(fixture.database, job);

async function search({ accountId }: Job, filter: object): Promise<string[]> {
  const page = { accountId, beforeId: null, limit: 10, ...filter };
  return (await searchGenerations(fixture.database, page)).map(({ id }) => id);
}

async function listStarred(accountId: string, filter: object = {}): Promise<string[]> {
  const page = { accountId, beforeId: null, limit: 10, starred: true as const, ...filter };
  return (await listAmong(fixture.database, page)).map(({ id }) => id);
}

const notes = ({ accountId }: Job) =>
  fixture.database.query("SELECT FROM job_note WHERE account_id = $1", [accountId]);

it("changes what is named, leaves the rest, and leaves no empty row", async () => {
  const job = await fixture.accept();
  const database = losingResponses(fixture.database);
  expect(await read(job)).toMatchObject({ note: null, book: null });
  const book = { pages: [{ scene: 2, text: "z" }, { scene: 1 }], language: "de" };
  await change(job, { title: "Fox", starred: true, book }, database);
  await change(job, {});
  expect(await read(job)).toMatchObject({ note: { title: "Fox", starred: true }, book });
  expect((await readDetails(fixture.database, [job.generationId])).get(job.generationId)).toEqual(
    expect.objectContaining({ book }),
  );
  await change(job, { starred: false, book: null });
  expect(await read(job)).toMatchObject({ note: { title: "Fox", starred: false }, book: null });
  await change(job, { title: null }, database);
  expect(await read(job)).toMatchObject({ note: null, book: null });
  expect(await notes(job)).toEqual([]);
});

it("makes searches find the changed title instead of the earlier one, with the other terms", async () => {
  const plan = {
    ...imagePlan,
    title: "The harbour",
    request: { prompt: "a red boat" },
    metadata: { order: "1" },
  };
  const job = await fixture.accept({ plan });
  const found = [job.generationId];
  await change(job, { title: "Lighthouse at dusk" });
  for (const q of ["lighthouse", "dusk boat"]) expect(await search(job, { q })).toEqual(found);
  expect(await search(job, { q: "harbour" })).toEqual([]);
  await change(job, { title: "Island" });
  expect(await search(job, { q: "lighthouse" })).toEqual([]);
  const terms = { model: "test-model", operation: "image", metadata: { order: "1" } };
  expect(await search(job, { q: "island red", ...terms })).toEqual(found);
  await change(job, { title: null });
  expect(await search(job, { q: "island" })).toEqual([]);
  expect(await search(job, { q: "harbour", ...terms })).toEqual(found);
});

it("lists starred jobs of an account, newest first, page by page, with other filters", async () => {
  const accountId = await fixture.makeAccount();
  const jobs: Job[] = [];
  for (const prompt of ["a fox", "a boat", "a boat", "a fox"]) {
    jobs.push(await fixture.accept({ accountId, plan: { ...imagePlan, request: { prompt } } }));
  }
  const other = await fixture.accept();
  const starred = [jobs[0], jobs[1], jobs[3]].filter((job) => job !== undefined);
  for (const job of [...starred, other]) await change(job, { starred: true });
  const [first, second, last] = starred.map(({ generationId }) => generationId);
  expect(await listStarred(accountId)).toEqual([last, second, first]);
  expect(await listStarred(accountId, { limit: 1 })).toEqual([last, second]);
  expect(await listStarred(accountId, { beforeId: second })).toEqual([first]);
  expect(await listStarred(accountId, { q: "fox" })).toEqual([last, first]);
  expect(await listStarred(accountId, { status: "failed" })).toEqual([]);
  expect(await listStarred(accountId, { mode: "test" })).toEqual([]);
  expect(await listStarred(accountId, { hash: "0".repeat(64) })).toEqual([]);
});

it("is refused beyond the limit, also with concurrent requests, and for another account", async () => {
  const accountId = await fixture.makeAccount();
  const [first, second] = [
    await fixture.accept({ accountId }),
    await fixture.accept({ accountId }),
  ];
  await fixture.database.query(
    `INSERT INTO job_note (account_id, generation_id, book)
     SELECT $1, gen_random_uuid(), '{}' FROM generate_series(2, $2)`,
    [accountId, quotas.books.live],
  );
  const results = await Promise.allSettled([
    change(first, { book: {} }),
    change(second, { book: {} }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "too_many_items", details: { max_items: quotas.books.live } },
  });
  const kept = results[0]?.status === "fulfilled" ? first : second;
  await change(kept, { book: { cover: 1 } });
  const stranger = { accountId: await fixture.makeAccount(), generationId: first.generationId };
  await expect(change(stranger, { starred: true })).rejects.toMatchObject({
    code: "job_not_found",
  });
  await expect(change({ accountId, generationId: newId() }, {})).rejects.toMatchObject({
    code: "job_not_found",
  });
});

it("loses its texts when the job is redacted, keeps the star, and takes no new text", async () => {
  const accountId = await fixture.makeAccount();
  const [starred, plain] = [
    await fixture.accept({ accountId }),
    await fixture.accept({ accountId }),
  ];
  await change(starred, { title: "Fox", starred: true, book: { cover: 1 } });
  await change(plain, { title: "Fox" });
  await fixture.database.query(
    "UPDATE generation SET status = 'failed', completed_at = now() WHERE account_id = $1",
    [accountId],
  );
  await redactAccount(fixture.database, accountId);
  expect(await read(starred)).toMatchObject({ note: { title: null, starred: true }, book: null });
  expect(await notes(plain)).toHaveLength(1);
  expect(await read(plain)).toMatchObject({ note: null });
  for (const text of [{ title: "Fox" }, { book: {} }]) {
    await expect(change(plain, text)).rejects.toMatchObject({ code: "job_redacted" });
  }
  await change(plain, { starred: true, title: null, book: null });
  expect(await listStarred(accountId)).toHaveLength(2);
});

it("ends with the account", async () => {
  const job = await fixture.accept();
  await change(job, { title: "Fox", starred: true });
  await fixture.database.query("UPDATE account SET unfinished_jobs = 0 WHERE id = $1", [
    job.accountId,
  ]);
  await beginErasure(fixture.database, job.accountId);
  expect(await notes(job)).toEqual([]);
  await expect(change(job, { starred: true })).rejects.toMatchObject({ code: "unauthorized" });
});
