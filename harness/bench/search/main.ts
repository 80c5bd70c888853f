import { newId, type Database, type Sql } from "@atelier/database";
import { listGenerations, searchGenerations } from "@atelier/generations";
import { openBenchDatabase } from "../../shared/bench-database.ts";

/**
 * Measures the filters of `GET /v1/jobs` on a large table, and what the search index costs to write:
 *
 * npm run bench -- search [rows]
 *
 * One account has half of the jobs, a hundred others share the rest. Prompts have 30 words of a
 * vocabulary of 20,000, the most frequent of which is in most prompts. Edits are rare in the first
 * account and half of the jobs of the others.
 */
const rows = Number(process.argv[3] ?? 300_000);
const batch = 10_000;

/** Inserts jobs `from` to `from + count`; the first account has every second one. */
const insertJobs = `
  WITH job AS MATERIALIZED (
    SELECT uuidv7(age) AS id, now() + age AS moment, n,
           CASE WHEN n % 2 = 0 THEN ($1::uuid[])[1] ELSE ($1::uuid[])[2 + n % 100] END AS account_id,
           CASE WHEN n % 1000 = 1 THEN 'rare-model' ELSE 'common-model' END AS model,
           CASE WHEN n % 4 = 1 OR n % 10000 = 2 THEN 'edit' ELSE 'image' END AS operation,
           (SELECT string_agg('word' || floor(20000 * random() ^ 6)::int, ' ')
              FROM generate_series(1, 30) WHERE n IS NOT NULL) AS prompt
      FROM (SELECT n, interval '-30 days' + interval '29 days' * (n / $4::float8) AS age
              FROM generate_series($2::int, $2::int + $3::int - 1) AS n) AS ages
  ), accepted AS (
    INSERT INTO generation (id, account_id, key_id, kind, status, model, request, metadata, strictness,
                            price_micro_eur, renders_total, created_at, completed_at, deadline_at)
    SELECT id, account_id, account_id, 'image',
           CASE WHEN n % 500 = 0 THEN 'failed' ELSE 'completed' END::generation_status, model,
           jsonb_build_object('prompt', prompt), jsonb_build_object('order', n::text), 'normal', 0, 1,
           moment, moment, moment
      FROM job
  )`;

const insertSearch = `
  INSERT INTO generation_search (account_id, generation_id, terms)
  SELECT account_id, id, to_tsvector('simple', prompt) || array_to_tsvector(ARRAY[
           'operation:' || left(encode(sha256(convert_to(account_id || E'\\n' || operation, 'UTF8')), 'hex'), 32),
           'model:' || left(encode(sha256(convert_to(model, 'UTF8')), 'hex'), 32),
           'metadata:' || left(encode(sha256(convert_to(E'order\\n' || n, 'UTF8')), 'hex'), 32)])
    FROM job`;

const bench = await openBenchDatabase();
const { database } = bench;
try {
  const accountIds = Array.from({ length: 101 }, newId);
  await fill(accountIds);
  await reportSizes();
  for (const search of searchesOf(accountIds)) await reportSearch(search);
} finally {
  await bench.close();
}

