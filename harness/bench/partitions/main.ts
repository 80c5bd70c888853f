import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createDatabase, newId, type Database, type Sql } from "@atelier/database";
import {
  detachPartition,
  findGeneration,
  listGenerations,
  readPartitions,
  searchGenerations,
} from "@atelier/generations";
import { partitionSince } from "@atelier/generations/testing";
import { createTestDatabase } from "@atelier/local-services";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { percentile } from "../../shared/statistics.ts";
import { startServices } from "../../shared/start-services.ts";
import { fillJobs } from "./fill.ts";

/**
 * Compares reads of many jobs in monthly partitions with those of 10,000 jobs in a new installation, and measures
 * how long others wait while a month is detached:
 *
 * npm run bench -- partitions [jobs] [--months 24] [--json file]
 */
const { values: flags, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: { months: { type: "string", default: "24" }, json: { type: "string" } },
});
const jobs = Number(positionals[0] ?? 2_000_000);
const months = Number(flags.months);
const monthMs = 30.4375 * 86_400_000;
const repetitions = 150;

interface Filled {
  readonly database: Database;
  readonly accounts: readonly string[];
  readonly sample: readonly { id: string; accountId: string }[];
}

const directory = await mkdtemp(join(tmpdir(), "atelier-bench-"));
// Filled without durability: reads and locks do not wait for the disk.
const services = await startServices(directory, {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_wal_size: "8GB",
  shared_buffers: "1GB",
  autovacuum: "off",
});
const closers: (() => Promise<unknown>)[] = [];
try {
  const small = await fill(10_000, 0);
  const large = await fill(jobs, months);
  const reads = await compareReads(small, large);
  const touched = await countTouched(large);
  const detached = await measureDetaching(large);
  const lines = reads.map(
    ({ name, smallMs, largeMs, ratio }) =>
      `${name.padEnd(42)} ${smallMs.toFixed(2).padStart(8)} ms ${largeMs.toFixed(2).padStart(8)} ms ${ratio.toFixed(2).padStart(6)}`,
  );
  print(
    `p95 of a read${" ".repeat(29)} ${"10,000".padStart(11)} ${String(jobs).padStart(11)}  ratio`,
  );
  print(lines.join("\n"));
  print(`Partitions that a read of a job by id plans: ${JSON.stringify(touched)}`);
  print(
    `Detaching ${detached.name}: ${detached.detachMs.toFixed(0)} ms in all; the slowest of ${detached.statements} statements beside it took ${detached.slowestMs.toFixed(0)} ms`,
  );
  if (flags.json !== undefined) {
    const results = { jobs, months, reads, touched, detached };
    await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  for (const close of closers.toReversed()) await close();
  await services.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Fills a database of its own; with months, its partitions begin so long ago. */
async function fill(count: number, over: number): Promise<Filled> {
  const startedAt = performance.now();
  const { url } = await createTestDatabase(services.postgresUrl);
  const database = createDatabase({ url, poolSize: 8, applicationName: "bench" });
  closers.push(() => database.close());
  const now = Date.now();
  const fromMs = now - Math.max(over, 1) * monthMs;
  if (over > 0) await partitionSince(database, fromMs);
  const accounts = await fillJobs(database, { jobs: count, accounts: 51, fromMs, toMs: now });
  await database.transaction(async (sql) => {
    await sql.query("SET LOCAL statement_timeout = 0");
    await sql.query("SET LOCAL lock_timeout = 0");
    await sql.query("ANALYZE");
  });
  const sample = await database.query<{ id: string; accountId: string }>(
    `SELECT id, account_id AS "accountId" FROM generation TABLESAMPLE SYSTEM (${Math.min(100, 1e8 / count / 100)})
      ORDER BY random() LIMIT 1000`,
  );
  print(`Filled ${count} jobs in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return { database, accounts, sample };
}

type Read = (filled: Filled, round: number) => Promise<unknown>;

async function compareReads(small: Filled, large: Filled) {
  const page = { limit: 20, beforeId: null };
  const active = ({ accounts }: Filled, round: number) => accounts[1 + (round % 50)] ?? "";
  const sampled = ({ sample }: Filled, round: number) =>
    sample[round % sample.length] ?? { id: "", accountId: "" };
  const reads: Readonly<Record<string, Read>> = {
    "a job by id": async (on, round) => {
      const { id, accountId } = sampled(on, round);
      if ((await findGeneration(on.database, { generationId: id, accountId })) === null)
        throw new Error(`no job ${id}`);
    },
    "an unknown job": (on, round) =>
      findGeneration(on.database, { generationId: newId(), accountId: active(on, round) }),
    "newest jobs": (on, round) =>
      listGenerations(on.database, { ...page, accountId: active(on, round) }),
    "a later page": (on, round) => {
      const { id, accountId } = sampled(on, round);
      return listGenerations(on.database, { ...page, accountId, beforeId: id });
    },
    "newest failed jobs": (on, round) =>
      listGenerations(on.database, { ...page, accountId: active(on, round), status: "failed" }),
    "an account without jobs": (on) =>
      listGenerations(on.database, { ...page, accountId: newId() }),
    "an account whose jobs are the oldest": (on) =>
      listGenerations(on.database, { ...page, accountId: on.accounts[0] ?? "" }),
    "search for a frequent word": (on, round) =>
      searchGenerations(on.database, { ...page, accountId: active(on, round), q: "lighthouse" }),
    "search for a rare word": (on, round) =>
      searchGenerations(on.database, { ...page, accountId: active(on, round), q: String(round) }),
  };
  const results = [];
  for (const [name, read] of Object.entries(reads)) {
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let round = -30; round < repetitions; round++) {
      for (const [size, filled] of [
        ["small", small],
        ["large", large],
      ] as const) {
        const startedAt = performance.now();
        await read(filled, Math.abs(round));
        if (round >= 0) times[size].push(performance.now() - startedAt);
      }
    }
    const smallMs = percentile(times.small, 0.95);
    const largeMs = percentile(times.large, 0.95);
    results.push({ name, smallMs, largeMs, ratio: largeMs / smallMs });
    process.stderr.write(`${name}: ${smallMs.toFixed(2)} ms, ${largeMs.toFixed(2)} ms\n`);
  }
  return results;
}

/** The partitions of each table in the plan of a read by id. */
async function countTouched({
  database,
  sample,
}: Filled): Promise<Readonly<Record<string, number>>> {
  const found = new Map<string, Set<string>>();
  const explaining: Sql = {
    async query(text, values) {
      const plan = await database.query<{ "QUERY PLAN": string }>(
        `EXPLAIN (COSTS OFF) ${text}`,
        values,
      );
      for (const { "QUERY PLAN": line } of plan) {
        const [, table, partition] =
          /on (generation|render|image)_(\d{6}|first|rest)\b/.exec(line) ?? [];
        if (table === undefined || partition === undefined) continue;
        found.set(table, (found.get(table) ?? new Set()).add(partition));
      }
      return [];
    },
  };
  // In the middle of a month: renders of its first and last day may be in the month beside it.
  const middle = sample.find(({ id }) => {
    const day = new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).getUTCDate();
    return day > 3 && day < 26;
  });
  if (middle === undefined) throw new Error("no job in the middle of a month");
  await findGeneration(explaining, { generationId: middle.id, accountId: middle.accountId });
  return Object.fromEntries([...found].map(([table, partitions]) => [table, partitions.size]));
}

/** Detaches a month while other connections read and write. */
async function measureDetaching({ database, sample }: Filled) {
  const name = (await readPartitions(database))[2]?.name ?? "";
  const detached = new AbortController();
  let slowestMs = 0;
  let statements = 0;
  const load = async (text: string) => {
    while (!detached.signal.aborted) {
      const { id } = sample[Math.floor(Math.random() * sample.length)] ?? {};
      const startedAt = performance.now();
      await database.query(text, [id]);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      statements++;
    }
  };
  const loads = [
    load("SELECT request FROM generation WHERE id = $1"),
    load("SELECT count(*) FROM render WHERE generation_id = $1"),
    load("UPDATE generation SET title = NULL WHERE id = $1"),
    load("UPDATE image SET deleted_at = deleted_at WHERE render_id = $1"),
  ];
  const startedAt = performance.now();
  await detachPartition(database, name);
  const detachMs = performance.now() - startedAt;
  detached.abort();
  await Promise.all(loads);
  return { name, detachMs, slowestMs, statements };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
