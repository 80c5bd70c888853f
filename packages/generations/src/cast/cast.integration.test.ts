import { beginErasure } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { finishRender } from "../endings/finish.ts";
import { giveUpLost } from "../library/give-up-lost.ts";
import { keepRequested } from "../library/keep-job.ts";
import { findFilesToCopy, findKeptToRemove, markCopied } from "../library/kept-files.ts";
import { readKeptUsage } from "../library/reserve.ts";
import { deleteImages, markExpiredImages } from "../retention/retain.ts";
import {
  answer,
  imagePlan,
  imagesOf,
  losingResponses,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "../testing/fixture.ts";
import { changeMember } from "./change-member.ts";
import { createMember } from "./create-member.ts";
import { deleteMember } from "./delete-member.ts";
import { findDrawnMember, findMembers } from "./member.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const retentionMs = 24 * 3_600_000;
const none = { after: "", limit: 1_000 };

/** The files of a job in these tests have 1 byte. */
const quotaBytes = 2;

async function finish({ renders }: AcceptedGeneration, position = 0): Promise<string> {
  const claim = await fixture.claim(renders[position]);
  const images = imagesOf(claim);
  await finishRender(fixture.database, claim, images, answer);
  return images[0]?.storageKey ?? "";
}

interface Job {
  readonly accountId: string;
  readonly generationId: string;
  /** Of its PNG. */
  readonly key: string;
}

async function complete(accountId?: string): Promise<Job> {
  const accepted = await fixture.accept(accountId === undefined ? {} : { accountId });
  return { ...accepted, key: await finish(accepted) };
}

async function keep(
  { accountId, key }: Pick<Job, "accountId" | "key">,
  { id = newId(), database = fixture.database, idempotencyKey = null as string | null } = {},
): Promise<string> {
  const earlier = await createMember(database, await fixture.callerOf(accountId), {
    id,
    kind: "character",
    name: "Mira",
    description: "a girl",
    looks: [{ state: null, description: "a girl", key, path: "reference" }],
    storyJobId: null,
    quotaBytes,
    idempotency:
      idempotencyKey === null ? null : { key: idempotencyKey, requestHash: Buffer.from("hash") },
  });
  return earlier?.id ?? id;
}

async function remove(accountId: string, id: string, database = fixture.database): Promise<void> {
  await deleteMember(database, await fixture.callerOf(accountId), {
    accountId,
    kind: "character",
    id,
  });
}

async function copyAll(): Promise<void> {
  const files = await findFilesToCopy(fixture.database, none);
  await markCopied(
    fixture.database,
    files.map(({ storageKey }) => storageKey),
  );
}

async function read(accountId: string, id: string) {
  return (await findMembers(fixture.database, { accountId, ids: [id] })).get(id);
}

async function expire({ generationId }: Job): Promise<number> {
  await fixture.database.query(
    `WITH moved AS (
       UPDATE image SET created_at = image.created_at - interval '30 h'
         FROM render WHERE render.id = render_id AND generation_id = $1)
     UPDATE generation SET completed_at = completed_at - interval '30 h' WHERE id = $1`,
    [generationId],
  );
  return markExpiredImages(fixture.database, { retentionMs, limit: 100 });
}

it("counts a character once, also when its request runs twice, until it is deleted", async () => {
  const job = await complete();
  const database = losingResponses(fixture.database);
  const id = await keep(job, { database });
  expect(await readKeptUsage(fixture.database, { ...job, mode: "live" })).toBe(1);
  await remove(job.accountId, id, database);
  expect(await readKeptUsage(fixture.database, { ...job, mode: "live" })).toBe(0);
  expect(await read(job.accountId, id)).toBeUndefined();
  await expect(remove(job.accountId, id)).rejects.toMatchObject({ code: "character_not_found" });
});

it("protects the image of a character until it is copied, and needs it no longer then", async () => {
  const job = await complete();
  const id = await keep(job);
  // The other files of the job wait for the one that is being copied.
  expect(await expire(job)).toBe(0);
  expect((await read(job.accountId, id))?.looks[0]?.storageKey).toBe(job.key);
  await copyAll();
  expect(await markExpiredImages(fixture.database, { retentionMs, limit: 100 })).toBe(4);
  expect(await read(job.accountId, id)).toMatchObject({
    status: "kept",
    looks: [{ storageKey: expect.stringMatching(new RegExp(`^kept/${id}/`)) }],
  });
  await expect(keep(job)).rejects.toMatchObject({ code: "reference_unreachable" });
});

it("keeps no more than the quota, with concurrent requests, and one for an idempotency key", async () => {
  const job = await complete();
  const repeated = await Promise.all([
    keep(job, { idempotencyKey: "key" }),
    keep(job, { idempotencyKey: "key" }),
  ]);
  expect(repeated[0]).toBe(repeated[1]);
  const results = await Promise.allSettled([keep(job), keep(job), keep(job)]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: {
      code: "keep_quota_exceeded",
      details: { largest: [{ character_id: expect.any(String) }, expect.any(Object)] },
    },
  });
  expect(await readKeptUsage(fixture.database, { ...job, mode: "live" })).toBe(2);
});

