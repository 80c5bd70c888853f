import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase, type Database } from "@atelier/database";
import { dossierKey } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { fillHistory } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { run } from "./run.ts";

let testDatabase: TestDatabase;
let database: Database;
let directory: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 2, applicationName: "test" });
  directory = await mkdtemp(join(tmpdir(), "atelier-audit-"));
  await fillHistory(database, { accounts: 3, generations: 40 });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(directory, { recursive: true, force: true });
});

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { readonly invariant: string; readonly violations: number }[];
}

/** Runs the command as an operator would and returns its violations. */
async function audit(): Promise<{ exitCode: number; ok: boolean; broken: readonly string[] }> {
  let output = "";
  const stdout = { write: (text: string) => (output += text) };
  const exitCode = await run(["audit", "--json", "--hash", "1"], {
    environment: {
      DATABASE_URL: testDatabase.url,
      STORAGE_URL: pathToFileURL(directory).href,
    },
    stdout,
    stderr: { write: () => undefined },
    onInterruption: () => new AbortController().signal,
  });
  const { ok, findings } = JSON.parse(output) as Report;
  const broken = findings.filter(({ violations }) => violations > 0);
  return { exitCode, ok, broken: broken.map(({ invariant }) => invariant) };
}

/** Runs a command and returns what it prints. */
async function runText(args: readonly string[]): Promise<string> {
  let output = "";
  await run(args, {
    environment: { DATABASE_URL: testDatabase.url },
    stdout: { write: (text: string) => (output += text) },
    stderr: { write: () => undefined },
    onInterruption: () => new AbortController().signal,
  });
  return output;
}

/** Changes the database in ways that its triggers and constraints prevent. */
async function tamper(statement: string): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(statement);
  });
}

const someRender = "(SELECT id FROM render ORDER BY id LIMIT 1)";
const someGeneration = "(SELECT id FROM generation ORDER BY id LIMIT 1)";

/**
 * Name, statement that breaks the database, statement that repairs it, and the violated invariants.
 */
