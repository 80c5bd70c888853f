import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { withoutTimeouts } from "../statement-timeouts.ts";
import { baseline, compareWithBaseline, lastCommitBeforeBaseline } from "./baseline.ts";
import {
  checksumOf,
  concurrentStatements,
  readMigrationFiles,
  type IndexStatement,
  type Migration,
} from "./migration-files.ts";

export interface MigrateOptions {
  /** Default: those in `prisma/migrations`. */
  readonly migrations?: readonly Migration[];
  /** Receives a line about each step, and about each wait for a lock. */
  readonly onProgress?: (line: string) => void;
  /** How long a migration waits for a lock, and all statements of the service behind it. Default: 1 s. */
  readonly lockTimeoutMs?: number;
  /** How long a migration is tried again because of locks. Default: 10 minutes. */
  readonly giveUpAfterMs?: number;
}

/** The lock that `prisma migrate` takes too, so that versions that use it wait. */
const advisoryLock = 72_707_369;
const lockPollMs = 250;

/** SQLSTATE of `lock_timeout` and of a deadlock. */
const lockConflicts: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/**
 * Applies pending migrations, one transaction each, and records them in the table of `prisma migrate`.
 * A migration that cannot get a lock within a second is rolled back and tried again, so that it never
 * blocks the service for longer. One that builds indexes concurrently runs outside a transaction; when
 * it was interrupted, it continues.
 *
 * @param databaseUrl not through a pooler.
 * @returns the names of the applied migrations; empty when the database was up to date.
 * @throws Error for a database that is older than the baseline.
 */
export async function applyMigrations(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { migrations = await readMigrationFiles(), onProgress = () => undefined } = options;
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "atelier-migrate",
    options: withoutTimeouts,
    keepAlive: true,
  });
  // The statement that runs then fails with the same error.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await takeLock(client, onProgress);
    const applied = await readApplied(client);
    const state = compareWithBaseline(applied);
    if (state === "outdated") {
      throw new Error(
        "This database is older than this version can migrate. " +
          `Run "npm run atelier -- migrate" of commit ${lastCommitBeforeBaseline} first, then this again.`,
      );
    }
    if (state === "equivalent") {
      applied.add(baseline);
      const found = migrations.find(({ name }) => name === baseline);
      if (found !== undefined) await record(client, found);
    }
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const [index, migration] of pending.entries()) {
      onProgress(`${index + 1} of ${pending.length}: ${migration.name}`);
      const concurrent = concurrentStatements(migration);
      if (concurrent === null) await applyInTransaction(client, migration, options);
      else await applyConcurrently(client, migration, concurrent);
    }
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Polls, because a statement that waits for the lock would have a snapshot, and CREATE INDEX
 * CONCURRENTLY waits for all earlier snapshots to end.
 */
async function takeLock(client: pg.Client, onProgress: (line: string) => void): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_lock($1) AS taken",
      [advisoryLock],
    );
    if (rows[0]?.taken === true) return;
    if (isFirst) onProgress("Another process migrates this database. Waiting for it.");
    await delay(lockPollMs);
  }
}

async function readApplied(client: pg.Client): Promise<Set<string>> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS _prisma_migrations (
       id varchar(36) PRIMARY KEY,
       checksum varchar(64) NOT NULL,
       finished_at timestamptz,
       migration_name varchar(255) NOT NULL,
       logs text,
       rolled_back_at timestamptz,
       started_at timestamptz NOT NULL DEFAULT now(),
       applied_steps_count integer NOT NULL DEFAULT 0)`,
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function record(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksumOf(migration), migration.name],
  );
}

async function applyInTransaction(
  client: pg.Client,
  migration: Migration,
  {
    onProgress = () => undefined,
    lockTimeoutMs = 1_000,
    giveUpAfterMs = 600_000,
  }: Pick<MigrateOptions, "onProgress" | "lockTimeoutMs" | "giveUpAfterMs">,
): Promise<void> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (let pauseMs = lockTimeoutMs; ; pauseMs = Math.min(2 * pauseMs, 10_000)) {
    try {
      await client.query("BEGIN");
      await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await client.query(migration.sql);
      await record(client, migration);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      if (!(error instanceof pg.DatabaseError) || !lockConflicts.has(error.code)) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Migration ${migration.name} failed: ${reason}`, { cause: error });
      }
      const holder = await describeOldestTransaction(client);
      if (performance.now() + pauseMs > giveUpAt) {
        throw new Error(
          `Migration ${migration.name} got no lock within ${Math.round(giveUpAfterMs / 1_000)} s${holder}. ` +
            "End that transaction, then migrate again.",
          { cause: error },
        );
      }
      onProgress(`${migration.name} waits for a lock${holder}. It is tried again.`);
      // Statements that waited behind this migration run in the pause.
      await delay(pauseMs);
    }
  }
}

/** Names the oldest open transaction, which most probably holds the lock. */
async function describeOldestTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `SELECT pid, application_name AS name, extract(epoch FROM now() - xact_start)::int AS seconds
       FROM pg_stat_activity
      WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() AND datname = current_database()
      ORDER BY xact_start LIMIT 1`,
  );
  const [oldest] = rows;
  return oldest === undefined
    ? ""
    : `: process ${oldest.pid} (${oldest.name}) is in a transaction since ${oldest.seconds} s`;
}

/**
 * Building an index concurrently locks out neither reads nor writes, so it has no lock timeout. An
 * interrupted build leaves an invalid index, which is replaced.
 */
async function applyConcurrently(
  client: pg.Client,
  migration: Migration,
  statements: readonly IndexStatement[],
): Promise<void> {
  for (const { text, index, isCreation } of statements) {
    if (isCreation) {
      const { rows } = await client.query<{ valid: boolean }>(
        "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)",
        [`"${index}"`],
      );
      if (rows[0]?.valid === true) continue;
      if (rows[0]?.valid === false) await client.query(`DROP INDEX CONCURRENTLY "${index}"`);
    }
    await client.query(text);
  }
  await record(client, migration);
}
