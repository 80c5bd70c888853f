import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createDatabase } from "@atelier/database";
import { archiveJobs, findGeneration } from "@atelier/generations";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage, type Storage } from "@atelier/storage";
import { fillHistory } from "@atelier/testing";
import { startServices } from "../../shared/start-services.ts";
import { compareReads, sampled, type Compared, type Filled } from "./reads.ts";
import { measureOthers, readWal, type Waits } from "./others.ts";

/**
 * Compares reads of many jobs with those of 10,000 in a new installation, archives the oldest months, and
 * measures what that costs and how long others wait meanwhile:
 *
 * npm run bench -- archive [jobs] [--months 24] [--archived 2] [--json file]
 */
const { values: flags, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    months: { type: "string", default: "24" },
    archived: { type: "string", default: "2" },
    json: { type: "string" },
  },
});
const jobs = Number(positionals[0] ?? 1_000_000);
const monthDays = 30.4375;
const directory = await mkdtemp(join(tmpdir(), "atelier-bench-"));
// Commits do not wait for the disk, which is shared with other work.
const services = await startServices(directory, {
  fsync: "off",
  max_wal_size: "8GB",
  shared_buffers: "1GB",
  autovacuum: "off",
});
const closers: (() => Promise<unknown>)[] = [];
try {
  const storage = await createStorage({
    url: pathToFileURL(join(directory, "storage")).href,
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for benchmarks",
  });
  closers.push(() => storage.close());
  const small = await fill(10_000);
  const large = await fill(jobs);
  const reads = await compareReads(small, large);
  const plans = await explainRead(large);
  const archived = await measureArchive(large, storage);
  const readsAfter = await compareReads(small, large);
  report(reads, "before");
  report(readsAfter, "after");
  print(`Indexes that a read of a job by id uses:\n  ${plans.join("\n  ")}`);
  print(JSON.stringify(archived, null, 2));
  if (flags.json !== undefined) {
    const results = { jobs, months: Number(flags.months), reads, readsAfter, plans, archived };
    await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  for (const close of closers.toReversed()) await close();
  await services.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Fills a database of its own, without a time limit for statements. */
async function fill(count: number): Promise<Filled> {
  const startedAt = performance.now();
  const { url } = await createTestDatabase(services.postgresUrl);
  const filling = createDatabase({
    url,
    poolSize: 2,
    applicationName: "bench-fill",
    statementTimeoutMs: 3_600_000,
  });
  const accounts = await fillHistory(filling, {
    accounts: 50,
    generations: count,
    ages: [Number(flags.months) * monthDays, 1],
    word: "(($2::int + number) % 10000)::text",
    onProgress: (done) => process.stderr.write(`${done} of ${count}\r`),
  });
  await filling.query("VACUUM ANALYZE");
  await filling.close();
  const database = createDatabase({ url, poolSize: 8, applicationName: "bench" });
  closers.push(() => database.close());
  const sample = await database.query<{ id: string; accountId: string }>(
    `SELECT id, account_id AS "accountId"
       FROM generation TABLESAMPLE SYSTEM (${Math.min(100, 400_000 / count)})
      WHERE id > (SELECT uuidv7($1::float8 * interval '-1 day')) ORDER BY random() LIMIT 1000`,
    [(Number(flags.months) * monthDays) / 2],
  );
  print(`Filled ${count} jobs in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return { url, database, accounts, sample };
}

/** The tables and indexes in the plan of a read by id. */
async function explainRead(filled: Filled): Promise<string[]> {
  const { id, accountId } = sampled(filled, 0);
  const scans: string[] = [];
  const explaining = {
    async query(text: string, values?: readonly unknown[]) {
      const plan = await filled.database.query<{ "QUERY PLAN": string }>(
        `EXPLAIN (COSTS OFF) ${text}`,
        values,
      );
      for (const { "QUERY PLAN": line } of plan) {
        const scan = /(?:Index|Seq|Bitmap).* on (?:generation|render|image)\b.*/.exec(line)?.[0];
        if (scan !== undefined) scans.push(scan.trim());
      }
      return [];
    },
  };
  await findGeneration(explaining, { generationId: id, accountId });
  return [...new Set(scans)];
}

interface Archived {
  readonly jobs: number;
  readonly seconds: number;
  readonly msPerJob: number;
  /** At most, since the writes of others are included. */
  readonly walBytesPerJob: number;
  readonly fileBytesPerJob: number;
  readonly others: Waits;
  readonly othersAlone: Waits;
  readonly vacuumSeconds: number;
  readonly vacuumWalBytesPerJob: number;
}

/** Archives the oldest months while other connections read and write the newer half. */
async function measureArchive(
  { url, database, sample }: Filled,
  storage: Storage,
): Promise<Archived> {
  const ids = sample.map(({ id }) => id);
  const othersAlone = await measureOthers(
    database,
    ids,
    () => new Promise((done) => setTimeout(done, 10_000)),
  );
  const [oldest] = await database.query<{ before: string }>(
    `SELECT to_char(date_trunc('month', min(created_at)) + $1::int * interval '1 month', 'YYYY-MM') AS before
       FROM generation`,
    [Number(flags.archived)],
  );
  const archiver = createDatabase({ url, poolSize: 1, applicationName: "atelier-archive" });
  closers.push(() => archiver.close());
  const walBefore = await readWal(archiver);
  const startedAt = performance.now();
  let archivedJobs = 0;
  const others = await measureOthers(database, ids, async () => {
    const options = { before: oldest?.before ?? "", withTexts: true };
    const remark = (line: string) => void process.stderr.write(`${line}\r`);
    archivedJobs = (await archiveJobs({ database: archiver, storage }, options, remark)).jobs;
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const wal = (await readWal(archiver)) - walBefore;
  const vacuumStartedAt = performance.now();
  const walBeforeVacuum = await readWal(archiver);
  const vacuuming = createDatabase({
    url,
    poolSize: 1,
    applicationName: "bench-vacuum",
    statementTimeoutMs: 3_600_000,
  });
  await vacuuming.query("VACUUM");
  await vacuuming.close();
  const vacuumWal = (await readWal(archiver)) - walBeforeVacuum;
  const [files] = await database.query<{ bytes: number }>(
    "SELECT sum(size_bytes)::float8 AS bytes FROM archive_part",
  );
  return {
    jobs: archivedJobs,
    seconds,
    msPerJob: (seconds * 1_000) / archivedJobs,
    walBytesPerJob: wal / archivedJobs,
    fileBytesPerJob: (files?.bytes ?? 0) / archivedJobs,
    others,
    othersAlone,
    vacuumSeconds: (performance.now() - vacuumStartedAt) / 1_000,
    vacuumWalBytesPerJob: vacuumWal / archivedJobs,
  };
}

function report(compared: readonly Compared[], when: string): void {
  print(
    `p95, ${when} archiving`.padEnd(30) +
      `${"10,000".padStart(14)} ${String(jobs).padStart(14)}   ratio`,
  );
  for (const { name, smallMs, largeMs, ratio } of compared) {
    print(
      `${name.padEnd(30)} ${smallMs.toFixed(2).padStart(10)} ms ${largeMs.toFixed(2).padStart(11)} ms ${ratio.toFixed(2).padStart(7)}`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
