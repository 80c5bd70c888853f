import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createKey } from "@atelier/accounts";
import { auditDatabase } from "@atelier/audit";
import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { dossierKey, dossierKeys, renderIdOf, stagedKey, uploadKey } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { fillHistory } from "@atelier/testing";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { runInTest } from "./testing/run-in-test.ts";

const secret = "a secret that is only for tests and long enough";

let testDatabase: TestDatabase;
let database: Database;
let storage: Storage;
let directory: string;
let own: string;
let other: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 3, applicationName: "test" });
  directory = await mkdtemp(join(tmpdir(), "atelier-erase-"));
  storage = await createStorage({
    url: pathToFileURL(directory).href,
    publicUrl: "http://localhost",
    signingSecret: secret,
  });
  const accounts = await fillHistory(database, {
    accounts: 2,
    generations: 1_200,
    imagesKept: true,
  });
  [own = "", other = ""] = accounts;
  await database.query("UPDATE account SET name = 'Jane Doe' WHERE id = $1", [own]);
  await createKey(database, { accountId: own, name: "Jane's laptop", pepper: secret });
  await database.query(
    `WITH hook AS (
       INSERT INTO webhook (id, account_id, url, events, secret)
       VALUES (uuidv7(), $1, 'https://jane.example/hook', '{job.completed}', 'secret') RETURNING id
     ), requested AS (
       INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
       SELECT uuidv7(), id, 'https://jane.example/?name=Jane', '{}' FROM hook
     ), account_secret AS (
       INSERT INTO webhook_secret (account_id, secret) VALUES ($1, 'jane')
     ), test_secret AS (
       INSERT INTO test_webhook_secret (account_id, secret) VALUES ($1, 'jane')
     )
     INSERT INTO webhook_delivery (webhook_id, event_id, type) SELECT id, 1, 'webhook.test' FROM hook`,
    [own],
  );
  // A webhook and a receiver that were deleted, whose deliveries and URLs are kept for days.
  await database.query(
    `WITH ended AS (
       SELECT id FROM generation WHERE account_id = $1 AND completed_at IS NOT NULL ORDER BY id DESC LIMIT 1
     ), requested AS (
       INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
       SELECT id, uuidv7(), 'https://jane.example/?name=Jane', '{}' FROM ended
     )
     INSERT INTO webhook_delivery (webhook_id, event_id, generation_id, type, error)
     SELECT uuidv7(), 2, id, 'job.failed', 'jane.example does not respond' FROM ended`,
    [own],
  );
  for (const accountId of accounts) {
    for (const key of await keysOf(accountId, 20)) {
      await storage.put(key, Buffer.from("image"), { contentType: "image/png" });
    }
  }
});

afterEach(async () => {
  await storage.close();
  await database.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true, force: true });
});

async function keysOf(accountId: string, limit: number): Promise<string[]> {
  const images = await database.query<{ key: string }>(
    `SELECT storage_key AS key FROM image JOIN render ON render.id = render_id
       JOIN generation ON generation.id = generation_id
      WHERE account_id = $1 AND format = 'png' ORDER BY render_id LIMIT $2`,
    [accountId, limit],
  );
  return images.map(({ key }) => key);
}

