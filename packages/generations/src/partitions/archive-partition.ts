import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { setTimeout as delay } from "node:timers/promises";
import type { Database, Sql } from "@atelier/database";
import { shortLockWaits } from "./create-partitions.ts";
import { detachPartition } from "./detach-partition.ts";
import { partitionedTables } from "./partitioned-tables.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The operations of a storage that archiving needs. */
export interface ArchiveStorage {
  put(key: string, bytes: Uint8Array, options: { readonly contentType: string }): Promise<void>;
  get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
}

/** Prefix of archives, at `archived/<month>/<table>-<number>.jsonl.gz`. No rule of the store deletes them. */
export const archivePrefix = "archived/";

/** A file of rows: gzipped JSON, one row a line. */
export interface ArchivedFile {
  readonly table: string;
  readonly key: string;
  readonly rows: number;
  /** Of the lines before compression. */
  readonly sha256: string;
}

/** An archived month. */
export interface ArchivedPartition {
  readonly name: string;
  readonly detachedAt: Date;
  readonly archivedAt: Date | null;
  readonly droppedAt: Date | null;
  readonly files: readonly ArchivedFile[];
}

const rowsInFile = 50_000;
const rowsAtOnce = 5_000;

/** Reads the months that are archived or on their way there, oldest first. */
export function readArchived(sql: Sql): Promise<ArchivedPartition[]> {
  return sql.query(
    `SELECT name, detached_at AS "detachedAt", archived_at AS "archivedAt", dropped_at AS "droppedAt", files
       FROM archived_partition ORDER BY from_id`,
  );
}

/**
 * Moves a month from the database to the storage: detaches it, writes its rows to files, reads them back, and
 * drops its tables. Each step is recorded when it is complete: after an interruption, the next call goes on.
 *
 * @param remark receives a line about each step.
 * @returns the files of the month.
 * @throws PartitionRefusedError when the month may not be archived.
 */
export async function archivePartition(
  database: Database,
  storage: ArchiveStorage,
  name: string,
  remark: (line: string) => void = () => undefined,
): Promise<readonly ArchivedFile[]> {
  if (await detachPartition(database, name)) remark(`${name} is detached`);
  const archived = (await readArchived(database)).find((one) => one.name === name);
  if (archived === undefined) throw new Error(`${name} is not recorded as detached`);
  if (archived.droppedAt !== null) return archived.files;
  let { files } = archived;
  if (archived.archivedAt === null) {
    files = await writeFiles(database, storage, name, remark);
    await verifyFiles(database, storage, name, files);
    await database.query(
      "UPDATE archived_partition SET archived_at = now(), files = $2 WHERE name = $1",
      [name, JSON.stringify(files)],
    );
    remark(`${name} is archived and verified`);
  }
  await dropTables(database, name);
  remark(`${name} is dropped`);
  return files;
}

async function writeFiles(
  sql: Sql,
  storage: ArchiveStorage,
  name: string,
  remark: (line: string) => void,
): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  for (const table of partitionedTables) {
    const partition = `${table.name}_${name}`;
    let after: Cursor | null = null;
    let number = 0;
    do {
      const { lines, next }: Page = await readLines(sql, partition, table.key, after);
      number++;
      const key = `${archivePrefix}${name}/${table.name}-${String(number).padStart(5, "0")}.jsonl.gz`;
      const text = Buffer.from(lines.join(""));
      await storage.put(key, await compress(text), { contentType: "application/octet-stream" });
      files.push({ table: table.name, key, rows: lines.length, sha256: hashOf(text) });
      remark(`${key}: ${lines.length} rows`);
      after = next;
    } while (after !== null);
  }
  const manifest = Buffer.from(`${JSON.stringify({ name, files }, null, 2)}\n`);
  await storage.put(`${archivePrefix}${name}/manifest.json`, manifest, {
    contentType: "application/json",
  });
  return files;
}

/** Place of a row in a detached table, which does not change. */
interface Cursor {
  readonly key: string;
  readonly place: string;
}

interface Page {
  readonly lines: readonly string[];
  /** Null after the last row. */
  readonly next: Cursor | null;
}

/** Reads the rows of one file as lines of JSON, in the order of their key. */
async function readLines(
  sql: Sql,
  table: string,
  key: string,
  after: Cursor | null,
): Promise<Page> {
  const lines: string[] = [];
  let next = after;
  while (lines.length < rowsInFile) {
    const rows: (Cursor & { line: string })[] = await sql.query(
      `SELECT ${key} AS key, ctid::text AS place, to_jsonb(${table})::text AS line FROM ${table}
        WHERE $1::uuid IS NULL OR (${key}, ctid) > ($1::uuid, $2::tid)
        ORDER BY ${key}, ctid LIMIT ${rowsAtOnce}`,
      [next?.key ?? null, next?.place ?? null],
    );
    lines.push(...rows.map(({ line }) => `${line}\n`));
    next = rows.at(-1) ?? null;
    if (rows.length < rowsAtOnce) return { lines, next: null };
  }
  return { lines, next };
}

/** @throws Error when the files in the storage are not the rows of the tables. */
async function verifyFiles(
  sql: Sql,
  storage: ArchiveStorage,
  name: string,
  files: readonly ArchivedFile[],
): Promise<void> {
  for (const { key, rows, sha256 } of files) {
    const stored = await storage.get(key);
    const text = stored === null ? Buffer.alloc(0) : await decompress(stored.bytes);
    const lines = text.reduce((count, byte) => count + (byte === newLine ? 1 : 0), 0);
    if (stored === null || lines !== rows || hashOf(text) !== sha256) {
      throw new Error(`The archived file ${key} is not what was written. Archive the month again.`);
    }
  }
  for (const { name: table } of partitionedTables) {
    const [found] = await sql.query<{ rows: number }>(
      `SELECT count(*)::float8 AS rows FROM ${table}_${name}`,
    );
    const archived = files
      .filter((file) => file.table === table)
      .reduce((sum, { rows }) => sum + rows, 0);
    if (found?.rows !== archived) {
      throw new Error(`${table}_${name} has ${found?.rows} rows, and its files have ${archived}.`);
    }
  }
}

const newLine = 0x0a;

/** SQLSTATE of `lock_timeout` and of a deadlock. */
const conflicts: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

const lockRetries = 100;

/** Drops the detached tables. A foreign key of theirs locks the accounts, so it waits as briefly as others. */
async function dropTables(database: Database, name: string): Promise<void> {
  const tables = partitionedTables.map((table) => `${table.name}_${name}`).join(", ");
  for (let attempt = 1; ; attempt++) {
    try {
      await database.transaction(async (sql) => {
        await sql.query(shortLockWaits);
        await sql.query(`DROP TABLE IF EXISTS ${tables}`);
        await sql.query("UPDATE archived_partition SET dropped_at = now() WHERE name = $1", [name]);
      });
      return;
    } catch (error) {
      if (attempt === lockRetries || !conflicts.has((error as { code?: unknown }).code))
        throw error;
      await delay(200 + 800 * Math.random());
    }
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
