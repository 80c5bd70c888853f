import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase, newId, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage } from "@atelier/storage";
import { fillHistory } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { run } from "./run.ts";

/** A word of the account, in every column that can have words of a client. */
const word = "marzipan";

/** Columns that never have words of a client: ids, hashes, names of models and of the operator's machines. */
const withoutWords: readonly RegExp[] = [
  /^(api_key|studio_link|webhook|webhook_secret|test_webhook_secret|idempotency_key|batch|cast_member|upload|moderation_decision)[.].*(hash|secret|pepper_id|last_four|sha256|storage_key)$/,
  /^(image|mark|mark_file|kept_file|archive_part|upload)[.](storage_key|source_key|pending_key|sha256|month|watermark_id|perceptual_hash|parent_watermarks|model)$/,
  /^api_key[.](scopes|models)$/,
  /^(generation|render|archived_usage|provider_call)[.](model|lane|provider|server|units|price|cost_currency)$/,
  /^moderation_decision[.](moderator|category|path|certainty)$/,
  /^(webhook|generation_webhook)[.]events$/,
  /^(account|webhook_delivery)[.](language|type)$/,
  /^(rate_limit|lane_health|engine_server|engine_speed|engine_place|recurring_task|sweep_progress|backfill)[.]/,
];

let database: Database;
let url: string;
let directory: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  ({ url } = testDatabase);
  database = createDatabase({ url, poolSize: 3, applicationName: "test" });
  directory = await mkdtemp(join(tmpdir(), "atelier-words-"));
  const storage = await createStorage({
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

/** All columns that can have text, as `table.column`, with the SQL that reads them as text. */
async function listColumns(): Promise<readonly { name: string; table: string; text: string }[]> {
  return database.query(
    `SELECT table_name || '.' || column_name AS name, quote_ident(table_name) AS table,
            CASE data_type WHEN 'bytea' THEN 'encode(' || quote_ident(column_name) || ', ''escape'')'
                           ELSE quote_ident(column_name) || '::text' END AS text
       FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
      WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%'
        AND data_type IN ('text', 'character', 'character varying', 'jsonb', 'json', 'bytea', 'ARRAY', 'tsvector')
        AND udt_name <> '_uuid'
      ORDER BY 1`,
  );
}

/** The columns in which some row has the word. */
async function findWord(): Promise<string[]> {
  const found: string[] = [];
  for (const { name, table, text } of await listColumns()) {
    const rows = await database.query(`SELECT FROM ${table} WHERE ${text} ILIKE $1 LIMIT 1`, [
      `%${word}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Writes the word into every column of an account that can have it. */
async function plant(accountId: string): Promise<void> {
  const id = newId();
  const plants = [
    `UPDATE account SET name = $2 WHERE id = $1`,
    `INSERT INTO api_key (id, account_id, name, hash, last_four) VALUES ($4, $1, $2, '', 'test')`,
    `UPDATE generation SET request = request || $3, metadata = $3, title = $2, trace_parent = $2,
            error = jsonb_build_object('error', 'internal_error', 'message', $2::text, 'details', $3::jsonb)
      WHERE account_id = $1`,
    `UPDATE render SET spec = spec || $3, turn = $3, last_error = $3 FROM generation
      WHERE generation.id = generation_id AND account_id = $1`,
    `UPDATE provider_call SET request_id = $2 FROM render JOIN generation ON generation.id = generation_id
      WHERE render.id = render_id AND account_id = $1`,
    `UPDATE generation_search SET terms = to_tsvector('simple', $2) WHERE account_id = $1`,
    `INSERT INTO job_note (account_id, generation_id, title, starred, book)
     SELECT $1, id, $2, true, $3 FROM generation WHERE account_id = $1 LIMIT 1`,
    `INSERT INTO collection (id, account_id, mode, name, job_count) VALUES ($4, $1, 'live', $2, 0)`,
    `INSERT INTO preset (id, account_id, mode, name, operation, request) VALUES ($4, $1, 'live', $2, 'image', $3)`,
    `INSERT INTO studio_session (id, account_id, key_id, user_agent, expires_at)
     VALUES ($4, $1, $4, $2, now() + interval '1 hour')`,
    `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at, waits_for, error, idempotency_key, webhook_url)
     VALUES ($4, $1, $4, 1, now() + interval '1 hour', $3, $3, $2, $2)`,
    `INSERT INTO request_part (owner_id, first_line, last_line, lines) VALUES ($4, 1, 1, $2::text::bytea)`,
    `INSERT INTO batch_refusal (batch_id, line, error) VALUES ($4, 1, $3)`,
    `INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
     VALUES ($1, $2, '', $4, now())`,
    `INSERT INTO upload (id, account_id, key_id, size_bytes, idempotency_key, expires_at)
     VALUES ($4, $1, $4, 1, $2, now() + interval '1 hour')`,
    `INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks, idempotency_key)
     VALUES ($4, $1, $4, 'live', 'character', $2, $2, jsonb_build_array($3::jsonb), $2)`,
    `INSERT INTO ledger_transfer (id, kind, account_id, reference) VALUES ($4, 'top_up', $1, $2)`,
    `INSERT INTO event (account_id, type, data) VALUES ($1, 'batch.completed', $3)`,
    `INSERT INTO webhook (id, account_id, url, events, secret, description) VALUES ($4, $1, $2, '{}', '', $2)`,
    `INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
     SELECT id, uuidv7(), $2, '{}' FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
    `INSERT INTO webhook_delivery (webhook_id, event_id, generation_id, type, data, error, attempt_log)
     SELECT uuidv7(), 1, id, 'job.completed', $3, $2, $3 FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
  ];
  await database.transaction(async (sql) => {
    // Skips foreign keys and the triggers of the ledger.
    await sql.query("SET LOCAL session_replication_role = replica");
    for (const text of plants) {
      const values = [accountId, word, JSON.stringify({ prompt: word }), id];
      // Postgres refuses parameters that a statement does not use.
      const used = [...new Set(text.match(/\$\d/g))].toSorted((a, b) => (a < b ? -1 : 1));
      const renumbered = text.replaceAll(/\$\d/g, (name) => `$${used.indexOf(name) + 1}`);
      await sql
        .query(
          renumbered,
          used.map((name) => values[Number(name.slice(1)) - 1]),
        )
        .catch((cause: unknown) => {
          throw new Error(text, { cause });
        });
    }
  });
}

it("leaves no word of an account in any column but those that docs/privacy.md lists", async () => {
  const [accountId = ""] = await fillHistory(database, { accounts: 1, generations: 6 });
  await plant(accountId);
  // A column that is added later is planted here, or is one that never has words.
  const planted = new Set(await findWord());
  const unknown = (await listColumns())
    .map(({ name }) => name)
    .filter((name) => !planted.has(name) && !withoutWords.some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);

  const output = { isTTY: false, write: () => true };
  const code = await run(["accounts", "erase", accountId, "--yes"], {
    environment: { DATABASE_URL: url, STORAGE_URL: pathToFileURL(directory).href },
    stdout: output,
    stderr: output,
    onInterruption: () => new AbortController().signal,
  });
  expect(code).toBe(0);
  const privacy = await readFile(new URL("../../../docs/privacy.md", import.meta.url), "utf8");
  const [, listed = ""] =
    /Words of an erased account stay in ([^.]*[.][^.]*) only/.exec(privacy) ?? [];
  const kept = Array.from(listed.matchAll(/`([a-z_]+[.][a-z_]+)`/g), ([, name]) => name);
  expect(kept.length).toBeGreaterThan(0);
  expect(await findWord()).toEqual(kept);
});
