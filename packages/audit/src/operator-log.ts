import { createHash, createHmac, randomBytes } from "node:crypto";
import { statement, type Database, type Sql } from "@atelier/database";
import { maxExamples, type Finding } from "./audit-database.ts";

/** An operator's action that changes something, before it is recorded. */
export interface Operation {
  /** Who acts, such as `cli:anna`. */
  readonly actor: string;
  /** The command, such as `accounts top-up`. */
  readonly action: string;
  /** The account, job or key; null for the whole installation. */
  readonly targetId: string | null;
  /** Names of what it changes. */
  readonly fields: readonly string[];
  readonly requestId: string | null;
  /** Personal values, which the erasure of their account deletes; null for none. */
  readonly personal: {
    readonly accountId: string;
    readonly values: Readonly<Record<string, string>>;
  } | null;
}

/** A line of the operator log. */
export interface LoggedOperation extends Omit<Operation, "personal"> {
  readonly number: bigint;
  readonly at: Date;
  /** Whether its digest needs the key: false for lines that were written without OPERATOR_LOG_KEY. */
  readonly isSealed: boolean;
  /** Of this line and all before it, in hexadecimal. */
  readonly digest: string;
  /** Null without personal values, and once they are erased. */
  readonly values: Readonly<Record<string, string>> | null;
}

/** The last line of the log at some time, which process logs and backups have. */
export interface LogHead {
  readonly number: bigint;
  /** In hexadecimal. */
  readonly digest: string;
}

/** A line as the tables have it. */
interface StoredLine extends Omit<LoggedOperation, "values"> {
  /** Hash of the salt and the values; null without values. */
  readonly valuesHash: Buffer | null;
  readonly salt: Buffer | null;
  readonly personal: string | null;
  /** Whether the account of the values was erased. */
  readonly isErased: boolean;
}

const noDigest = Buffer.alloc(32);

/** The key of a new line does not continue the log, which the audit would report for ever. */
class OperatorLogKeyError extends Error {
  override readonly name = "OperatorLogKeyError";
}

/**
 * Appends a line in a transaction, which holds a lock on the log until its end. The digest of a line is the HMAC of the
 * digest before it and its own text.
 *
 * @param key OPERATOR_LOG_KEY; null chains the line without a key.
 * @throws OperatorLogKeyError if the last line was written with a key, and this is not it.
 */
export async function recordOperation(
  sql: Sql,
  key: string | null,
  operation: Operation,
): Promise<LogHead> {
  const owner = operation.personal && (await lockOwner(sql, operation.personal.accountId));
  await sql.query("LOCK TABLE operator_log IN EXCLUSIVE MODE");
  const head = await readHead(sql);
  if (head !== null) await assertKey(sql, key, head);
  const salt = randomBytes(16);
  const personal = owner && JSON.stringify(operation.personal?.values);
  const line = {
    ...operation,
    number: (head?.number ?? 0n) + 1n,
    at: new Date(),
    isSealed: key !== null,
    valuesHash: personal === null ? null : hashValues(salt, personal),
  };
  const before = head === null ? noDigest : Buffer.from(head.digest, "hex");
  const digest = digestOf(key, before, line);
  await sql.query(
    ...insertLine.bind({
      number: line.number,
      at: line.at.toISOString(),
      actor: line.actor,
      action: line.action,
      targetId: line.targetId,
      fields: line.fields,
      requestId: line.requestId,
      valuesHash: line.valuesHash,
      isSealed: line.isSealed,
      digest,
    }),
  );
  if (owner !== null) {
    await sql.query(
      ...insertValues.bind({
        number: line.number,
        accountId: owner,
        salt,
        personal,
      }),
    );
  }
  return { number: line.number, digest: digest.toString("hex") };
}

