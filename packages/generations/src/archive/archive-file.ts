import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { groupByJob, type JobLines } from "./archived-tables.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The operations of a storage that the archive needs. */
export interface ArchiveStorage {
  put(key: string, bytes: Uint8Array, options: { readonly contentType: string }): Promise<void>;
  get(key: string): Promise<{ readonly bytes: Uint8Array } | null>;
  delete(keys: readonly string[]): Promise<readonly { readonly key: string }[]>;
}

/** A file of archived jobs in the storage. */
export interface ArchiveFile {
  readonly key: string;
  /** Of the compressed bytes, in hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Writes the rows of jobs as gzipped lines of JSON, and reads them back.
 *
 * @throws Error when the storage returns other rows.
 */
export async function writeArchiveFile(
  storage: ArchiveStorage,
  key: string,
  jobs: JobLines,
): Promise<ArchiveFile> {
  const text = [...jobs.values()].flatMap((lines) => lines.map((line) => `${line}\n`)).join("");
  const bytes = await compress(text);
  await storage.put(key, bytes, { contentType: "application/octet-stream" });
  const file = { key, sha256: hashOf(bytes), sizeBytes: bytes.length };
  if ((await readText(storage, file)) !== text) throw damaged(key);
  return file;
}

/** @throws Error when the file is missing or is not what was written. */
export async function readArchiveFile(
  storage: Pick<ArchiveStorage, "get">,
  file: Pick<ArchiveFile, "key" | "sha256">,
): Promise<JobLines> {
  const text = await readText(storage, file);
  const lines = text.split("\n").filter((line) => line !== "");
  return groupByJob(lines.map((line) => ({ job: parseLine(line).job, line })));
}

/** A row of an archived job. Numbers above 2^53 are rounded: the line has their digits. */
export interface ArchivedRow {
  readonly job: string;
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Parses a line of a file. */
export function parseLine(line: string): ArchivedRow {
  return JSON.parse(line) as ArchivedRow;
}

/** The row of the job itself; null once its account is erased. */
export function jobRowOf(lines: readonly string[]): ArchivedRow["row"] | null {
  for (const line of lines) {
    const { table, row } = parseLine(line);
    if (table === "generation") return row;
  }
  return null;
}

/** The account of a job; null once it is erased. */
export function accountOf(lines: readonly string[]): string | null {
  const account = jobRowOf(lines)?.["account_id"];
  return typeof account === "string" ? account : null;
}

/** The accounts of some jobs, without erased ones. */
export function accountsOf(jobs: JobLines): string[] {
  const accounts = new Set<string>();
  for (const lines of jobs.values()) {
    const account = accountOf(lines);
    if (account !== null) accounts.add(account);
  }
  return [...accounts];
}

async function readText(
  storage: Pick<ArchiveStorage, "get">,
  { key, sha256 }: Pick<ArchiveFile, "key" | "sha256">,
): Promise<string> {
  const stored = await storage.get(key);
  if (stored === null || hashOf(stored.bytes) !== sha256) throw damaged(key);
  return (await decompress(stored.bytes)).toString();
}

function damaged(key: string): Error {
  return new Error(
    `The file ${key} of the storage is missing or is not what was written. Restore it from a backup of the storage.`,
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
