import { newId } from "@atelier/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeNote } from "../library/change-note.ts";
import { redactJobs } from "../retention/redact.ts";
import { imagePlan, openFixture, type Fixture } from "../testing/fixture.ts";
import { insertTestKey } from "../testing/insert-test-key.ts";
import { findGeneration, findGenerations } from "./find.ts";
import { listAmong, searchGenerations } from "./list.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

/** Accepts a job of an account, which changes an image if one is given. */
async function accept(
  accountId: string,
  request: { readonly prompt?: string; readonly image?: object },
  keyId = accountId,
): Promise<string> {
  const { generationId } = await fixture.accept({
    accountId,
    keyId,
    plan: { ...imagePlan, request: { model: "test-model", ...request } },
  });
  return generationId;
}

const change = (accountId: string, of: string, prompt?: string) =>
  accept(accountId, { ...(prompt === undefined ? {} : { prompt }), image: { job_id: of } });

/** The ids of the jobs that a search finds, oldest first. */
async function search(
  accountId: string,
  q: string,
  keyId: string | null = null,
): Promise<string[]> {
  const page = { accountId, keyId, beforeId: null, limit: 100, q };
  const found = await searchGenerations(fixture.database, page);
  return found.map(({ id }) => id).toReversed();
}

async function sourceOf(accountId: string, generationId: string, keyId: string | null = null) {
  const found = await findGeneration(fixture.database, { accountId, generationId, keyId });
  return found?.source;
}

async function complete(...ids: readonly string[]): Promise<void> {
  await fixture.database.query(
    "UPDATE generation SET status = 'failed', completed_at = now() WHERE id = ANY ($1)",
    [ids],
  );
}

async function title(accountId: string, generationId: string, text: string): Promise<void> {
  const caller = await fixture.callerOf(accountId);
  const target = { owner: { accountId }, generationId, quotaBytes: 0 };
  await changeNote(fixture.database, caller, target, { title: text });
}

it("finds changed images by the words of the images before, also behind several changes", async () => {
  const accountId = await fixture.makeAccount();
  const original = await accept(accountId, { prompt: "a boat on a lake" });
  const edited = await change(accountId, original, "make it night");
  const enlarged = await change(accountId, edited);
  const ofFile = await accept(accountId, { image: { upload_id: newId() } });
  expect(await search(accountId, "boat")).toEqual([original, edited, enlarged]);
  expect(await search(accountId, "lak")).toEqual([original, edited, enlarged]);
  expect(await search(accountId, "boat night")).toEqual([edited, enlarged]);
  // The beginning of an exact term of every changed image.
  expect(await search(accountId, "sourc")).toEqual([]);
  expect(await sourceOf(accountId, original)).toBeNull();
  expect(await sourceOf(accountId, ofFile)).toBeNull();
  expect(await sourceOf(accountId, edited)).toEqual({
    jobId: original,
    image: 0,
    text: "a boat on a lake",
  });
  expect(await sourceOf(accountId, enlarged)).toMatchObject({ text: "make it night" });
});

it("names the image before a tool by the one before that, and by its title", async () => {
  const accountId = await fixture.makeAccount();
  const original = await accept(accountId, { prompt: "a boat on a lake" });
  const cutOut = await change(accountId, original);
  const enlarged = await change(accountId, cutOut);
  expect(await sourceOf(accountId, enlarged)).toEqual({
    jobId: cutOut,
    image: 0,
    text: "a boat on a lake",
  });
  await title(accountId, cutOut, "The boat alone");
  expect(await sourceOf(accountId, enlarged)).toMatchObject({ text: "The boat alone" });
});

it("removes the words of a job whose texts are removed from all jobs that were made of it", async () => {
  const accountId = await fixture.makeAccount();
  const original = await accept(accountId, { prompt: "a secretword on a lake" });
  const edited = await change(accountId, original, "make it night");
  const enlarged = await change(accountId, edited);
  await title(accountId, enlarged, "Large");
  expect(await search(accountId, "secretword")).toEqual([original, edited, enlarged]);
  await complete(original);
  await redactJobs(fixture.database, [original]);
  expect(await search(accountId, "secretword")).toEqual([]);
  expect(await search(accountId, "night")).toEqual([edited]);
  expect(await search(accountId, "large")).toEqual([enlarged]);
  expect(await sourceOf(accountId, edited)).toEqual({ jobId: original, image: 0, text: null });
  const left = await fixture.database.query(
    "SELECT FROM generation_search WHERE account_id = $1 AND terms::text ~ 'secretword|source:'",
    [accountId],
  );
  expect(left).toEqual([]);
});

/** The ids of the jobs that have words of another one. */
const withWordsOf = (source: string) =>
  fixture.database.query<{ id: string }>(
    "SELECT generation_id AS id FROM generation_search WHERE terms @@ $1::tsquery",
    [`'source:${source.replaceAll("-", "")}'`],
  );