type Change = Parameters<typeof changeMember>[3]["apply"];

async function change(
  accountId: string,
  id: string,
  apply: Change,
  database = fixture.database,
): Promise<void> {
  const target = { accountId, kind: "character", id } as const;
  await changeMember(database, await fixture.callerOf(accountId), target, { apply, quotaBytes });
}

/** A change of the normal look to another image. */
const replaceWith =
  (key: string): Change =>
  (member) => ({
    ...member,
    looks: [{ state: null, description: "a woman", image: { key, path: "reference" } }],
  });

/** A plan whose image has a stored reference. */
function planWith(key: string) {
  const source = { kind: "stored", key, path: "characters.0.character_id" } as const;
  const reference = { role: "character", name: "Mira", description: "a girl", source } as const;
  return {
    ...imagePlan,
    renders: imagePlan.renders.map((render) => ({
      ...render,
      spec: { ...render.spec, references: [reference] },
    })),
  };
}

it("changes its texts and images once, also when the request runs twice", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  await copyAll();
  const [first] = (await read(accountId, id))?.looks ?? [];
  const other = await complete(accountId);
  const database = losingResponses(fixture.database);
  const addState: Change = (member) => ({
    name: "Mira Sol",
    description: member.description,
    looks: [
      ...member.looks.map((look) => ({ ...look, image: null })),
      {
        state: "rain",
        description: "wet",
        image: { key: other.key, path: "states.rain.reference" },
      },
    ],
  });
  await change(accountId, id, addState, database);
  expect(await readKeptUsage(fixture.database, { accountId, mode: "live" })).toBe(2);
  expect(await read(accountId, id)).toMatchObject({
    name: "Mira Sol",
    status: "pending",
    sizeBytes: 2,
    looks: [
      { state: null, storageKey: first?.storageKey },
      { state: "rain", description: "wet", storageKey: other.key },
    ],
  });
  await copyAll();
  expect(await read(accountId, id)).toMatchObject({ status: "kept" });
  await expect(change(accountId, id, addState)).rejects.toMatchObject({
    code: "keep_quota_exceeded",
    details: { used_bytes: 2, required_bytes: 1 },
  });
  await change(
    accountId,
    id,
    ({ looks: [normal], ...texts }) => ({
      ...texts,
      looks: normal === undefined ? [] : [{ ...normal, image: null }],
    }),
    database,
  );
  expect(await read(accountId, id)).toMatchObject({ status: "kept", sizeBytes: 1, looks: [{}] });
  expect(await readKeptUsage(fixture.database, { accountId, mode: "live" })).toBe(1);
  await expect(change(accountId, newId(), addState)).rejects.toMatchObject({
    code: "character_not_found",
  });
});

it("gives an unfinished job the image that it was accepted with, until that is done", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  await copyAll();
  const key = (await read(accountId, id))?.looks[0]?.storageKey ?? "";
  const user = await fixture.accept({ accountId, plan: planWith(key) });
  const other = await complete(accountId);
  await change(accountId, id, replaceWith(other.key));
  expect(await readKeptUsage(fixture.database, { accountId, mode: "live" })).toBe(1);
  await copyAll();
  const own = { ...none, accountId };
  expect(await findKeptToRemove(fixture.database, own)).toEqual([]);
  await finish(user);
  expect(await findKeptToRemove(fixture.database, own)).toEqual([key]);
  await expect(fixture.accept({ accountId, plan: planWith(key) })).rejects.toMatchObject({
    code: "reference_unreachable",
  });
  expect((await read(accountId, id))?.looks).toMatchObject([
    { description: "a woman", storageKey: expect.stringMatching(new RegExp(`^kept/${id}/`)) },
  ]);
});