const violations: readonly (readonly [string, string, string, RegExp])[] = [
  [
    "a changed ledger entry",
    "UPDATE ledger_entry SET amount_micro_eur = amount_micro_eur + 1 WHERE book = 'revenue'",
    "UPDATE ledger_entry SET amount_micro_eur = amount_micro_eur - 1 WHERE book = 'revenue'",
    /sum to zero/,
  ],
  [
    "a balance without ledger entries",
    "UPDATE account SET balance_micro_eur = balance_micro_eur + 1",
    "UPDATE account SET balance_micro_eur = balance_micro_eur - 1",
    /balances equal the sums/,
  ],
  [
    "a reopened final generation",
    `UPDATE generation SET status = 'processing', completed_at = NULL, deadline_at = now() + interval '1 hour' WHERE id = ${someGeneration}`,
    `UPDATE generation SET status = 'completed', completed_at = now() WHERE id = ${someGeneration}`,
    /resolved exactly when/,
  ],
  [
    "a refund that is missing in the ledger",
    `UPDATE generation SET charged_micro_eur = 0 WHERE id = ${someGeneration}`,
    `UPDATE generation SET charged_micro_eur = 10000 WHERE id = ${someGeneration}`,
    /one settle and no release/,
  ],
  [
    "a key with a scope that its maker lacks",
    `WITH maker AS (
       INSERT INTO api_key (id, account_id, name, hash, last_four, scopes)
       SELECT gen_random_uuid(), id, 'maker', '\\x01', '', '{manage}' FROM account LIMIT 1
       RETURNING id, account_id
     )
     INSERT INTO api_key (id, account_id, parent_id, name, hash, last_four, scopes)
     SELECT gen_random_uuid(), account_id, id, 'made', '\\x02', '', '{read}' FROM maker`,
    "DELETE FROM api_key WHERE name IN ('maker', 'made')",
    /neither outlives nor exceeds/,
  ],
  [
    "a job of a key that was revoked an hour before",
    `WITH key AS (
       INSERT INTO api_key (id, account_id, name, hash, last_four, revoked_at, spent_since)
       SELECT id, account_id, 'revoked', '\\x03', '', created_at - interval '1 hour', 'infinity'
         FROM generation WHERE id = ${someGeneration} RETURNING id
     )
     UPDATE generation SET key_id = key.id FROM key WHERE generation.id = key.id`,
    `WITH key AS (DELETE FROM api_key WHERE name = 'revoked' RETURNING id)
     UPDATE generation SET key_id = NULL FROM key WHERE generation.id = key.id`,
    /after its key was revoked/,
  ],
  [
    "a character without the file of its look",
    `WITH item AS (
       INSERT INTO kept_item (id, account_id, kind, status)
       SELECT gen_random_uuid(), id, 'character', 'copying' FROM account LIMIT 1 RETURNING id, account_id
     ), file AS (
       INSERT INTO kept_file (storage_key, item_id, account_id, format, source_key, sha256, size_bytes, width, height)
       SELECT 'kept/other.png', id, account_id, 'png', 'renders/other.png', '', 0, 1, 1 FROM item
     )
     INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks)
     SELECT id, account_id, id, 'live', 'character', 'Mira', 'a girl', '[{"storageKey": "kept/mira.png"}]'
       FROM item`,
    `WITH file AS (DELETE FROM kept_file), item AS (DELETE FROM kept_item) DELETE FROM cast_member`,
    /has a file for each of its looks/,
  ],
  [
    "a kept item without its location",
    `INSERT INTO kept_item (id, account_id, kind, status)
     SELECT gen_random_uuid(), id, 'location', 'refused' FROM account LIMIT 1`,
    "DELETE FROM kept_item",
    /belongs to a job, character or location/,
  ],
  [
    "a note without its job",
    `INSERT INTO job_note (account_id, generation_id, starred)
     SELECT id, gen_random_uuid(), true FROM account LIMIT 1`,
    "DELETE FROM job_note",
    /A note belongs to a job/,
  ],
  [
    "a result that its job does not have",
    `UPDATE generation SET result = '[]' WHERE id = ${someGeneration}`,
    `UPDATE generation SET result = NULL WHERE id = ${someGeneration}`,
    /result of a completed job/,
  ],
  [
    "a collection that counts a job too many",
    `INSERT INTO collection (id, account_id, mode, name, job_count)
     SELECT gen_random_uuid(), id, 'live', 'May', 1 FROM account LIMIT 1`,
    "DELETE FROM collection",
    /A collection has jobs of its account/,
  ],
  [
    "a session without its key",
    `INSERT INTO studio_session (id, account_id, key_id, expires_at)
     SELECT gen_random_uuid(), id, gen_random_uuid(), now() + interval '1 hour' FROM account LIMIT 1`,
    "DELETE FROM studio_session",
    /session of Studio/,
  ],
  [
    "one generation with two idempotency keys",
    `INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
     SELECT account_id, key, '', id, now() FROM generation, unnest(ARRAY['a', 'b']) AS key
      WHERE id = ${someGeneration}`,
    "DELETE FROM idempotency_key",
    /idempotency key/,
  ],
  [
    "a final event of another state",
    `WITH recent AS (
       UPDATE generation SET created_at = now() WHERE id = ${someGeneration} RETURNING account_id, id
     )
     INSERT INTO event (account_id, generation_id, type, created_at)
     SELECT account_id, id, 'job.failed', now() - interval '1 minute' FROM recent`,
    `WITH gone AS (DELETE FROM event RETURNING generation_id)
     UPDATE generation SET created_at = completed_at - interval '1 second' FROM gone
      WHERE id = generation_id`,
    /one final event/,
  ],
  [
    "an event of another account",
    `INSERT INTO event (account_id, generation_id, type)
     SELECT gen_random_uuid(), id, 'job.updated' FROM generation LIMIT 1`,
    "DELETE FROM event",
    /event belongs to/,
  ],
  [
    "a delivery without its event",
    `INSERT INTO webhook_delivery (webhook_id, event_id, type)
     VALUES (gen_random_uuid(), 1, 'job.completed')`,
    "DELETE FROM webhook_delivery",
    /delivery is of an event/,
  ],
  [
    "a job that sends its events to the receiver of another account",
    `WITH hook AS (
       INSERT INTO webhook (id, account_id, url, events, secret, requested_at)
       VALUES (uuidv7(), uuidv7(), 'https://example.com/', '{}', '', now()) RETURNING id
     )
     INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
     SELECT ${someGeneration}, id, 'https://example.com/', '{job.completed}' FROM hook`,
    "WITH gone AS (DELETE FROM webhook) DELETE FROM generation_webhook",
    /receiver of a webhook_url/,
  ],
  [
    "a batch that sends its event to the receiver of another account",
    `WITH hook AS (
       INSERT INTO webhook (id, account_id, url, events, secret, requested_at)
       VALUES (uuidv7(), uuidv7(), 'https://example.com/', '{}', '', now()) RETURNING id
     )
     INSERT INTO batch (id, account_id, key_id, lines_total, expires_at, webhook_id, webhook_url)
     SELECT uuidv7(), uuidv7(), uuidv7(), 1, now() + interval '1 day', id, 'https://example.com/' FROM hook`,
    "WITH gone AS (DELETE FROM webhook) DELETE FROM batch",
    /receiver of a webhook_url/,
  ],
  [
    "a ready image that neither the queue nor a place of batches has",
    `UPDATE render SET status = 'ready', finished_at = NULL, dispatched_at = NULL WHERE id = ${someRender}`,
    `UPDATE render SET status = 'done', finished_at = now(), dispatched_at = now() WHERE id = ${someRender}`,
    /waits for a place/,
  ],
  [
    "a batch of another mode than its key",
    `WITH maker AS (
       INSERT INTO api_key (id, account_id, name, hash, last_four)
       SELECT uuidv7(), id, 'of a batch', 'of a batch', 'last' FROM account LIMIT 1 RETURNING id, account_id
     )
     INSERT INTO batch (id, account_id, key_id, mode, lines_total, expires_at)
     SELECT uuidv7(), account_id, id, 'test', 1, now() + interval '1 day' FROM maker`,
    "WITH gone AS (DELETE FROM api_key WHERE name = 'of a batch') DELETE FROM batch",
    /mode of its key/,
  ],
  [
    "a pending delivery of a disabled webhook",
    `WITH hook AS (
       INSERT INTO webhook (id, account_id, url, events, secret, disabled_at)
       VALUES (uuidv7(), uuidv7(), 'https://example.com/', '{job.completed}', 'x', now() - interval '6 minutes')
       RETURNING id
     )
     INSERT INTO webhook_delivery (webhook_id, event_id, type) SELECT id, 1, 'webhook.test' FROM hook`,
    "WITH gone AS (DELETE FROM webhook) DELETE FROM webhook_delivery",
    /disabled for five minutes/,
  ],
  [
    "a job whose cancellation was requested and that nothing ends",
    `WITH stopped AS (
       UPDATE render SET dispatched_at = now() - interval '2 minutes', finished_at = now() - interval '2 minutes'
        WHERE generation_id = ${someGeneration}
     )
     UPDATE generation SET status = 'processing', completed_at = NULL, deadline_at = now() + interval '1 hour',
                           cancel_requested_at = now() - interval '2 minutes'
      WHERE id = ${someGeneration}`,
    `UPDATE generation SET status = 'completed', completed_at = now(), cancel_requested_at = NULL
      WHERE id = ${someGeneration}`,
    /cancellation was requested/,
  ],
  [
    "a job past its deadline",
    `UPDATE generation SET status = 'pending', completed_at = NULL, deadline_at = now() - interval '1 minute' WHERE id = ${someGeneration}`,
    `UPDATE generation SET status = 'completed', completed_at = now() WHERE id = ${someGeneration}`,
    /past its deadline/,
  ],
  [
    "an image without its row",
    `UPDATE render SET status = 'failed' WHERE id = ${someRender}`,
    `UPDATE render SET status = 'done' WHERE id = ${someRender}`,
    /one image of each chosen format/,
  ],
  [
    "a ledger without its trigger",
    "ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_unchangeable",
    "ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_unchangeable",
    /never change/,
  ],
  [
    "a second paid image of one render",
    `INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome)
     SELECT gen_random_uuid(), render_id, 2, provider, model, 'image' FROM provider_call
      WHERE render_id = ${someRender}`,
    "DELETE FROM provider_call WHERE attempt = 2",
    /called again for a render/,
  ],
  [
    "a call after one that timed out",
    `INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome)
     SELECT gen_random_uuid(), render_id, 2, provider, model, 'timed_out' FROM provider_call
      WHERE render_id = ${someRender}`,
    "DELETE FROM provider_call WHERE attempt = 2",
    /called again for a render/,
  ],
  [
    "an image signed for another model",
    `UPDATE render SET model = 'builtin-pattern' WHERE id = ${someRender}`,
    `UPDATE render SET model = 'builtin-illustrator' WHERE id = ${someRender}`,
    /to the model named in its manifest/,
  ],
  [
    "a generation completed before its images",
    `UPDATE render SET status = 'ready', finished_at = NULL WHERE id = ${someRender}`,
    `UPDATE render SET status = 'done', finished_at = now() WHERE id = ${someRender}`,
    /status matches its renders/,
  ],
  [
    "a provider call without an outcome",
    `UPDATE provider_call SET outcome = NULL WHERE render_id = ${someRender}`,
    `UPDATE provider_call SET outcome = 'image' WHERE render_id = ${someRender}`,
    /Every provider call of an ended render/,
  ],
  [
    "an edit whose render has no edit task",
    `UPDATE generation SET operation = 'edit' WHERE id = ${someGeneration}`,
    `UPDATE generation SET operation = 'image' WHERE id = ${someGeneration}`,
    /operation matches its kind/,
  ],
  [
    "an upload under the key of another one",
    `INSERT INTO upload (id, account_id, key_id, size_bytes, storage_key, format, sha256, width, height, expires_at, deleted_at)
     SELECT gen_random_uuid(), id, id, 1, 'uploads/' || id || '/image.png', 'png', repeat('0', 64), 1, 1, now(), now()
       FROM account LIMIT 1`,
    "DELETE FROM upload",
    /upload is recorded as a whole/,
  ],
  [
    "words of a job whose texts were removed",
    `UPDATE generation_search SET terms = terms || array_to_tsvector(ARRAY['source:' || repeat('0', 32)])
      WHERE generation_id = ${someGeneration}`,
    `UPDATE generation_search SET terms = ts_delete(terms, 'source:' || repeat('0', 32))
      WHERE generation_id = ${someGeneration}`,
    /words of another one/,
  ],
  [
    "a wrong counter",
    "UPDATE account SET unfinished_jobs = unfinished_jobs + 1",
    "UPDATE account SET unfinished_jobs = unfinished_jobs - 1",
    /counters/,
  ],
];