/** Makes a render a graphic with an SVG and a thumbnail, adds an upload, and returns the keys of their files. */
async function addDrawingAndUpload(renderId: string): Promise<string[]> {
  await database.query(
    `WITH drawn AS (
       UPDATE render SET spec = spec || '{"task": {"kind": "graphic"}}' WHERE id = $1::uuid RETURNING generation_id
     )
     UPDATE generation SET operation = 'graphic' FROM drawn WHERE generation.id = generation_id`,
    [renderId],
  );
  await database.query(
    `INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height)
     SELECT $1::uuid, format::image_format, 'renders/' || $1::uuid || '/1.' || name, repeat('0', 64), 5, 1, 1
       FROM (VALUES ('svg', 'svg'), ('thumbnail', 'thumbnail.webp')) AS files (format, name)`,
    [renderId],
  );
  const uploadId = newId();
  const upload = uploadKey(uploadId, "png");
  await database.query(
    `INSERT INTO upload (id, account_id, key_id, size_bytes, storage_key, format, sha256, width, height, expires_at)
     VALUES ($1::uuid, $2::uuid, $2::uuid, 5, $3::text, 'png', repeat('0', 64), 1, 1, now() + interval '1 day')`,
    [uploadId, own, upload],
  );
  const types = {
    [`renders/${renderId}/1.svg`]: "image/svg+xml",
    [`renders/${renderId}/1.thumbnail.webp`]: "image/webp",
    [upload]: "image/png",
  };
  for (const [key, contentType] of Object.entries(types)) {
    await storage.put(key, Buffer.from("bytes"), { contentType });
  }
  return Object.keys(types);
}

/** Stores dossiers of two attempts at a render of an account, and returns their keys. */
async function addDossiers(accountId: string): Promise<string[]> {
  const [image] = await database.query<{ key: string }>(
    `SELECT storage_key AS key FROM image JOIN render ON render.id = render_id
       JOIN generation ON generation.id = generation_id WHERE account_id = $1 LIMIT 1`,
    [accountId],
  );
  const renderId = renderIdOf(image?.key ?? "");
  await database.query("UPDATE render SET attempt = 2 WHERE id = $1", [renderId]);
  const keys = dossierKeys({ renderId, attempt: 2 });
  for (const key of keys) {
    await storage.put(key, Buffer.from("bytes"), { contentType: "application/octet-stream" });
  }
  return keys;
}

const environment = () => ({
  DATABASE_URL: testDatabase.url,
  STORAGE_URL: pathToFileURL(directory).href,
});

async function erase(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return runInTest(["accounts", "erase", own, ...args], environment());
}

async function countJobs(accountId: string) {
  const [count] = await database.query<{ all: number; redacted: number; kept: number }>(
    `SELECT count(*)::int AS "all", count(redacted_at)::int AS redacted,
            (SELECT count(*)::int FROM image JOIN render ON render.id = render_id
               JOIN generation ON generation.id = generation_id
              WHERE account_id = $1 AND removed_at IS NULL) AS kept
       FROM generation WHERE account_id = $1`,
    [accountId],
  );
  return count;
}

/** Everything that remains of the account: its rows, as text. */
async function remains(): Promise<string> {
  const rows = await database.query(
    `SELECT to_jsonb(a) FROM account a WHERE id = $1
     UNION ALL SELECT to_jsonb(k) FROM api_key k WHERE account_id = $1
     UNION ALL SELECT to_jsonb(w) FROM webhook w WHERE account_id = $1
     UNION ALL SELECT jsonb_build_object('jane', d.type) FROM webhook_delivery d
     UNION ALL SELECT to_jsonb(u) FROM generation_webhook u
     UNION ALL SELECT jsonb_build_object('jane', s.account_id) FROM webhook_secret s
     UNION ALL SELECT jsonb_build_object('jane', s.account_id) FROM test_webhook_secret s
     UNION ALL SELECT to_jsonb(g) FROM generation g WHERE account_id = $1
     UNION ALL SELECT to_jsonb(r) FROM render r JOIN generation ON generation.id = generation_id
                WHERE account_id = $1`,
    [own],
  );
  return JSON.stringify(rows);
}

async function expectErased(): Promise<void> {
  const count = await countJobs(own);
  expect(count).toEqual({ all: count?.all, redacted: count?.all, kept: 0 });
  const text = await remains();
  for (const personal of ["Jane", "jane", "lighthouse", "prompt"])
    expect(text).not.toContain(personal);
  for (const key of await keysOf(own, 20)) expect(await storage.get(key)).toBeNull();
  const broken = (await auditDatabase(database)).filter(({ violations }) => violations > 0);
  expect(broken).toEqual([]);
}