it("has its new image although the job of that is to be deleted before it is copied", async () => {
  const { accountId, ...first } = await complete();
  const id = await keep({ accountId, ...first });
  await copyAll();
  const other = await complete(accountId);
  await change(accountId, id, replaceWith(other.key));
  await expect(deleteImages(fixture.database, other)).rejects.toMatchObject({
    code: "images_in_use",
  });
  await copyAll();
  expect(await deleteImages(fixture.database, other)).toHaveLength(4);
  expect(await read(accountId, id)).toMatchObject({ status: "kept", sizeBytes: 1 });
});

/** Gives up the files that are to be copied, as a worker does that does not find their sources. */
async function loseAll(itemId: string): Promise<readonly string[]> {
  const files = await findFilesToCopy(fixture.database, none);
  const storageKeys = files.map(({ storageKey }) => storageKey);
  await giveUpLost(fixture.database, { itemId, storageKeys });
  return storageKeys;
}

/** A change that adds a state with an image. */
const addRain =
  (key: string): Change =>
  (member) => ({
    ...member,
    looks: [
      ...member.looks.map((look) => ({ ...look, image: null })),
      { state: "rain", description: "wet", image: { key, path: "states.rain.reference" } },
    ],
  });

it("loses only a new state whose image the storage has lost, and is kept without it", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  await copyAll();
  const [normal] = (await read(accountId, id))?.looks ?? [];
  await change(accountId, id, addRain((await complete(accountId)).key));
  await loseAll(id);
  expect(await read(accountId, id)).toMatchObject({
    status: "kept",
    sizeBytes: 1,
    looks: [{ state: null, storageKey: normal?.storageKey }],
  });
  expect((await read(accountId, id))?.looks).toHaveLength(1);
  expect(await readKeptUsage(fixture.database, { accountId, mode: "live" })).toBe(1);
});