describe("audit", () => {
  it("reports a missing storage instead of creating it", async () => {
    const missing = join(directory, "typo");
    let error = "";
    const exitCode = await run(["audit"], {
      environment: { DATABASE_URL: testDatabase.url, STORAGE_URL: pathToFileURL(missing).href },
      stdout: { write: () => undefined },
      stderr: { write: (text: string) => (error += text) },
      onInterruption: () => new AbortController().signal,
    });
    expect({ exitCode, complaint: error }).toEqual({
      exitCode: 1,
      complaint: `STORAGE_URL: ENOENT: no such file or directory, access '${missing}'\n`,
    });
    expect(existsSync(missing)).toBe(false);
  });

  it("reports no violations for consistent data", async () => {
    expect(await audit()).toEqual({ exitCode: 0, ok: true, broken: [] });
  });

  it.each(violations)("finds %s", async (_what, harm, undo, invariant) => {
    await tamper(harm);
    const { exitCode, ok, broken } = await audit();
    await tamper(undo);
    expect({ exitCode, ok }).toEqual({ exitCode: 1, ok: false });
    expect(broken).toContainEqual(expect.stringMatching(invariant));
    expect((await audit()).ok).toBe(true);
  });

  it("names the command that repairs rows of an older version, and the command completes them", async () => {
    await tamper("DELETE FROM generation_search");
    const before = await runText(["audit"]);
    expect(before).toMatch(/BROKEN .*can be found by its account's searches/);
    expect(before).toContain("To repair: npm run atelier -- audit --repair");
    const after = await runText(["audit", "--repair"]);
    expect(after).toContain("Completed 40 rows.");
    expect(after).toContain("All invariants hold.");
    expect(await runText(["backfills"])).toMatch(/_search +waits for a worker/);
  });

  it("reports an image, upload or dossier that is missing or does not match its record", async () => {
    const storage = await createStorage({
      url: pathToFileURL(directory).href,
      publicUrl: "http://localhost",
      signingSecret: "x".repeat(32),
    });
    const key = "renders/00000000-0000-7000-8000-000000000000/1.png";
    const bytes = Buffer.from("as it was recorded");
    await storage.put(key, bytes, { contentType: "image/png" });
    await tamper(
      `UPDATE image SET deleted_at = NULL, storage_key = '${key}', size_bytes = ${bytes.byteLength},
              sha256 = encode(sha256('${bytes.toString()}'), 'hex')
        WHERE render_id = ${someRender} AND format = 'png'`,
    );
    expect(await audit()).toMatchObject({ ok: true });

    const path = join(directory, key);
    await writeFile(path, (await readFile(path, "utf8")).toUpperCase());
    expect((await audit()).broken).toEqual([expect.stringMatching(/exists in storage/)]);
    await unlink(path);
    expect((await audit()).broken).toEqual([expect.stringMatching(/exists in storage/)]);
    await storage.put(key, bytes, { contentType: "image/png" });

    const uploadId = "00000000-0000-7000-8000-000000000001";
    const uploadKey = `uploads/${uploadId}/image.png`;
    await storage.put(uploadKey, bytes, { contentType: "image/png" });
    await tamper(
      `INSERT INTO upload (id, account_id, key_id, size_bytes, storage_key, format, sha256, width, height, expires_at)
       SELECT '${uploadId}', id, id, ${bytes.byteLength}, '${uploadKey}', 'png',
              encode(sha256('${bytes.toString()}'), 'hex'), 1, 1, now() FROM account LIMIT 1`,
    );
    expect(await audit()).toMatchObject({ ok: true });
    await unlink(join(directory, uploadKey));
    expect((await audit()).broken).toEqual([expect.stringMatching(/Every upload that is kept/)]);
    await storage.put(uploadKey, bytes, { contentType: "image/png" });

    const renderId = "00000000-0000-7000-8000-000000000002";
    await tamper(
      `INSERT INTO mark (render_id, model, dossier_attempt) VALUES ('${renderId}', 'model', 3)`,
    );
    expect((await audit()).broken).toEqual([expect.stringMatching(/Every registered dossier/)]);
    const dossier = { renderId, attempt: 3 };
    await storage.put(dossierKey(dossier), bytes, { contentType: "application/octet-stream" });
    expect(await audit()).toMatchObject({ ok: true });
    await storage.close();
  });

  it("reports a dossier that the sweep should have deleted, and none that it has not reached", async () => {
    const storage = await createStorage({
      url: pathToFileURL(directory).href,
      publicUrl: "http://localhost",
      signingSecret: "x".repeat(32),
    });
    const [render] = await database.query<{ id: string }>(
      `INSERT INTO mark (render_id, model, dossier_attempt)
       SELECT id, model, 2 FROM render WHERE status = 'done' LIMIT 1 RETURNING render_id AS id`,
    );
    const renderId = render!.id;
    for (const attempt of [1, 2]) {
      await storage.put(dossierKey({ renderId, attempt }), Buffer.from("bytes"), {
        contentType: "application/octet-stream",
      });
    }
    expect(await audit()).toMatchObject({ ok: true });
    await database.query(
      "INSERT INTO sweep_progress (name, after) VALUES ('abandoned_dossiers', $1)",
      [renderId],
    );
    expect((await audit()).broken).toEqual([
      expect.stringMatching(/has no dossier but the registered one/),
    ]);
    await storage.delete([dossierKey({ renderId, attempt: 1 })]);
    expect(await audit()).toMatchObject({ ok: true });
    await storage.close();
  });
});
