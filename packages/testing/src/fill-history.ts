import { newId, type Database } from "@atelier/database";

const batchSize = 20_000;
const connections = 2;

/**
 * Fills the database with completed image generations of many accounts over some time, with
 * every row that the service would have written, but without files. For audits and benchmarks of large
 * tables. Rows are inserted in sets and in chronological order, so that the indexes of ids grow at their
 * end, as in production.
 *
 * For many generations, the other indexes are rebuilt at the end, which is several times faster. Nothing
 * else may use the database meanwhile, and with millions of rows statements take minutes.
 *
 * @returns the ids of the accounts that they belong to.
 */
export async function fillHistory(
  database: Database,
  history: {
    readonly accounts: number;
    readonly generations: number;
    /** Whether images count as kept; by default as deleted. */
    readonly imagesKept?: boolean;
    /** Age in days of the first and the last generation. Default: 30 and 2. */
    readonly ages?: readonly [first: number, last: number];
    /** SQL over `number`, from 1: a text that prompts are found by. Default: none. */
    readonly word?: string;
    readonly onProgress?: (done: number) => void;
  },
): Promise<readonly string[]> {
  const accountIds = Array.from({ length: history.accounts }, newId);
  await database.query(
    "INSERT INTO account (id, name) SELECT id, 'history' FROM unnest($1::uuid[]) AS id",
    [accountIds],
  );
  const total = history.generations;
  const deletedAfter = history.imagesKept === true ? null : "1 day";
  const [first, last] = history.ages ?? [30, 2];
  const insert = insertGenerations(history.word ?? "''");
  let started = 0;
  let done = 0;
  async function fillBatches(): Promise<void> {
    while (started < total) {
      const from = started;
      const count = Math.min(batchSize, total - from);
      started += count;
      await database.transaction(async (sql) => {
        // Skips triggers and foreign keys, which are checked row by row; the rows satisfy them by construction.
        await sql.query("SET LOCAL session_replication_role = replica");
        await sql.query("SET LOCAL synchronous_commit = off");
        await sql.query(insert, [accountIds, from, count, total, deletedAfter, first, last]);
      });
      done += count;
      history.onProgress?.(done);
    }
  }
  const fill = () => Promise.all(Array.from({ length: connections }, fillBatches));
  await (total > batchSize ? withoutIndexes(database, fill) : fill());
  await database.query("ANALYZE");
  return accountIds;
}

/** Drops all indexes except primary keys before `work` and recreates them after it. */
async function withoutIndexes(database: Database, work: () => Promise<unknown>): Promise<void> {
  const indexes = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition
       FROM pg_indexes
      WHERE schemaname = 'public'
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX "${name}"`);
  try {
    await work();
  } finally {
    for (const { definition } of indexes) {
      await database.transaction(async (sql) => {
        await sql.query("SET LOCAL maintenance_work_mem = '512MB'");
        await sql.query(definition);
      });
    }
  }
}

/** A UUIDv7 (RFC 9562) with the time of a row. */
const id = "uuidv7(age)";

const price = "10000";

/** The files of each image, and their keys. */
const formats = "unnest(ARRAY['png', 'jpeg', 'webp']) AS format";
const key = "'renders/' || render_id || '/1.' || format";

const insertGenerations = (word: string) => `
  WITH past AS MATERIALIZED (
    SELECT ($1::uuid[])[1 + floor(random() * cardinality($1::uuid[]))::int] AS account_id,
           now() + age AS moment, ${id} AS generation_id, ${id} AS render_id, ${id} AS hold_id,
           ${id} AS settle_id, ${id} AS top_up_id, ${id} AS call_id, ${id} AS decision_id,
           encode(sha256(uuid_send(gen_random_uuid())), 'hex') AS sha256, word
      FROM (SELECT interval '-1 day' * ($6::float8 - ($6 - $7::float8) * (($2::int + number) / $4::float8)) AS age,
                   ${word} AS word
              FROM generate_series(1, $3::int) AS number) AS ages
  ), generation AS (
    INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur,
                            charged_micro_eur, balance_after_micro_eur, renders_total, created_at,
                            started_at, completed_at, deadline_at, result)
    SELECT generation_id, account_id, 'image', 'completed', 'builtin-illustrator',
           '{"model": "builtin-illustrator", "prompt": "a lighthouse at dusk"}', 'normal', ${price},
           ${price}, 0, 1, moment, moment, moment + interval '1 second', moment + interval '1 hour',
           CASE WHEN $5::interval IS NULL THEN jsonb_build_array(jsonb_build_object(
             'role', 'image', 'model', 'builtin-illustrator', 'task', NULL, 'seed', 7, 'scaledFrom', NULL,
             'isWatermarked', NULL, 'files', (
               SELECT jsonb_agg(jsonb_build_array(format, ${key}, sha256, 1000000, 1024, 1024, false) ORDER BY format::image_format)
                 FROM ${formats}))) END
      FROM past
  ), search AS (
    INSERT INTO generation_search (account_id, generation_id, terms)
    SELECT account_id, generation_id, to_tsvector('simple', 'a lighthouse at dusk ' || word) FROM past
  ), render AS (
    INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for,
                        attempt, tries, dispatched_at, claimed_at, finished_at)
    SELECT render_id, generation_id, 0, 'image', 'done', 'builtin', 'builtin-illustrator',
           '{"prompt": "a lighthouse at dusk", "aspectRatio": "1:1", "imageSize": "1K", "seed": 7, "references": [], "name": null, "state": null, "title": null, "texts": []}',
           '{}', 1, 1, moment, moment, moment + interval '1 second'
      FROM past
  ), image AS (
    INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height, created_at, deleted_at, removed_at)
    SELECT render_id, format::image_format, ${key}, sha256,
           1000000, 1024, 1024, moment, moment + $5::interval, moment + $5::interval
      FROM past, ${formats}
  ), call AS (
    INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome, started_at, finished_at)
    SELECT call_id, render_id, 1, 'builtin', 'builtin-illustrator', 'image', moment, moment FROM past
  ), decision AS (
    INSERT INTO moderation_decision (id, generation_id, render_id, moderator, strictness, allowed, prompt_hash)
    SELECT decision_id, generation_id, render_id, 'rules-3', 'normal', true, sha256::bytea FROM past
  ), transfer AS (
    INSERT INTO ledger_transfer (id, kind, account_id, generation_id, resolves_hold_id, created_at)
    SELECT top_up_id, 'top_up'::transfer_kind, account_id, NULL::uuid, NULL::uuid, moment FROM past
    UNION ALL SELECT hold_id, 'hold', account_id, generation_id, NULL, moment FROM past
    UNION ALL SELECT settle_id, 'settle', account_id, generation_id, hold_id, moment FROM past
  ), entry AS (
    INSERT INTO ledger_entry (transfer_id, book, account_id, amount_micro_eur)
    SELECT transfer_id, book::ledger_book, account_id, amount FROM past, LATERAL (VALUES
      (top_up_id, 'deposits', -${price}), (top_up_id, 'available', ${price}),
      (hold_id, 'available', -${price}), (hold_id, 'held', ${price}),
      (settle_id, 'held', -${price}), (settle_id, 'revenue', ${price})
    ) AS entries (transfer_id, book, amount)
  )
  INSERT INTO hold (id, account_id, generation_id, transfer_id, amount_micro_eur, created_at)
  SELECT hold_id, account_id, generation_id, hold_id, ${price}, moment FROM past`;
