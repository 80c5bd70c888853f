import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Sql } from "@atelier/database";

const decompress = promisify(gunzip);

/** A file of the archive, with the accounts that its part records. */
export interface ArchivedFile {
  readonly key: string;
  readonly accountIds: readonly string[];
}

/** An account with jobs in a file where it must not have them. */
interface MisplacedAccount {
  readonly account: string;
  readonly problem: "texts of an erased account" | "not recorded";
}

/** Reads all files of the archive, in key order. */
export function listArchivedFiles(sql: Sql): Promise<ArchivedFile[]> {
  return sql.query<ArchivedFile>(
    `SELECT storage_key AS key, account_ids AS "accountIds" FROM archive_part
      WHERE storage_key IS NOT NULL ORDER BY storage_key COLLATE "C"`,
  );
}

/**
 * Finds accounts that were erased and still have texts in a file of the archive, and accounts whose erasure or
 * export would not find the file.
 */
export async function findMisplacedAccounts(
  sql: Sql,
  { accountIds }: ArchivedFile,
  bytes: Uint8Array,
): Promise<readonly MisplacedAccount[]> {
  const hasTexts = new Map<string, boolean>();
  for (const line of (await decompress(bytes)).toString().split("\n")) {
    const job = line === "" ? null : readJob(line);
    if (job === null) continue;
    const { account_id: account, redacted_at: redactedAt } = job;
    hasTexts.set(account, redactedAt === null || hasTexts.get(account) === true);
  }
  const erased = await sql.query<{ id: string }>(
    "SELECT id FROM account WHERE id = ANY ($1) AND erased_at IS NOT NULL",
    [[...hasTexts.keys()]],
  );
  const erasedIds = new Set(erased.map(({ id }) => id));
  return [...hasTexts].flatMap(([account, keepsTexts]): MisplacedAccount[] => {
    if (erasedIds.has(account)) {
      return keepsTexts ? [{ account, problem: "texts of an erased account" }] : [];
    }
    return accountIds.includes(account) ? [] : [{ account, problem: "not recorded" }];
  });
}

/** Columns of a row of `generation`. */
interface ArchivedJobRow {
  readonly account_id: string;
  readonly redacted_at: string | null;
}

function readJob(line: string): ArchivedJobRow | null {
  const { table, row } = JSON.parse(line) as { table: string; row: ArchivedJobRow };
  return table === "generation" ? row : null;
}