/** Compares the digest of the last line with the one that the key makes. */
async function assertKey(sql: Sql, key: string | null, head: LogHead): Promise<void> {
  const [line, before] = (await readPage(sql, head.number - 2n, null)).toReversed();
  if (line?.isSealed !== true) return;
  if (key === null) {
    throw new OperatorLogKeyError(
      "The operator log is written with OPERATOR_LOG_KEY, which is not set. Set it for this command.",
    );
  }
  const digest = digestOf(
    key,
    Buffer.from(before?.digest ?? noDigest.toString("hex"), "hex"),
    line,
  );
  if (digest.toString("hex") === line.digest) return;
  throw new OperatorLogKeyError(
    `Line ${line.number} of the operator log was written with another OPERATOR_LOG_KEY, or was changed. Set the key of the log; if it is set, run the audit.`,
  );
}

/** Keeps an account from being erased until the end of the transaction; null if it is erased or unknown. */
async function lockOwner(sql: Sql, accountId: string): Promise<string | null> {
  const [owner] = await sql.query<{ id: string }>(
    "SELECT id FROM account WHERE id = $1 AND erased_at IS NULL FOR SHARE",
    [accountId],
  );
  return owner?.id ?? null;
}

const insertLine = statement(
  [
    "number",
    "at",
    "actor",
    "action",
    "targetId",
    "fields",
    "requestId",
    "valuesHash",
    "isSealed",
    "digest",
  ],
  `INSERT INTO operator_log (number, at, actor, action, target_id, fields, request_id, values_hash, is_sealed, digest)
   VALUES (:number, :at, :actor, :action, :targetId, :fields, :requestId, :valuesHash, :isSealed, :digest)`,
);

const insertValues = statement(
  ["number", "accountId", "salt", "personal"],
  `INSERT INTO operator_log_values (number, account_id, salt, personal)
   VALUES (:number, :accountId, :salt, :personal)`,
);

function hashValues(salt: Buffer, personal: string): Buffer {
  return createHash("sha256").update(salt).update(personal).digest();
}

function digestOf(
  key: string | null,
  before: Buffer,
  line: Omit<LoggedOperation, "digest" | "values"> & { readonly valuesHash: Buffer | null },
): Buffer {
  const text = JSON.stringify([
    String(line.number),
    line.at.toISOString(),
    line.actor,
    line.action,
    line.targetId,
    line.fields,
    line.requestId,
    line.valuesHash?.toString("hex") ?? null,
    line.isSealed,
  ]);
  const hash = key === null ? createHash("sha256") : createHmac("sha256", key);
  return hash.update(before).update(text).digest();
}

/** Reads the last line; null for an empty log. */
export async function readHead(sql: Sql): Promise<LogHead | null> {
  const [head] = await sql.query<LogHead>(
    `SELECT number, encode(digest, 'hex') AS digest FROM operator_log ORDER BY number DESC LIMIT 1`,
  );
  return head ?? null;
}

/** Lines that are read at once. */
const pageSize = 1_000;

/** Reads the lines after a number, oldest first; all of them, or those about a target. */
export async function* readOperatorLog(
  sql: Sql,
  { after = 0n, targetId = null }: { readonly after?: bigint; readonly targetId?: string | null },
): AsyncGenerator<LoggedOperation> {
  for await (const line of readStored(sql, after, targetId)) {
    const { valuesHash: _hash, salt: _salt, isErased: _erased, personal, ...logged } = line;
    const values = personal === null ? null : (JSON.parse(personal) as Record<string, string>);
    yield { ...logged, values };
  }
}

async function* readStored(
  sql: Sql,
  after: bigint,
  targetId: string | null,
): AsyncGenerator<StoredLine> {
  let last = after;
  for (;;) {
    const page = await readPage(sql, last, targetId);
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageSize) return;
    last = end.number;
  }
}

