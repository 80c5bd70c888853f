import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, newId, type Database } from "@atelier/database";
import { acceptGeneration } from "@atelier/generations/accept";
import { storePart } from "@atelier/generations/batches";
import { claimRender, type Claim } from "@atelier/generations/claims";
import { failGeneration, finishRender } from "@atelier/generations/endings";
import { findGeneration } from "@atelier/generations/jobs";
import { insertTestKey, makeImagePlan, makeRender } from "@atelier/generations/testing";
import type { GenerationPlan, ReferenceSpec } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { createLogger, createWorkerMetrics, type WorkerMetrics } from "@atelier/telemetry";
import { createTestDatabase } from "@atelier/local-services";
import { selectCombinations } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { sweepWithLease } from "../src/sweep/start-sweep.ts";

const hourMs = 3_600_000;
const formats = ["png", "jpeg", "webp"] as const;

const s3Url = inject("s3Url");

const storages = [
  {
    name: "files",
    isMissing: false,
    setUp: async () => {
      const directory = await mkdtemp(join(tmpdir(), "atelier-sweep-"));
      return {
        url: `file:${directory}`,
        remove: () => rm(directory, { recursive: true, force: true }),
      };
    },
  },
  {
    name: "S3",
    isMissing: s3Url === null,
    // Other tests share the bucket; this database does not know their renders.
    setUp: async () => ({ url: s3Url ?? "", remove: async () => undefined }),
  },
];

for (const { name, isMissing, setUp } of selectCombinations(storages)) {
  describe.skipIf(isMissing)("with a storage", () => {
    describeSweep(name, setUp);
  });
}

