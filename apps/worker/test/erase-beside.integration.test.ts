import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { auditDatabase, auditFiles, fileChecks } from "@atelier/audit";
import { createDatabase, newId, type Database } from "@atelier/database";
import { archiveJobs, createExportedJobs, readArchivedJobs } from "@atelier/generations/archive";
import { eraseAccount, isFullyErased } from "@atelier/generations/erase";
import { listGenerations } from "@atelier/generations/jobs";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage, type Storage } from "@atelier/storage";
import { createLogger, createWorkerMetrics } from "@atelier/telemetry";
import {
  findPlanted,
  killAt,
  pauseAt,
  plantAccount,
  unlessKilled,
  type PlantedAccount,
} from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { keepFiles } from "../src/keeping/keep-files.ts";
import { sweepWithLease } from "../src/sweep/start-sweep.ts";

/** Steps between two interruptions: one when everything is tested, else few enough steps for each change. */
const isFull = process.env["ATELIER_TEST_LANE"] === "full";
const stride = isFull ? 1 : 16;
const shortStride = isFull ? 1 : 8;

const logger = createLogger("test", "silent");
const metrics = createWorkerMetrics({
  certificateExpiresAt: new Date(),
  lanes: [],
  refusalCategories: [],
});
const dayMs = 86_400_000;

let database: Database;
let storage: Storage;
let close: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
  const directory = await mkdtemp(join(tmpdir(), "atelier-beside-"));
  storage = await createStorage({
    url: pathToFileURL(directory).href,
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for tests and long enough",
  });
  close = async () => {
    await storage.close();
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true, force: true });
  };
});

afterAll(() => close());

/** The database and the storage of an operation. */
interface Stores {
  readonly database: Database;
  readonly storage: Storage;
}

/** A month after which no job is archived: the one before ended at least 31 days ago. */
const before = new Date(Date.now() - 31 * dayMs).toISOString().slice(0, 7);

/** Operations that run beside an erasure, each complete. */
const operations: Readonly<
  Record<string, (stores: Stores, scene: PlantedAccount) => Promise<unknown>>
> = {
  archive: (stores) => archiveJobs(stores, { before, withTexts: true, limits: { batchRows: 50 } }),
  async export(stores, { accountId }) {
    const exported = createExportedJobs();
    const page = { accountId, beforeId: null, limit: 100 };
    exported.add((await listGenerations(stores.database, page)).map(({ id }) => id));
    const archived = readArchivedJobs(stores.database, stores.storage, { accountId, exported });
    for await (const job of archived) expect(job.id).toBeDefined();
  },
  sweep: (stores) =>
    sweepWithLease(
      newId(),
      {
        retentionMs: 1,
        jobRetentionMs: 1,
        batchRetentionMs: 1,
        memberRetentionMs: 1,
        dossierRetentionMs: 30 * dayMs,
        intervalMs: 0,
      },
      // Staged files are deleted an hour after they were written.
      { ...stores, logger, metrics, now: () => Date.now() + dayMs / 12 },
      new AbortController().signal,
    ),
  keep: (stores) =>
    keepFiles({ quotaBytes: 1_000_000 }, { ...stores, logger }, () => Promise.resolve(true)),
};

/** Erases the account of a scene. @returns whether the erasure says that it is complete. */
async function erase(stores: Stores, { accountId }: PlantedAccount): Promise<boolean> {
  const { database: on, storage: of } = stores;
  const result = await eraseAccount(on, of, accountId, () => undefined);
  return result.kind === "erased" && isFullyErased(result.erased);
}

const ways = [pauseAt, killAt];

/** Ends the leases of processes that were killed, and copies in progress. */
async function letTimePass(): Promise<void> {
  await database.query("UPDATE recurring_task SET next_turn_at = now()");
  await database.query(
    "UPDATE kept_file SET deleted_at = deleted_at - interval '1 hour' WHERE deleted_at IS NOT NULL",
  );
}

/** Names of the violated invariants that are about erased accounts and what is left of them. */
async function findViolated(): Promise<string[]> {
  const checks = new Set<string>([
    fileChecks.erasures,
    fileChecks.archiveAccounts,
    fileChecks.archiveWithoutRow,
    fileChecks.keptWithoutRow,
  ]);
  return [...(await auditDatabase(database)), ...(await auditFiles(database, storage, 1))]
    .filter(({ violations }) => violations > 0)
    .map(({ invariant }) => invariant)
    .filter((name) => name.startsWith("An erased account has") || checks.has(name));
}

const stores = (): Stores => ({ database, storage });

const search = (scene: PlantedAccount) => findPlanted(stores(), scene);

const pairs = Object.entries(operations).map(([name, run]) => ({ name, run }));