it("keeps its states when the storage has lost its new normal image, until it gets another", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  await change(accountId, id, addRain((await complete(accountId)).key));
  await copyAll();
  const replaceNormal = (key: string): Change => {
    return (member) => ({
      ...member,
      looks: member.looks.map((look) => ({
        ...look,
        image: look.state === null ? { key, path: "reference" } : null,
      })),
    });
  };
  await change(accountId, id, replaceNormal((await complete(accountId)).key));
  await loseAll(id);
  expect(await read(accountId, id)).toMatchObject({
    status: "kept",
    sizeBytes: 1,
    looks: [
      { state: null, description: "a girl", storageKey: null },
      { state: "rain", storageKey: expect.stringMatching(/^kept\//) },
    ],
  });
  await change(accountId, id, replaceNormal((await complete(accountId)).key));
  await copyAll();
  expect(await read(accountId, id)).toMatchObject({
    status: "kept",
    sizeBytes: 2,
    looks: [{ storageKey: expect.stringMatching(/^kept\//) }, { state: "rain" }],
  });
});

it("is refused when the storage has lost all of its images before they were copied", async () => {
  const job = await complete();
  const id = await keep(job);
  await loseAll(id);
  expect(await read(job.accountId, id)).toMatchObject({ status: "refused", sizeBytes: 0 });
  expect(await readKeptUsage(fixture.database, { ...job, mode: "live" })).toBe(0);
});

it("loses nothing for a missing image that was replaced, or copied, since it was missed", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  const missed = await findFilesToCopy(fixture.database, none);
  const storageKeys = missed.map(({ storageKey }) => storageKey);
  const other = await complete(accountId);
  await change(accountId, id, replaceWith(other.key));
  await giveUpLost(fixture.database, { itemId: id, storageKeys });
  expect(await read(accountId, id)).toMatchObject({
    status: "pending",
    looks: [{ storageKey: other.key }],
  });
  await copyAll();
  const [kept] = (await read(accountId, id))?.looks ?? [];
  await giveUpLost(fixture.database, { itemId: id, storageKeys: [kept?.storageKey ?? ""] });
  expect(await read(accountId, id)).toMatchObject({ status: "kept", sizeBytes: 1 });
});

it("can be used and changed at once when an image was moved to another look", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  await change(accountId, id, addRain((await complete(accountId)).key));
  await copyAll();
  const rain = (await read(accountId, id))?.looks[1]?.storageKey ?? "";
  await change(accountId, id, replaceWith(rain));
  expect((await read(accountId, id))?.looks).toMatchObject([{ state: null, storageKey: rain }]);
  const user = await fixture.accept({ accountId, plan: planWith(rain) });
  const second = await keep({ accountId, key: rain });
  await copyAll();
  expect(await read(accountId, second)).toMatchObject({ status: "kept", sizeBytes: 1 });
  const own = { ...none, accountId };
  expect(await findKeptToRemove(fixture.database, own)).not.toContain(rain);
  await finish(user);
  expect(await findKeptToRemove(fixture.database, own)).toContain(rain);
  await expect(fixture.accept({ accountId, plan: planWith(rain) })).rejects.toMatchObject({
    code: "reference_unreachable",
  });
});

it("keeps all changes that are made at the same time, within the quota", async () => {
  const job = await complete();
  const { accountId } = job;
  const id = await keep(job);
  const rename: Change = (member) => ({
    ...member,
    name: "Mira Sol",
    looks: member.looks.map((look) => ({ ...look, image: null })),
  });
  const describe: Change = (member) => ({
    ...member,
    description: "a woman",
    looks: member.looks.map((look) => ({ ...look, description: "a woman", image: null })),
  });
  await Promise.all([change(accountId, id, rename), change(accountId, id, describe)]);
  expect(await read(accountId, id)).toMatchObject({
    name: "Mira Sol",
    description: "a woman",
    status: "pending",
    looks: [{ description: "a woman", storageKey: job.key }],
  });
});

it("is not deleted while an unfinished job uses it", async () => {
  const job = await complete();
  const id = await keep(job);
  await copyAll();
  const key = (await read(job.accountId, id))?.looks[0]?.storageKey ?? "";
  const plan = planWith(key);
  const user = await fixture.accept({ accountId: job.accountId, plan });
  await expect(remove(job.accountId, id)).rejects.toMatchObject({ code: "images_in_use" });
  await finish(user);
  await remove(job.accountId, id);
  const own = { ...none, accountId: job.accountId };
  expect(await findKeptToRemove(fixture.database, own)).toEqual([key]);
  await expect(fixture.accept({ accountId: job.accountId, plan })).rejects.toMatchObject({
    code: "reference_unreachable",
  });
});

it("ends with the account", async () => {
  const job = await complete();
  const id = await keep(job);
  await copyAll();
  await beginErasure(fixture.database, job.accountId);
  expect(await read(job.accountId, id)).toBeUndefined();
  const own = { ...none, accountId: job.accountId };
  expect(await findKeptToRemove(fixture.database, own)).toHaveLength(1);
});

it("is kept when the job that draws it is completed, and refused when that fails", async () => {
  const accountId = await fixture.makeAccount();
  const draw = (id: string) =>
    fixture.accept(
      {
        accountId,
        plan: {
          ...storyPlan,
          renders: storyPlan.renders.slice(0, 1),
          castMember: {
            id,
            kind: "character",
            name: "Otto",
            description: "a sailor",
            looks: [{ state: null, description: "a sailor" }],
          },
        },
      },
      losingResponses(fixture.database),
    );
  const [first, second] = [newId(), newId()];
  const [drawn, failed] = [await draw(first), await draw(second)];
  expect(await findDrawnMember(fixture.database, drawn)).toBe(first);
  expect(await read(accountId, first)).toMatchObject({
    status: "pending",
    looks: [{ storageKey: null }],
  });
  const run = async () => {
    const onError = (error: unknown) => expect.unreachable(String(error));
    const options = { quotaBytes, after: null, limit: 10, onError };
    return (await keepRequested(fixture.database, options)).count;
  };
  expect(await run()).toBe(0);
  await finish(drawn);
  await fixture.database.query(
    "UPDATE generation SET status = 'failed', completed_at = now() WHERE id = $1",
    [failed.generationId],
  );
  expect([await run(), await run()]).toEqual([2, 0]);
  await copyAll();
  expect(await read(accountId, first)).toMatchObject({
    status: "kept",
    sizeBytes: 1,
    looks: [{ storageKey: expect.stringMatching(/^kept\//) }],
  });
  expect(await read(accountId, second)).toMatchObject({ status: "refused", sizeBytes: 0 });
});