it("removes the words of a job from one whose acceptance the redaction waits for", async () => {
  const accountId = await fixture.makeAccount();
  const original = await accept(accountId, { prompt: "a secretword on a lake" });
  const edited = await change(accountId, original, "make it night");
  await complete(original);
  let work: readonly Promise<unknown>[] = [];
  await fixture.database.transaction(async (sql) => {
    await sql.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
    const accepting = change(accountId, edited);
    await fixture.untilBlocked("WITH session AS");
    work = [accepting, redactJobs(fixture.database, [original])];
    await fixture.untilBlocked("ORDER BY generation_id FOR UPDATE");
  });
  await Promise.all(work);
  expect(await search(accountId, "secretword")).toEqual([]);
  expect(await withWordsOf(original)).toEqual([]);
});

it("takes no words of a job whose redaction is not yet committed", async () => {
  const accountId = await fixture.makeAccount();
  const original = await accept(accountId, { prompt: "a secretword on a lake" });
  const edited = await change(accountId, original, "make it night");
  await complete(original);
  let accepting: Promise<unknown> = Promise.resolve();
  const transaction: Fixture["database"]["transaction"] = (work) =>
    fixture.database.transaction(async (sql) => {
      const result = await work(sql);
      accepting = change(accountId, edited);
      await Promise.race([accepting, fixture.untilBlocked("WITH session AS")]);
      return result;
    });
  await redactJobs({ ...fixture.database, transaction }, [original]);
  await accepting;
  expect(await search(accountId, "secretword")).toEqual([]);
  expect(await search(accountId, "night")).toHaveLength(2);
  expect(await withWordsOf(original)).toEqual([]);
});

it("takes the words of the nearest images only, so that a long history stays small", async () => {
  const accountId = await fixture.makeAccount();
  let last = await accept(accountId, { prompt: "first" });
  const ids = [last];
  for (let number = 1; number <= 20; number += 1) {
    last = await change(accountId, last, `word${number}`);
    ids.push(last);
  }
  const [longest] = await fixture.database.query<{ terms: number }>(
    "SELECT max(length(terms))::int AS terms FROM generation_search WHERE account_id = $1",
    [accountId],
  );
  expect(longest?.terms).toBeLessThan(24);
  expect((await search(accountId, "first")).length).toBeGreaterThan(8);
  expect(await search(accountId, "word19")).toEqual(ids.slice(19));
});

it("shows no text of a job that the key may not read, and takes no words of another account", async () => {
  const accountId = await fixture.makeAccount();
  const otherKey = newId();
  await insertTestKey(fixture.database, accountId, otherKey);
  const original = await accept(accountId, { prompt: "a boat on a lake" });
  const edited = await accept(accountId, { image: { job_id: original } }, otherKey);
  expect(await sourceOf(accountId, edited, otherKey)).toEqual({
    jobId: original,
    image: 0,
    text: null,
  });
  const ownText = { prompt: "make it night", image: { job_id: original } };
  const withText = await accept(accountId, ownText, otherKey);
  expect(await search(accountId, "boat")).toEqual([original, edited, withText]);
  for (const q of ["boat", "boa", "boat night", "sourc"]) {
    expect(await search(accountId, q, otherKey)).toEqual([]);
  }
  for (const q of ["night", "make nig"]) {
    expect(await search(accountId, q, otherKey)).toEqual([withText]);
  }
  const starred = {
    accountId,
    keyId: otherKey,
    beforeId: null,
    limit: 100,
    starred: true,
  } as const;
  await fixture.database.query(
    "INSERT INTO job_note (account_id, generation_id, starred) VALUES ($1, $2, true)",
    [accountId, withText],
  );
  const found = await listAmong(fixture.database, { ...starred, q: "night" });
  expect(found.map(({ id }) => id)).toEqual([withText]);
  expect(await listAmong(fixture.database, { ...starred, q: "boat" })).toEqual([]);
  const made = await searchGenerations(fixture.database, { ...starred, model: imagePlan.model });
  expect(made.map(({ id }) => id)).toEqual([withText, edited]);
  const stranger = await fixture.makeAccount();
  const stolen = await change(stranger, original);
  expect(await search(stranger, "boat")).toEqual([]);
  expect(await sourceOf(stranger, stolen)).toMatchObject({ text: null });
});

it("reads no texts of changed images for events, whose readers may not read all jobs", async () => {
  const accountId = await fixture.makeAccount();
  const original = await accept(accountId, { prompt: "a boat on a lake" });
  const edited = await change(accountId, original);
  const forEvents = await findGenerations(fixture.database, [edited]);
  expect(forEvents.get(edited)?.source).toEqual({ jobId: original, image: 0, text: null });
  const forAccount = await findGenerations(fixture.database, [edited], { accountId });
  expect(forAccount.get(edited)?.source).toMatchObject({ text: "a boat on a lake" });
});
