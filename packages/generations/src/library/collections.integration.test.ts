import { beginErasure } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { quotas } from "@atelier/schemas";
import type { ChangeCollectionRequest } from "@atelier/schemas/endpoints";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listAmong } from "../jobs/list.ts";
import { imagePlan, losingResponses, openFixture, type Fixture } from "../testing/fixture.ts";
import { changeCollection, createCollection } from "./change-collection.ts";
import { collections } from "./collections.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

async function create(accountId: string, name: string, database = fixture.database) {
  return createCollection(database, await fixture.callerOf(accountId), name);
}

async function change(
  accountId: string,
  id: string,
  to: ChangeCollectionRequest,
  database = fixture.database,
) {
  return changeCollection(database, await fixture.callerOf(accountId), id, to);
}

async function jobsIn(accountId: string, collection: string, filter: object = {}) {
  const page = { accountId, beforeId: null, limit: 10, collection, ...filter };
  return (await listAmong(fixture.database, page)).map(({ id }) => id);
}

const read = (accountId: string, id: string) =>
  collections.find(fixture.database, { accountId, mode: null, id });

const rows = (id: string) =>
  fixture.database.query("SELECT FROM collection_job WHERE collection_id = $1", [id]);

it("has each name once, also when its request runs twice", async () => {
  const accountId = await fixture.makeAccount();
  const database = losingResponses(fixture.database);
  const first = (await create(accountId, "May", database)).collection;
  const [again, other] = await Promise.all([create(accountId, "May"), create(accountId, "June")]);
  expect(again).toEqual({ collection: first, isNew: false });
  expect(first).toMatchObject({ name: "May", jobs: 0, mode: "live" });
  const list = (page: object = {}) =>
    collections.list(fixture.database, {
      accountId,
      mode: "live",
      beforeId: null,
      limit: 10,
      ...page,
    });
  expect(await list()).toEqual([other.collection, first]);
  expect(await list({ limit: 1 })).toEqual([other.collection]);
  expect(await list({ beforeId: other.collection.id })).toEqual([first]);
  expect(await list({ mode: "test" })).toEqual([]);
  await expect(change(accountId, first.id, { name: "June" })).rejects.toMatchObject({
    code: "duplicate_name",
  });
  expect(await change(accountId, first.id, { name: "Spring" })).toMatchObject({ name: "Spring" });
  await expect(change(accountId, newId(), {})).rejects.toMatchObject({
    code: "collection_not_found",
  });
});

it("has each name once, also when an older name has another Unicode form of the same text", async () => {
  const accountId = await fixture.makeAccount();
  const { id } = (await create(accountId, "Cafe\u0301")).collection;
  const again = await create(accountId, "Caf\u00e9");
  expect(again).toMatchObject({ collection: { id, name: "Cafe\u0301" }, isNew: false });
  const other = (await create(accountId, "Bar")).collection;
  await expect(change(accountId, other.id, { name: "Caf\u00e9" })).rejects.toMatchObject({
    code: "duplicate_name",
    details: [{ path: "name", existing_id: id }],
  });
  expect(await change(accountId, id, { name: "Caf\u00e9" })).toMatchObject({ name: "Caf\u00e9" });
});

it("adds and removes jobs of its account, counts them, and lists them with other filters", async () => {
  const accountId = await fixture.makeAccount();
  const accept = async (prompt: string) =>
    (await fixture.accept({ accountId, plan: { ...imagePlan, request: { prompt } } })).generationId;
  const [fox, boat, other] = [await accept("a fox"), await accept("a boat"), await accept("a fox")];
  const { id } = (await create(accountId, "May")).collection;
  const database = losingResponses(fixture.database);
  const added = await change(accountId, id, { add: [fox, boat, fox] }, database);
  expect(added.jobs).toBe(2);
  expect(await change(accountId, id, { add: [boat] })).toMatchObject({ jobs: 2 });
  expect(await jobsIn(accountId, id)).toEqual([boat, fox]);
  expect(await jobsIn(accountId, id, { q: "fox" })).toEqual([fox]);
  expect(await jobsIn(accountId, id, { beforeId: boat })).toEqual([fox]);
  expect(await jobsIn(accountId, id, { starred: true })).toEqual([]);
  const stranger = await fixture.accept();
  for (const missing of [stranger.generationId, newId()]) {
    await expect(change(accountId, id, { add: [other, missing] })).rejects.toMatchObject({
      code: "job_not_found",
      details: [{ path: "add.1" }],
    });
  }
  expect(await jobsIn(stranger.accountId, id)).toEqual([]);
  await expect(change(stranger.accountId, id, {})).rejects.toMatchObject({
    code: "collection_not_found",
  });
  expect(await change(accountId, id, { add: [other], remove: [fox, newId()] })).toMatchObject({
    jobs: 2,
  });
  expect(await jobsIn(accountId, id)).toEqual([other, boat]);
  await collections.remove(database, await fixture.callerOf(accountId), id);
  expect(await read(accountId, id)).toBeNull();
  expect(await rows(id)).toEqual([]);
});

it("is refused beyond the limit, also with concurrent requests", async () => {
  const accountId = await fixture.makeAccount();
  await fixture.database.query(
    `INSERT INTO collection (id, account_id, mode, name)
     SELECT gen_random_uuid(), $1, 'live', 'c' || n FROM generate_series(2, $2) AS n`,
    [accountId, quotas.collections.live],
  );
  const results = await Promise.allSettled([create(accountId, "May"), create(accountId, "June")]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "too_many_items", details: { max_items: quotas.collections.live } },
  });
});

it("ends with the account", async () => {
  const { accountId, generationId } = await fixture.accept();
  const { id } = (await create(accountId, "May")).collection;
  await change(accountId, id, { add: [generationId] });
  await fixture.database.query("UPDATE account SET unfinished_jobs = 0 WHERE id = $1", [accountId]);
  await beginErasure(fixture.database, accountId);
  expect(await read(accountId, id)).toBeNull();
  expect(await rows(id)).toEqual([]);
});
