import { newId, type Database } from "@atelier/database";

/** Rows of one set: two connections insert sets at the same time. */
const batchSize = 20_000;
const connections = 2;

/**
 * Fills the partitioned tables with redacted jobs, one image each, evenly over a time, with the holds of the jobs
 * and the registry. Entries and transfers of the ledger are left out: they are not partitioned.
 *
 * @returns the accounts: the first has its jobs in the oldest tenth only, the others over all of the time.
 */
export async function fillJobs(
  database: Database,
  {
    jobs,
    accounts,
    fromMs,
    toMs,
  }: { jobs: number; accounts: number; fromMs: number; toMs: number },
): Promise<readonly string[]> {
  const ids = Array.from({ length: accounts }, () => newId(fromMs));
  await database.query(
    "INSERT INTO account (id, name) SELECT id, 'history' FROM unnest($1::uuid[]) AS id",
    [ids],
  );
  let next = 0;
  const fillSets = async () => {
    while (next < jobs) {
      const first = next;
      next += batchSize;
      await database.transaction(async (sql) => {
        await sql.query("SET LOCAL session_replication_role = replica");
        await sql.query("SET LOCAL statement_timeout = 0");
        const values = [ids, first, Math.min(batchSize, jobs - first), jobs, fromMs, toMs];
        await sql.query(insertJobs, values);
      });
    }
  };
  await Promise.all(Array.from({ length: connections }, fillSets));
  return ids;
}

const insertJobs = `
  WITH job AS MATERIALIZED (
    SELECT n, moment, uuidv7(moment - now()) AS id, uuidv7(moment - now()) AS render_id,
           uuidv7(moment - now()) AS call_id, encode(sha256(int8send(n)), 'hex') AS sha256,
           ($1::uuid[])[CASE WHEN n * 10 < $4 AND n % 50 = 0 THEN 1 ELSE 2 + n % (cardinality($1::uuid[]) - 1) END] AS account_id
      FROM (SELECT n, to_timestamp(($5::float8 + ($6::float8 - $5) * n / $4::int) / 1000) AS moment
              FROM generate_series($2::int, $2 + $3::int - 1) AS n) AS numbered
  ), accepted AS (
    INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur,
                            charged_micro_eur, balance_after_micro_eur, renders_total, created_at,
                            started_at, completed_at, deadline_at, redacted_at)
    SELECT id, account_id, 'image', CASE WHEN n % 500 = 0 THEN 'failed' ELSE 'completed' END::generation_status,
           'builtin-illustrator', '{}', 'normal', 10000, 10000, 0, 1, moment, moment, moment, moment, moment
      FROM job
  ), searched AS (
    INSERT INTO generation_search (account_id, generation_id, terms)
    SELECT account_id, id, to_tsvector('simple', 'a lighthouse at dusk ' || n % 10000) FROM job
  ), drawn AS (
    INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, attempt, tries,
                        dispatched_at, claimed_at, finished_at)
    SELECT render_id, id, 0, 'image', 'done', 'builtin', 'builtin-illustrator', '{"seed": 7}', '{}', 1, 1, moment,
           moment, moment
      FROM job
  ), stored AS (
    INSERT INTO image (render_id, format, storage_key, sha256, size_bytes, width, height, created_at, deleted_at, removed_at)
    SELECT render_id, format, 'renders/' || render_id || '/1.' || format, sha256, 1000000, 1024, 1024, moment, moment, moment
      FROM job, unnest('{png,jpeg,webp,thumbnail}'::image_format[]) AS format
  ), called AS (
    INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome, started_at, finished_at)
    SELECT call_id, render_id, 1, 'builtin', 'builtin-illustrator', 'image', moment, moment FROM job
  ), decided AS (
    INSERT INTO moderation_decision (id, generation_id, render_id, moderator, strictness, allowed, prompt_hash)
    SELECT call_id, id, render_id, 'rules-3', 'normal', true, sha256::bytea FROM job
  ), registered AS (
    INSERT INTO mark (render_id, model, created_at) SELECT render_id, 'builtin-illustrator', moment FROM job
  )
  INSERT INTO hold (id, account_id, generation_id, transfer_id, amount_micro_eur, created_at)
  SELECT render_id, account_id, id, render_id, 10000, moment FROM job`;
