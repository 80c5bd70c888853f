import { createDatabase, newId } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { claimRender, type Claim } from "@atelier/generations/claims";
import { finishRender } from "@atelier/generations/endings";
import { insertTestKey, makeImagePlan, makeRender } from "@atelier/generations/testing";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage, StorageError } from "@atelier/storage";
import { createLogger } from "@atelier/telemetry";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, afterAll, expect, inject, it } from "vitest";
import type { RenderDependencies } from "../dependencies.ts";
import { discardPreviousTurn, readPreviousTurn } from "./kept-turns.ts";
import type { RenderRecord } from "./record-render.ts";
import { discardStaged, findStaged, stage } from "./staging.ts";
import { generate } from "./steps/generate.ts";
import type { ProviderInputs } from "./steps/prepare-inputs.ts";

const lane = "test-lane";
const wanted = { model: "test-model", lane };
const logger = createLogger("test", "silent");
const signal = new AbortController().signal;

async function openWorker() {
  const directory = await mkdtemp(join(tmpdir(), "atelier-turns-"));
  const storage = await createStorage({
    url: `file:${directory}`,
    publicUrl: "http://localhost",
    signingSecret: "a secret of the tests, of some length",
  });
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  const database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  return {
    storage,
    database,
    logger,
    async close() {
      await database.close();
      await testDatabase.drop();
      await rm(directory, { recursive: true });
    },
  };
}

let worker: Awaited<ReturnType<typeof openWorker>>;

beforeAll(async () => {
  worker = await openWorker();
});

afterAll(() => worker.close());

/** Accepts a story of three scenes in sequence, and returns the ids of their renders. */
async function acceptStory(): Promise<readonly string[]> {
  const { database } = worker;
  const accountId = newId();
  await database.query(
    "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', 10000000)",
    [accountId],
  );
  await insertTestKey(database, accountId);
  const { generationId } = await acceptGeneration(database, {
    accountId,
    keyId: accountId,
    plan: {
      ...makeImagePlan(wanted),
      kind: "story",
      operation: "story",
      renders: [
        makeRender("scene", wanted),
        makeRender("scene", wanted, [0]),
        makeRender("scene", wanted, [1]),
      ],
    },
    deadlineMs: 60_000,
    maxUnfinishedJobs: 100,
    idempotency: null,
  });
  const renders = await database.query<{ id: string }>(
    "SELECT id FROM render WHERE generation_id = $1 ORDER BY position",
    [generationId],
  );
  return renders.map(({ id }) => id);
}

async function claim(renderId: string | undefined): Promise<Claim> {
  const claimed = await claimRender(worker.database, renderId ?? "", lane);
  if (claimed === null) throw new Error("there is nothing to claim");
  return claimed;
}

function generatedWith(turn: unknown) {
  const image = { bytes: Buffer.from("image"), mediaType: "image/png" } as const;
  return { callId: newId(), image, turn, svg: null, cost: null };
}

/** Stages an image with a turn and finishes its scene, as the pipeline does. */
async function makeScene(renderId: string | undefined, turn: unknown): Promise<void> {
  const { database, storage } = worker;
  const claimed = await claim(renderId);
  const generated = generatedWith(turn);
  await stage(claimed, generated, storage, logger, signal);
  await finishRender(database, claimed, [], generated);
  await discardStaged(claimed, storage, logger, { keepsTurn: true });
}

async function stagedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of worker.storage.list("staged/")) keys.push(key);
  return keys;
}

it("passes the provider's state to the next scene in storage and keeps one state per story", async () => {
  const [first, second, third] = await acceptStory();
  // Postgres refuses the first of these characters in a row.
  await makeScene(first, { text: "a\0b" });
  const next = await claim(second);
  expect(await readPreviousTurn(next, worker)).toEqual({ text: "a\0b" });

  const generated = generatedWith({ text: "second" });
  await stage(next, generated, worker.storage, logger, signal);
  await finishRender(worker.database, next, [], generated);
  await discardStaged(next, worker.storage, logger, { keepsTurn: true });
  await discardPreviousTurn(next, worker);

  expect(await stagedKeys()).toEqual([`staged/${second}/1/turn.json`]);
  const last = await claim(third);
  expect(await readPreviousTurn(last, worker)).toEqual({ text: "second" });
  await discardPreviousTurn(last, worker);
  expect(await stagedKeys()).toEqual([]);
});

it("passes on the state that the attempt of a killed worker staged", async () => {
  const { database, storage } = worker;
  const [first, second] = await acceptStory();
  const killed = await claim(first);
  const generated = generatedWith({ text: "staged" });
  await stage(killed, generated, storage, logger, signal);

  const resumed = await claim(first);
  const staged = await findStaged(resumed, [generated.callId], storage);
  expect(staged).toMatchObject({ callId: generated.callId, turn: { text: "staged" } });
  await finishRender(database, resumed, [], generated);
  await discardStaged(resumed, storage, logger, { keepsTurn: true });

  const next = await claim(second);
  expect(await readPreviousTurn(next, worker)).toEqual({ text: "staged" });
  await discardPreviousTurn(next, worker);
});

it("reads the state from the row of a scene that version 0.1 finished", async () => {
  const [first, second] = await acceptStory();
  await makeScene(first, null);
  await worker.database.query(`UPDATE render SET turn = '{"text": "old"}' WHERE id = $1`, [first]);
  expect(await readPreviousTurn(await claim(second), worker)).toEqual({ text: "old" });
});

it("continues without a state when its file is lost", async () => {
  const [first, second] = await acceptStory();
  await makeScene(first, { text: "lost" });
  await worker.storage.delete(await stagedKeys());
  expect(await readPreviousTurn(await claim(second), worker)).toBeNull();
});

it("records no call to the provider while the state cannot be read", async () => {
  const [first, second] = await acceptStory();
  await makeScene(first, { text: "unreadable" });
  const next = await claim(second);
  const outage = new StorageError("the storage is unavailable");
  const dependencies = {
    ...worker,
    storage: { ...worker.storage, get: () => Promise.reject(outage) },
    lanes: new Map([
      [lane, { provider: { lostCall: "repeat-blindly" }, pool: null, timeoutMs: 1_000 }],
    ]),
    laneHealth: { permitCall: () => Promise.resolve(null) },
    failpoint: () => undefined,
  } as unknown as RenderDependencies;
  const decision = { moderator: "test", promptHash: Buffer.from("hash") };
  const input = { decision, inputs: {} as ProviderInputs };
  const leave = { signal, allow: () => undefined, forbid: () => undefined };
  const running = { record: {} as RenderRecord, signal, leave };
  await expect(generate(next, input, running, dependencies)).rejects.toBe(outage);
  const calls = "SELECT FROM provider_call WHERE render_id = $1";
  expect(await worker.database.query(calls, [second])).toEqual([]);
});