function describeSweep(
  name: string,
  setUp: () => Promise<{ readonly url: string; remove(): Promise<void> }>,
): void {
  describe(`a sweep of ${name}`, { concurrent: false }, () => {
    let place: Awaited<ReturnType<typeof setUp>>;
    let storage: Storage;
    let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
    let database: Database;
    const accountId = newId();
    /** All stored keys, whether they still exist or not. */
    const stored: string[] = [];

    beforeAll(async () => {
      [place, testDatabase] = await Promise.all([
        setUp(),
        createTestDatabase(inject("postgresUrl")),
      ]);
      database = createDatabase({ url: testDatabase.url, poolSize: 4, applicationName: "test" });
      storage = await createStorage({
        url: place.url,
        publicUrl: "http://127.0.0.1:1",
        signingSecret: "a secret that is only for tests and long enough",
      });
      await database.query(
        "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'test', 10000000)",
        [accountId],
      );
      await insertTestKey(database, accountId);
    });

    afterAll(async () => {
      await storage.delete(stored);
      await storage.close();
      await database.close();
      await testDatabase.drop();
      await place.remove();
    });

    beforeEach(async () => {
      await database.query("DELETE FROM recurring_task");
    });

    async function keysUnder(prefix: string): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of storage.list(prefix)) keys.push(key);
      return keys;
    }

    /** Accepts a generation and claims its renders. */
    async function accept(
      plan: GenerationPlan,
    ): Promise<{ generationId: string; claims: Claim[] }> {
      const accepted = await acceptGeneration(database, {
        accountId,
        keyId: accountId,
        plan,
        deadlineMs: hourMs,
        maxUnfinishedJobs: 100,
        idempotency: null,
      });
      if (accepted.kind !== "accepted") throw new Error("not accepted");
      const claims = await Promise.all(
        accepted.ready.map(({ renderId }) => claimRender(database, renderId, wanted.lane)),
      );
      return {
        generationId: accepted.generationId,
        claims: claims.filter((claim) => claim !== null),
      };
    }

    async function put(...keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        stored.push(key);
        await storage.put(key, Buffer.from("bytes"), {
          contentType: key.endsWith(".zst")
            ? "application/octet-stream"
            : `image/${key.slice(key.lastIndexOf(".") + 1)}`,
        });
      }
    }

    const keysOf = ({ renderId, attempt }: Pick<Claim, "renderId" | "attempt">) =>
      formats.map((format) => `renders/${renderId}/${attempt}.${format}`).sort();

    /** Stores the files of a render and finishes it. */
    async function finish(claim: Claim): Promise<void> {
      await put(...keysOf(claim));
      await record(claim);
    }

    async function record(claim: Claim): Promise<void> {
      const images = formats.map((format) => ({
        format,
        storageKey: `renders/${claim.renderId}/${claim.attempt}.${format}`,
        sha256: "0".repeat(64),
        sizeBytes: 5,
        width: 1,
        height: 1,
        flattened: false,
        manifestId: null,
      }));
      await finishRender(database, claim, images, { callId: newId() });
    }

    async function completed(): Promise<{ generationId: string; claim: Claim }> {
      const { generationId, claims } = await accept(anImage);
      const [claim] = claims;
      if (claim === undefined) throw new Error("nothing to claim");
      await finish(claim);
      return { generationId, claim };
    }

    /** Moves the timestamps of a generation and its rows into the past. */
    async function age(generationId: string, hours: number): Promise<void> {
      await database.query(
        `UPDATE generation SET created_at = created_at - $2 * interval '1 hour',
                completed_at = completed_at - $2 * interval '1 hour' WHERE id = $1`,
        [generationId, hours],
      );
      await database.query(
        `UPDATE image SET created_at = created_at - $2 * interval '1 hour'
          WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1)`,
        [generationId, hours],
      );
    }

    const sweep = (
      options: {
        readonly hoursFromNow?: number;
        readonly jobRetentionHours?: number;
        readonly batchRetentionHours?: number;
        readonly storage?: Storage;
        readonly metrics?: WorkerMetrics;
      } = {},
      holder: string = randomUUID(),
      intervalMs = 0,
    ) =>
      sweepWithLease(
        holder,
        {
          retentionMs: 24 * hourMs,
          jobRetentionMs:
            options.jobRetentionHours === undefined ? null : options.jobRetentionHours * hourMs,
          batchRetentionMs:
            options.batchRetentionHours === undefined ? null : options.batchRetentionHours * hourMs,
          memberRetentionMs: 72 * hourMs,
          dossierRetentionMs: 100 * hourMs,
          intervalMs,
        },
        {
          database,
          // Disable lifecycle rules of the store, which these tests do not cover.
          storage: options.storage ?? { ...storage, expireAfterDays: async () => false },
          metrics:
            options.metrics ??
            createWorkerMetrics({
              certificateExpiresAt: new Date(),
              refusalCategories: [],
              lanes: ["builtin"],
            }),
          logger: createLogger("worker", "silent"),
          now: () => Date.now() + (options.hoursFromNow ?? 0) * hourMs,
        },
        new AbortController().signal,
      );

    it("deletes images after their retention and keeps newer ones", async () => {
      const [old, young] = [await completed(), await completed()];
      await age(old.generationId, 25);
      await age(young.generationId, 23);
      await sweep();
      expect(await keysUnder(`renders/${old.claim.renderId}/`)).toEqual([]);
      expect(await keysUnder(`renders/${young.claim.renderId}/`)).toEqual(keysOf(young.claim));

      const find = ({ generationId }: { generationId: string }) =>
        findGeneration(database, { accountId, generationId });
      const images = (await find(old))?.renders[0]?.images ?? [];
      expect(images.map(({ deleted, sha256 }) => ({ deleted, sha256 }))).toEqual(
        formats.map(() => ({ deleted: true, sha256: "0".repeat(64) })),
      );
      expect((await find(young))?.renders[0]?.images.map(({ deleted }) => deleted)).toEqual([
        false,
        false,
        false,
      ]);
    });

    it("deletes images of an account with a shorter retention earlier", async () => {
      const [old, young] = [await completed(), await completed()];
      await age(old.generationId, 3);
      await age(young.generationId, 1);
      const change = "UPDATE account SET retention_hours = $2 WHERE id = $1";
      await database.query(change, [accountId, 2]);
      await sweep();
      await database.query(change, [accountId, null]);
      expect(await keysUnder(`renders/${old.claim.renderId}/`)).toEqual([]);
      expect(await keysUnder(`renders/${young.claim.renderId}/`)).toEqual(keysOf(young.claim));
    });

    it("removes members who were disabled longer ago than their retention", async () => {
      const keyId = newId();
      await insertTestKey(database, accountId, keyId);
      await database.query(
        "INSERT INTO member (id, account_id, key_id, name, role) VALUES ($1, $2, $1, 'Mira', 'maker')",
        [keyId, accountId],
      );
      const left = async (hoursAgo: number) => {
        await database.query(
          "UPDATE api_key SET revoked_at = now() - $2 * interval '1 hour' WHERE id = $1",
          [keyId, hoursAgo],
        );
        await sweep();
        return database.query("SELECT name FROM member WHERE key_id = $1", [keyId]);
      };
      expect(await left(71)).toEqual([{ name: "Mira" }]);
      expect(await left(73)).toEqual([]);
    });

    it("removes requests of old jobs once their images are deleted", async () => {
      const [old, young] = [await completed(), await completed()];
      await age(old.generationId, 50);
      await age(young.generationId, 47);
      await sweep({ jobRetentionHours: 48 });
      const redacted = await database.query<{ id: string }>(
        "SELECT id FROM generation WHERE redacted_at IS NOT NULL AND request = '{}' AND id = ANY ($1)",
        [[old.generationId, young.generationId]],
      );
      expect(redacted).toEqual([{ id: old.generationId }]);
    });

    it("keeps the images of a job while a running job references one of them", async () => {
      const old = await completed();
      const [png = ""] = keysOf(old.claim).filter((key) => key.endsWith(".png"));
      const [render] = anImage.renders;
      if (render === undefined) throw new Error("nothing to make");
      const reference: ReferenceSpec = {
        role: "style",
        name: null,
        description: "the same place",
        source: { kind: "stored", key: png, path: "reference_images.0.url" },
      };
      const spec = { ...render.spec, references: [reference] };
      const next = await accept({ ...anImage, renders: [{ ...render, spec }] });
      const before = await keysUnder(`renders/${old.claim.renderId}/`);
      await age(old.generationId, 25);
      await sweep();
      expect(await keysUnder(`renders/${old.claim.renderId}/`)).toEqual(before);
      await Promise.all(next.claims.map(finish));
      await sweep();
      expect(await keysUnder(`renders/${old.claim.renderId}/`)).toEqual([]);
    });

    it("never deletes images of a running story", async () => {
      const { generationId, claims } = await accept(aStory);
      const [portrait] = claims;
      if (portrait === undefined) throw new Error("nothing to claim");
      await finish(portrait);
      const staged = `staged/${portrait.renderId}/1/image.png`;
      const abandoned = `renders/${portrait.renderId}/9.png`;
      await put(staged, abandoned);
      await age(generationId, 100);
      await sweep({ hoursFromNow: 100 });
      const kept = [...keysOf(portrait), abandoned];
      expect(await keysUnder(`renders/${portrait.renderId}/`)).toEqual(kept);
      expect(await keysUnder(`staged/${portrait.renderId}/`)).toEqual([staged]);

      const error = { error: "provider_error", message: "It went wrong.", details: null } as const;
      await failGeneration(database, { generationId, claim: null, error });
      await age(generationId, 100);
      await sweep({ hoursFromNow: 100 });
      expect(await keysUnder(`renders/${portrait.renderId}/`)).toEqual([]);
      expect(await keysUnder(`staged/${portrait.renderId}/`)).toEqual([]);
    });

    it("continues after a sweep that was killed", async () => {
      const both = [await completed(), await completed()];
      for (const { generationId } of both) await age(generationId, 30);
      const failingStorage: Storage = {
        ...storage,
        async delete(keys) {
          await storage.delete(keys.slice(0, 4));
          throw new Error("killed");
        },
      };
      await expect(sweep({ storage: failingStorage })).rejects.toThrow("killed");
      const left = await Promise.all(
        both.map(({ claim }) => keysUnder(`renders/${claim.renderId}/`)),
      );
      expect(left.flat()).toHaveLength(2);

      expect(await sweep()).toBe(true);
      for (const { generationId, claim } of both) {
        expect(await keysUnder(`renders/${claim.renderId}/`)).toEqual([]);
        const found = await findGeneration(database, { accountId, generationId });
        expect(found?.renders[0]?.images.every(({ deleted }) => deleted)).toBe(true);
      }
    });

    it("continues past a file that can't be deleted, reports it and retries it", async () => {
      const all = [];
      // More than one page: each image has three files.
      for (let image = 0; image < 70; image++) {
        const { claims } = await accept(anImage);
        for (const claim of claims) {
          await record(claim);
          await age(claim.generationId, 25);
          all.push(claim);
        }
      }
      const [first] = all;
      if (first === undefined) throw new Error("nothing was accepted");
      const locked = `renders/${first.renderId}/${first.attempt}.jpeg`;
      const asked = new Set<string>();
      const failing: Storage = {
        ...storage,
        expireAfterDays: async () => false,
        async delete(keys) {
          for (const key of keys) asked.add(key);
          return keys.includes(locked) ? [{ key: locked, reason: "AccessDenied" }] : [];
        },
      };
      const metrics = createWorkerMetrics({
        certificateExpiresAt: new Date(),
        refusalCategories: [],
        lanes: [],
      });
      await sweep({ storage: failing, metrics });
      expect(all.flatMap(keysOf).filter((key) => !asked.has(key))).toEqual([]);
      expect((await metrics.scrape()).text).toMatch(
        /atelier_unswept_files_total\{kind="image"\} 1\n/,
      );
      const pendingRemovals = () =>
        database.query(
          "SELECT storage_key AS key FROM image WHERE deleted_at IS NOT NULL AND removed_at IS NULL",
        );
      expect(await pendingRemovals()).toEqual([{ key: locked }]);
      await sweep();
      expect(await pendingRemovals()).toEqual([]);
    });

    it("runs its other parts when one of them fails", async () => {
      const { claim, generationId } = await completed();
      await age(generationId, 25);
      const staged = `staged/${claim.renderId}/1/image.png`;
      await put(staged);
      const failing: Storage = {
        ...storage,
        expireAfterDays: async () => false,
        async delete(keys) {
          if (keys.some((key) => key.startsWith("renders/"))) throw new Error("not now");
          return storage.delete(keys);
        },
      };
      await expect(sweep({ storage: failing, hoursFromNow: 2 })).rejects.toThrow("not now");
      expect(await storage.get(staged)).toBeNull();
    });

    it("deletes staged and orphaned files once they are old enough", async () => {
      const { claim } = await completed();
      const orphan = `renders/${claim.renderId}/7.png`;
      const staged = [
        `staged/${claim.renderId}/1/image.png`,
        `staged/${claim.renderId}/2/image.png`,
      ];
      await put(orphan, ...staged);
      await sweep();
      expect(await keysUnder(`staged/${claim.renderId}/`)).toEqual(staged);
      await sweep({ hoursFromNow: 2 });
      expect(await keysUnder(`staged/${claim.renderId}/`)).toEqual([]);
      expect(await keysUnder(`renders/${claim.renderId}/`)).toEqual([...keysOf(claim), orphan]);
      await sweep({ hoursFromNow: 25 });
      // Its images are recorded and recent by the database's clock.
      expect(await keysUnder(`renders/${claim.renderId}/`)).toEqual(keysOf(claim));
    });

    it("deletes dossiers after their own retention, and forgets them", async () => {
      const { claim } = await completed();
      await database.query("UPDATE mark SET dossier_attempt = 2 WHERE render_id = $1", [
        claim.renderId,
      ]);
      const dossiers = [`dossiers/${claim.renderId}/1.zst`, `dossiers/${claim.renderId}/2.zst`];
      const unrelated = `dossiers/${newId()}/1.zst`;
      await put(...dossiers, unrelated);
      const attempts = () =>
        database.query("SELECT dossier_attempt FROM mark WHERE render_id = $1", [claim.renderId]);
      await sweep({ hoursFromNow: 99 });
      expect(await keysUnder(`dossiers/${claim.renderId}/`)).toEqual(dossiers);
      expect(await attempts()).toEqual([{ dossier_attempt: 2 }]);
      await sweep({ hoursFromNow: 101 });
      expect(await keysUnder(`dossiers/${claim.renderId}/`)).toEqual([]);
      expect(await attempts()).toEqual([{ dossier_attempt: null }]);
      expect(await storage.get(unrelated)).not.toBeNull();
    });

    it("leaves orphans to the store's own expiry rules, which spare references until the longest deadline", async () => {
      const { claim } = await completed();
      const orphan = `renders/${claim.renderId}/7.png`;
      await put(orphan);
      const asked: unknown[] = [];
      const capable: Storage = {
        ...storage,
        async expireAfterDays(prefixes, days) {
          asked.push({ prefixes, days });
          return true;
        },
      };
      await sweep({ hoursFromNow: 25, storage: capable });
      // The retention of a day, a day for the job that made the file and one for a job that refers to it,
      // and one more: stores count in days, and the sweep must come first.
      expect(asked).toEqual([{ prefixes: ["renders/", "staged/"], days: 4 }]);
      expect(await storage.get(orphan)).not.toBeNull();
    });

    it("ignores files of other installations", async () => {
      const unrelatedKeys = [
        `renders/${newId()}/1.png`,
        `renders/readme-${randomUUID()}.png`,
        `staged/${newId()}/1/image.png`,
      ];
      await put(...unrelatedKeys);
      await sweep({ hoursFromNow: 100 });
      for (const key of unrelatedKeys) expect(await storage.get(key)).not.toBeNull();
    });

    it("deletes lines of a batch that was never created, after an hour", async () => {
      const [lost, kept, arriving] = [newId(Date.now() - 2 * hourMs), newId(0), newId()];
      await database.query(
        `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at) VALUES ($1, $2, $2, 1, now())`,
        [kept, accountId],
      );
      for (const id of [lost, kept, arriving]) {
        await storePart(database, id, { firstLine: 1, lastLine: 1, lines: Buffer.from("{}\n") });
      }
      await sweep();
      const left = await database.query<{ id: string }>(
        "SELECT owner_id AS id FROM request_part ORDER BY owner_id",
      );
      expect(left.map(({ id }) => id)).toEqual([kept, arriving]);
    });

    it("removes the webhook URLs of batches ten days after their end, and batches after their retention", async () => {
      const [unfinished, recent, old] = [newId(0), newId(1), newId(2)];
      const days: readonly (readonly [string, number | null])[] = [
        [unfinished, null],
        [recent, 9],
        [old, 11],
      ];
      for (const [id, endedDaysAgo] of days) {
        await database.query(
          `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at, webhook_url, status, completed_at)
           SELECT $1, $2, $2, 0, now(), 'https://example.com/?token=secret',
                  CASE WHEN $3::int IS NULL THEN 'processing' ELSE 'completed' END::batch_status,
                  now() - $3 * interval '1 day'`,
          [id, accountId, endedDaysAgo],
        );
      }
      const read = () =>
        database.query<{ id: string; hasUrl: boolean }>(
          `SELECT id, webhook_url IS NOT NULL AS "hasUrl" FROM batch WHERE id = ANY ($1) ORDER BY id`,
          [[unfinished, recent, old]],
        );
      await sweep();
      expect(await read()).toEqual([
        { id: unfinished, hasUrl: true },
        { id: recent, hasUrl: true },
        { id: old, hasUrl: false },
      ]);
      await sweep({ batchRetentionHours: 10 * 24 });
      expect((await read()).map(({ id }) => id)).toEqual([unfinished, recent]);
    });

    it("is run by one worker at a time and by the next one after an interval", async () => {
      const turns = await Promise.all([
        sweep({}, randomUUID(), hourMs),
        sweep({}, randomUUID(), hourMs),
      ]);
      expect(turns.sort()).toEqual([false, true]);
      expect(await sweep()).toBe(false);
      await database.query("UPDATE recurring_task SET next_turn_at = now()");
      expect(await sweep()).toBe(true);
    });
  });
}

const wanted = { model: "test-model", lane: "test-lane" };
const anImage = makeImagePlan(wanted);

/** Two portraits and a scene that depends on them. */
const aStory: GenerationPlan = {
  ...anImage,
  kind: "story",
  renders: [
    makeRender("portrait", wanted),
    makeRender("portrait", wanted),
    makeRender("scene", wanted, [0, 1]),
  ],
};