/** Makes the scene of a step. An export reads the archive; others meet it at every second step. */
async function makeSceneOf(name: string, step: number): Promise<PlantedAccount> {
  const scene = await plantAccount({ database, storage });
  if (name === "export" || step % 2 === 1) await operations["archive"]?.(stores(), scene);
  return scene;
}

/** Erases the account, and expects that nothing is left of it, also when the operation follows again. */
async function expectErased(
  { run }: Pick<(typeof pairs)[number], "run">,
  scene: PlantedAccount,
): Promise<void> {
  await letTimePass();
  await erase(stores(), scene);
  // The worker removes files of which a copy was in progress.
  await letTimePass();
  expect(await erase(stores(), scene)).toBe(true);
  expect(await search(scene)).toEqual([]);
  await run(stores(), scene);
  expect(await search(scene)).toEqual([]);
}

describe("an erasure", { timeout: 600_000 }, () => {
  it.each([
    ["before workers go on", ["sweep", "keep"]],
    ["with images that have time left and no dossiers", []],
  ])(
    "that is killed at any step %s leaves nothing or fails the audit a day later, and can be completed",
    async (_case, followers) => {
      const findErased = (id: string) =>
        database.query("SELECT FROM account WHERE id = $1 AND erased_at IS NOT NULL", [id]);
      let isMet = true;
      for (let step = 0; isMet; step += shortStride) {
        const scene = await makeSceneOf("", step);
        if (followers.length === 0) {
          await database.query(
            `DELETE FROM mark USING render JOIN generation ON generation.id = generation_id
            WHERE mark.render_id = render.id AND account_id = $1`,
            [scene.accountId],
          );
        }
        const killed = killAt(stores(), step);
        await unlessKilled(erase(killed.stores, scene));
        isMet = killed.isMet();
        await letTimePass();
        for (const name of followers) await operations[name]?.(stores(), scene);
        await database.query(
          "UPDATE account SET erased_at = erased_at - interval '2 days' WHERE id = $1",
          [scene.accountId],
        );
        const isBegun = (await findErased(scene.accountId)).length > 0;
        const left = isBegun ? await search(scene) : [];
        const violated = left.length > 0 ? await findViolated() : [];
        // The message has what is left.
        expect(violated.length > 0 ? [] : left, `step ${step}`).toEqual([]);
        await expectErased({ run: () => Promise.resolve() }, scene);
        expect(await findViolated()).toEqual([]);
      }
    },
  );

  it("is not complete while a sweep has locked an upload", async () => {
    const scene = await plantAccount(stores());
    const ended = Promise.withResolvers<undefined>();
    const sweeps: Promise<void>[] = [];
    // After the erasure has begun, which waits for locks of uploads.
    const { stores: erasing } = pauseAt(stores(), 1, async () => {
      const locked = Promise.withResolvers<undefined>();
      sweeps.push(
        database.transaction(async (sql) => {
          await sql.query("SELECT FROM upload WHERE account_id = $1 FOR UPDATE", [scene.accountId]);
          locked.resolve(undefined);
          await ended.promise;
        }),
      );
      await locked.promise;
    });
    const result = await eraseAccount(
      erasing.database,
      erasing.storage,
      scene.accountId,
      () => undefined,
    );
    ended.resolve(undefined);
    await Promise.all(sweeps);
    expect(result).toMatchObject({ erased: { filesNotRemoved: 1 } });
    await expectErased({ run: () => Promise.resolve() }, scene);
  });

  it.each(pairs)("leaves nothing when $name runs between its steps", async ({ name, run }) => {
    for (const interrupt of ways) {
      let isMet = true;
      for (let step = 0; isMet; step += stride) {
        const scene = await makeSceneOf(name, step);
        const interrupted = interrupt(
          stores(),
          step,
          async () => void (await run(stores(), scene)),
        );
        await unlessKilled(erase(interrupted.stores, scene));
        isMet = interrupted.isMet();
        await expectErased({ run }, scene);
      }
    }
    expect(await findViolated()).toEqual([]);
  });
});

describe("an account that is erased", { timeout: 600_000 }, () => {
  it.each(pairs)("between the steps of $name leaves nothing", async ({ name, run }) => {
    for (const interrupt of ways) {
      let isMet = true;
      for (let step = 0; isMet; step += stride) {
        const scene = await makeSceneOf(name, step);
        let isDone = false;
        const interrupted = interrupt(stores(), step, async () => {
          isDone = await erase(stores(), scene);
        });
        await unlessKilled(run(interrupted.stores, scene));
        isMet = interrupted.isMet();
        // An erasure that says that it is complete is, whatever the operation does later.
        if (isDone) expect(await search(scene)).toEqual([]);
        await expectErased({ run }, scene);
      }
    }
    expect(await findViolated()).toEqual([]);
  });
});
