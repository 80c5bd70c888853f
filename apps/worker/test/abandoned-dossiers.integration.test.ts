import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, newId, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { claimRender, type Claim } from "@atelier/generations/claims";
import { failGeneration, finishRender } from "@atelier/generations/endings";
import { insertTestKey, makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { dossierKey, dossierKeys, dossierPrefix } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { sweepAbandonedDossiers } from "../src/sweep/sweep-abandoned-dossiers.ts";

const hourMs = 3_600_000;
const wanted = { model: "test-model", lane: "test-lane" };
const mark = {
  watermarkId: null,
  perceptualHash: "0".repeat(64),
  parentWatermarks: [],
  synthetic: null,
  hasDossier: true,
};

describe("a sweep of abandoned dossiers", { concurrent: false }, () => {
  let directory: string;
  let testDatabase: TestDatabase;
  let database: Database;
  let storage: Storage;
  const accountId = newId();

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "atelier-dossiers-"));
    testDatabase = await createTestDatabase(inject("postgresUrl"));
    database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
    storage = await createStorage({
      url: `file:${directory}`,
      publicUrl: "http://127.0.0.1:1",
      signingSecret: "a secret that is only for tests and long enough",
    });
    await database.query(
      "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', 10000000)",
      [accountId],
    );
    await insertTestKey(database, accountId);
  });

  afterEach(async () => {
    await storage.close();
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Accepts an image, and claims it so many times; each claim stores a dossier. */
  async function claimed(claims: number): Promise<Claim> {
    const accepted = await acceptGeneration(database, {
      accountId,
      keyId: accountId,
      plan: makeImagePlan(wanted),
      deadlineMs: hourMs,
      maxUnfinishedJobs: 100,
      idempotency: null,
    });
    if (accepted.kind !== "accepted") throw new Error("not accepted");
    let claim: Claim | null = null;
    for (let attempt = 1; attempt <= claims; attempt++) {
      claim = await claimRender(database, accepted.ready[0]!.renderId, wanted.lane);
      if (claim?.attempt !== attempt) throw new Error("not claimed");
      await storage.put(dossierKey(claim), Buffer.from("bytes"), {
        contentType: "application/octet-stream",
      });
    }
    return claim!;
  }

  async function finish(claim: Claim): Promise<void> {
    const images = (["png", "jpeg", "webp"] as const).map((format) => ({
      format,
      storageKey: `renders/${claim.renderId}/${claim.attempt}.${format}`,
      sha256: "0".repeat(64),
      sizeBytes: 5,
      width: 1,
      height: 1,
      flattened: false,
      manifestId: null,
    }));
    await finishRender(database, claim, images, { callId: newId() }, mark);
  }

  const fail = ({ generationId }: Claim) =>
    failGeneration(database, {
      generationId,
      claim: null,
      error: { error: "internal_error", message: "failed", details: [] },
    });

  /** Lets the end of all renders be so many minutes ago. */
  const age = (minutes: number) =>
    database.query("UPDATE render SET finished_at = now() - $1 * interval '1 min'", [minutes]);

  const sweep = (
    options: { readonly pageSize?: number; readonly maxPages?: number; storage?: Storage } = {},
  ) =>
    sweepAbandonedDossiers(
      { settledAfterMs: hourMs, pageSize: 2, maxPages: 10, ...options },
      { database, storage: options.storage ?? storage },
      async () => true,
    );

  async function dossiers(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of storage.list(dossierPrefix)) keys.push(key);
    return keys;
  }

  it("keeps exactly the registered dossiers of renders that ended an hour ago", async () => {
    const [finished, retried, failed] = [await claimed(1), await claimed(3), await claimed(2)];
    await finish(finished);
    await finish(retried);
    await fail(failed);
    const unknown = dossierKey({ renderId: newId(), attempt: 1 });
    await storage.put(unknown, Buffer.from("bytes"), { contentType: "application/octet-stream" });

    await age(59);
    expect(await sweep()).toEqual({ removed: 0, failed: [] });
    expect(await dossiers()).toHaveLength(7);
    await age(61);
    expect(await sweep()).toEqual({ removed: 4, failed: [] });
    expect(await dossiers()).toEqual([dossierKey(finished), dossierKey(retried), unknown]);
  });

  it("continues behind a render whose folder cannot be read, and deletes its dossiers later", async () => {
    const claims = [await claimed(2), await claimed(1)];
    const [unreadable, other] = claims.toSorted((a, b) => (a.renderId < b.renderId ? -1 : 1));
    for (const claim of claims) await fail(claim);
    await age(61);
    const failing: Storage = {
      ...storage,
      async *list(prefix) {
        if (prefix.includes(unreadable!.renderId)) throw new Error("EIO");
        yield* storage.list(prefix);
      },
    };
    const swept = await sweep({ pageSize: 1, storage: failing });
    expect([swept.removed, swept.failed]).toEqual([
      other!.attempt,
      dossierKeys(unreadable!).map((key) => ({ key, reason: "Error: EIO" })),
    ]);
    expect(await dossiers()).toEqual(dossierKeys(unreadable!));
    expect((await sweep()).failed).toEqual([]);
    expect(await dossiers()).toEqual([]);
  });

  it("stops at a render that has not ended, and continues there", async () => {
    const [failed, running, later] = [await claimed(1), await claimed(2), await claimed(1)];
    await fail(failed);
    await fail(later);
    await database.query(
      "UPDATE render SET finished_at = now() - interval '2 h' WHERE finished_at IS NOT NULL",
    );
    expect((await sweep()).removed).toBe(1);
    expect(await dossiers()).toEqual([
      dossierKey({ ...running, attempt: 1 }),
      dossierKey(running),
      dossierKey(later),
    ]);
    await finish(running);
    await age(61);
    expect((await sweep()).removed).toBe(2);
    expect(await dossiers()).toEqual([dossierKey(running)]);
  });

  it("tries the dossiers first that were tried the longest ago", async () => {
    const claims = [await claimed(1), await claimed(1), await claimed(1)];
    for (const claim of claims) await fail(claim);
    await age(61);
    const refusing: Storage = {
      ...storage,
      delete: async (keys) => keys.map((key) => ({ key, reason: "AccessDenied" })),
    };
    const keys = claims.map(dossierKey);
    const failedKeys = async () => {
      // Times are stored in milliseconds, and a sweep can take less.
      await database.query(
        "UPDATE undeleted_dossier SET tried_at = tried_at - interval '1 second'",
      );
      return (await sweep({ storage: refusing })).failed.map(({ key }) => key).toSorted();
    };
    expect(await failedKeys()).toEqual(keys);
    const [first, second, third] = keys;
    expect(await failedKeys()).toEqual([first, second]);
    expect(await failedKeys()).toEqual([first, third]);
    expect(await sweep()).toEqual({ removed: 2, failed: [] });
    expect(await sweep()).toEqual({ removed: 1, failed: [] });
    expect(await dossiers()).toEqual([]);
  });

  it("reads a bounded number of renders, and each of them once", async () => {
    const claims = [await claimed(1), await claimed(1), await claimed(1)];
    for (const claim of claims) await fail(claim);
    await age(61);
    const limits = { pageSize: 1, maxPages: 2 };
    expect((await sweep(limits)).removed).toBe(2);
    expect(await dossiers()).toEqual([dossierKey(claims[2]!)]);
    expect((await sweep(limits)).removed).toBe(1);
    const listed: string[] = [];
    const watched = {
      ...storage,
      list: (prefix: string) => (listed.push(prefix), storage.list(prefix)),
    };
    expect(await sweep({ storage: watched })).toEqual({ removed: 0, failed: [] });
    expect(listed).toEqual([]);
  });

  it("repeats a page after a failure of the storage, and tries a dossier again that it may not delete", async () => {
    const [locked, other] = [await claimed(1), await claimed(1)];
    await fail(locked);
    await fail(other);
    await age(61);
    const unavailable: Storage = {
      ...storage,
      async delete() {
        throw new Error("not now");
      },
    };
    await expect(sweep({ storage: unavailable })).rejects.toThrow("not now");
    const key = dossierKey(locked);
    const refusing: Storage = {
      ...storage,
      async delete(keys) {
        await storage.delete(keys.filter((one) => one !== key));
        return [{ key, reason: "AccessDenied" }];
      },
    };
    expect(await sweep({ storage: refusing })).toEqual({
      removed: 1,
      failed: [{ key, reason: "AccessDenied" }],
    });
    const refused = { removed: 0, failed: [{ key, reason: "AccessDenied" }] };
    expect(await sweep({ storage: refusing })).toEqual(refused);
    expect(await dossiers()).toEqual([key]);
    expect(await sweep()).toEqual({ removed: 1, failed: [] });
    expect(await dossiers()).toEqual([]);
    expect(await sweep({ storage: unavailable })).toEqual({ removed: 0, failed: [] });
  });
});