describe("accounts erase", { timeout: 120_000 }, () => {
  it("removes texts, names and files of one account, and keeps its ledger and hashes", async () => {
    const ledger = () =>
      database.query("SELECT * FROM ledger_transfer WHERE account_id = $1 ORDER BY id", [own]);
    const hashes = () => database.query("SELECT sha256 FROM image ORDER BY render_id, format");
    const [render] = await database.query<{ id: string }>(
      `UPDATE generation SET completed_at = now() FROM render
        WHERE generation_id = generation.id AND generation.id =
              (SELECT id FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1)
       RETURNING render.id`,
      [own],
    );
    const staged = stagedKey({ renderId: render?.id ?? "", attempt: 1 }, "image");
    await storage.put(staged, Buffer.from("bytes"), { contentType: "application/octet-stream" });

    const others = [...(await addDrawingAndUpload(render?.id ?? "")), ...(await addDossiers(own))];
    const [otherDossier = ""] = await addDossiers(other);
    const [transfers, sums] = [await ledger(), await hashes()];

    expect((await erase()).code).toBe(1);
    expect(await remains()).toContain("Jane Doe");
    const { code, stdout, stderr } = await erase("--yes", "--json");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ account_id: own, images_in_use: 0 });
    await expectErased();
    expect(await storage.get(staged)).toBeNull();
    for (const key of others)
      expect({ key, file: await storage.get(key) }).toEqual({ key, file: null });
    expect(await database.query("SELECT FROM upload WHERE account_id = $1", [own])).toEqual([]);
    expect(await ledger()).toEqual(transfers);
    expect(await hashes()).toEqual(sums);
    expect(await storage.get(otherDossier)).not.toBeNull();
    expect(await countJobs(other)).toMatchObject({ redacted: 0 });
    for (const key of await keysOf(other, 20)) expect(await storage.get(key)).not.toBeNull();
  });

  it("finishes when it is run again after it was killed", { tags: "full" }, async () => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL("main.ts", import.meta.url)), "accounts", "erase", own, "--yes"],
      {
        env: { PATH: process.env["PATH"], ATELIER_ENV_FILE: "/dev/null", ...environment() },
        stdio: "ignore",
      },
    );
    await vi.waitUntil(async () => ((await countJobs(own))?.redacted ?? 0) > 0, {
      timeout: 60_000,
      interval: 1,
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await erase("--yes")).code).toBe(0);
    await expectErased();
  });

  it("leaves dossiers that cannot be deleted to the sweep", async () => {
    const keys = await addDossiers(own);
    const folder = join(directory, dirname(keys[0] ?? ""));
    await rm(folder, { recursive: true });
    // A link to itself: no path below it can be resolved.
    await symlink(folder, folder);
    const { code, stdout } = await erase("--yes", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { files_not_removed: 2 }]);
    const left = await database.query<{ renderId: string; attempt: number }>(
      `SELECT render_id AS "renderId", attempt FROM undeleted_dossier ORDER BY attempt`,
    );
    expect(left.map(dossierKey)).toEqual(keys);
    await rm(folder);
  });

  it("changes nothing when the storage cannot be reached", async () => {
    const unreachable = {
      DATABASE_URL: testDatabase.url,
      STORAGE_URL: pathToFileURL(join(directory, "missing")).href,
    };
    const { code } = await runInTest(["accounts", "erase", own, "--yes"], unreachable);
    expect(code).not.toBe(0);
    expect(await database.query("SELECT name FROM account WHERE id = $1", [own])).toEqual([
      { name: "Jane Doe" },
    ]);
  });

  it("refuses an account with unfinished jobs, and changes nothing", async () => {
    await database.query("UPDATE account SET unfinished_jobs = 1 WHERE id = $1", [own]);
    const { code, stderr } = await erase("--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("has 1 unfinished jobs");
    expect(await remains()).toContain("Jane Doe");
  });
});