function readPage(sql: Sql, after: bigint, targetId: string | null): Promise<StoredLine[]> {
  return sql.query<StoredLine>(
    `SELECT log.number, at, actor, action, target_id AS "targetId", fields, request_id AS "requestId",
            is_sealed AS "isSealed", encode(digest, 'hex') AS digest, values_hash AS "valuesHash", salt, personal,
            EXISTS (SELECT FROM account WHERE id = target_id AND erased_at IS NOT NULL) AS "isErased"
       FROM operator_log AS log LEFT JOIN operator_log_values AS own ON own.number = log.number
      WHERE log.number > $1 AND ($2::uuid IS NULL OR target_id = $2)
      ORDER BY log.number LIMIT ${pageSize}`,
    [after, targetId],
  );
}

/** The check of the operator log, as the audit names it. */
export const operatorLogCheck =
  "The lines of the operator log are complete and unchanged, and so are their values until an erasure.";

interface Problem {
  readonly line: string;
  readonly problem: string;
}

/**
 * Checks the numbers, digests and values of all lines, and that the log still has earlier heads. Without the key, the
 * digests of sealed lines are not checked.
 *
 * @param heads from process logs and backups: only they show that the newest lines were cut off.
 */
export async function auditOperatorLog(
  sql: Sql,
  key: string | null,
  heads: readonly LogHead[],
): Promise<Finding> {
  const problems: Problem[] = [];
  const sought = new Map(heads.map(({ number, digest }) => [number, digest]));
  let checked = 0;
  let last = { number: 0n, digest: noDigest.toString("hex"), isSealed: false };
  const report = (number: bigint, problem: string) =>
    problems.push({ line: String(number), problem });
  for await (const line of readStored(sql, 0n, null)) {
    checked++;
    if (line.number !== last.number + 1n) {
      report(last.number + 1n, `the lines up to ${line.number - 1n} are missing`);
    } else if (last.isSealed && !line.isSealed) {
      report(line.number, "written without OPERATOR_LOG_KEY after lines with it");
    } else if (!line.isSealed || key !== null) {
      const digest = digestOf(line.isSealed ? key : null, Buffer.from(last.digest, "hex"), line);
      if (digest.toString("hex") !== line.digest) {
        report(line.number, "changed, or written with another OPERATOR_LOG_KEY");
      }
    }
    checkValues(line, (problem) => report(line.number, problem));
    const head = sought.get(line.number);
    if (head !== undefined && head !== line.digest) {
      report(line.number, "another line than that of an earlier head");
    }
    sought.delete(line.number);
    last = line;
  }
  for (const number of sought.keys()) report(number, "cut off: an earlier head has it");
  return {
    invariant: operatorLogCheck,
    checked,
    violations: problems.length,
    repair: null,
    examples: problems.slice(0, maxExamples),
  };
}

function checkValues(line: StoredLine, report: (problem: string) => void): void {
  const { valuesHash, salt, personal, isErased } = line;
  if (salt === null || personal === null) {
    if (valuesHash !== null && !isErased) report("its values are removed, without an erasure");
    return;
  }
  if (isErased) report("its values are kept, although its account was erased");
  else if (valuesHash === null || !hashValues(salt, personal).equals(valuesHash)) {
    report("its values are changed");
  }
}

/** Records an operation in a transaction of its own. */
export function recordAlone(
  database: Pick<Database, "transaction">,
  key: string | null,
  operation: Operation,
): Promise<LogHead> {
  return database.transaction((sql) => recordOperation(sql, key, operation));
}

/**
 * Records an operation that must not wait for its key, such as a migration.
 *
 * @returns a sentence that says why it is not recorded; null if it is.
 */
export async function recordUnlessRefused(
  database: Pick<Database, "transaction">,
  key: string | null,
  operation: Operation,
): Promise<string | null> {
  try {
    await recordAlone(database, key, operation);
    return null;
  } catch (error) {
    if (!(error instanceof OperatorLogKeyError)) throw error;
    return `The operator log has no line about this ${operation.action}. ${error.message}`;
  }
}