async function fill(accountIds: readonly string[]): Promise<void> {
  const took = { without: 0, with: 0 };
  for (let from = 0; from < rows; from += batch) {
    const values = [accountIds, from, Math.min(batch, rows - from), rows];
    // Every tenth batch is first inserted without the search table and rolled back, to compare.
    if (from % (10 * batch) === 0)
      took.without += await insert(`${insertJobs} SELECT`, values, true);
    const ms = await insert(`${insertJobs} ${insertSearch}`, values, false);
    if (from % (10 * batch) === 0) took.with += ms;
  }
  await database.query("VACUUM ANALYZE");
  const compared = Math.ceil(rows / (10 * batch)) * batch;
  print(
    `insert: ${microseconds(took.without, compared)} per job without search, ${microseconds(took.with, compared)} with it`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function microseconds(ms: number, count: number): string {
  return `${Math.round((ms * 1_000) / count)} µs`;
}

async function insert(text: string, values: readonly unknown[], undo: boolean): Promise<number> {
  const undone = new Error("undone");
  let tookMs = 0;
  try {
    await database.transaction(async (sql) => {
      await sql.query("SET LOCAL session_replication_role = replica");
      await sql.query("SET LOCAL statement_timeout = 0");
      const startedAt = performance.now();
      await sql.query(text, values);
      tookMs = performance.now() - startedAt;
      if (undo) throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return tookMs;
}

async function reportSizes(): Promise<void> {
  const sizes = await database.query<{ name: string; bytes: bigint }>(
    `SELECT relname AS name, pg_relation_size(oid)::bigint AS bytes FROM pg_class
      WHERE relname LIKE 'generation%' AND relkind IN ('r', 'i') ORDER BY 2 DESC`,
  );
  for (const { name, bytes } of sizes) print(`size: ${name} ${Number(bytes) >> 20} MB`);
}

interface Search {
  readonly name: string;
  readonly run: (database: Pick<Database, "transaction" | "query">) => Promise<unknown>;
}

function searchesOf([large = "", , small = ""]: readonly string[]): Search[] {
  const page = { limit: 20, beforeId: null };
  const search = (accountId: string, filters: object) => (on: Pick<Database, "transaction">) =>
    searchGenerations(on, { ...page, accountId, ...filters });
  return [
    { name: "q, common word, large account", run: search(large, { q: "word0" }) },
    { name: "q, two common words, large account", run: search(large, { q: "word1 word2" }) },
    { name: "q, rare word, large account", run: search(large, { q: "word19990" }) },
    { name: "q, unknown word, large account", run: search(large, { q: "nothing" }) },
    { name: "q, common word, small account", run: search(small, { q: "word0" }) },
    { name: "q, rare word, small account", run: search(small, { q: "word19990" }) },
    { name: "model, common", run: search(large, { model: "common-model" }) },
    { name: "model, absent in the account", run: search(large, { model: "rare-model" }) },
    {
      name: "model, common, and status, rare",
      run: search(large, { model: "common-model", status: "failed" }),
    },
    {
      name: "model, common, and status, none",
      run: search(large, { model: "common-model", status: "cancelled" }),
    },
    { name: "operation, rare in the account", run: search(large, { operation: "edit" }) },
    { name: "operation, absent in the account", run: search(large, { operation: "diagram" }) },
    { name: "operation, common", run: search(large, { operation: "image" }) },
    { name: "operation, common, small account", run: search(small, { operation: "edit" }) },
    {
      name: "operation, rare in the account, and status, rare",
      run: search(large, { operation: "edit", status: "failed" }),
    },
    { name: "metadata", run: search(large, { metadata: { order: "1000" } }) },
    {
      name: "created_before, in the middle",
      run: (on) =>
        listGenerations(on, {
          ...page,
          accountId: large,
          created_before: new Date(Date.now() - 15 * 86_400_000).toISOString(),
        }),
    },
    {
      name: "created_after and created_before, one old hour",
      run: (on) =>
        listGenerations(on, {
          ...page,
          accountId: large,
          created_after: new Date(Date.now() - 20 * 86_400_000).toISOString(),
          created_before: new Date(Date.now() - 20 * 86_400_000 + 3_600_000).toISOString(),
        }),
    },
    { name: "key", run: (on) => listGenerations(on, { ...page, accountId: small, keyId: small }) },
  ];
}

/** Prints the time of a search and the plan of its index scans. */
async function reportSearch({ name, run }: Search): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now();
    await run(database);
    times.push(performance.now() - startedAt);
  }
  const median = times.toSorted((a, b) => a - b)[2] ?? 0;
  print(`\n${name}: ${median.toFixed(1)} ms`);
  const explaining = (sql: Sql): Sql => ({
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      if (!text.includes("SELECT")) return sql.query<Row>(text, values);
      const plan = await sql.query<{ "QUERY PLAN": string }>(
        `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF) ${text}`,
        values,
      );
      for (const { "QUERY PLAN": line } of plan) {
        if (/generation_search|on generation |Execution|Removed/.test(line))
          print(`  ${line.trim()}`);
      }
      return [];
    },
  });
  await run({
    ...explaining(database),
    transaction: (work) => database.transaction((sql) => work(explaining(sql))),
  });
}
