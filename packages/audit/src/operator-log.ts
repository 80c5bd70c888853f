import { createHash, createHmac, randomBytes } from "node:crypto";
import { statement, type Database, type Sql } from "@atelier/database";
import { maxExamples, type Finding } from "./audit-database.ts";

/** An operator's action that changes something, before it is recorded. */
export interface Operation {
  /** Who acts, such as `cli:anna`. */
  readonly actor: string;
  /** The command, such as `accounts top-up`. */
  readonly action: string;
  /** The account or key, or the share of `shares remove`; null for the whole installation. */
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
export class OperatorLogKeyError extends Error {
  override readonly name = "OperatorLogKeyError";
}

/**
 * Appends a line in a transaction, which holds a lock on the log until its end. The digest of a line is the HMAC of the
 * digest before it and its own text.
 *
 * @param key OPERATOR_LOG_KEY; null chains the line without a key.
 * @throws OperatorLogKeyError if the last line was written with a key, and this is not it.
 */
export function recordOperation(
  sql: Sql,
  key: string | null,
  operation: Operation,
): Promise<LogHead> {
  return append(sql, key, operation, (head) => assertKey(sql, key, head));
}

/** The action of a line with which a key of the log begins. Its only field is the reason. */
const keyAction = "operator-log-key";

/** Why a key of the log begins: the one before is kept, to check its lines, or lost. */
export type KeyReason = "rotated" | "lost";

/**
 * Appends the line with which a new key begins. The audit checks the lines before it with earlier keys. If one is lost,
 * it reports the lines that it cannot check, and does not fail because of them.
 *
 * @param keys the new key, and earlier ones.
 * @throws OperatorLogKeyError if the key was rotated, and none of the keys wrote the last line.
 */
export function beginKey(
  database: Pick<Database, "transaction">,
  [key, ...earlier]: readonly [string, ...string[]],
  { actor, reason }: { readonly actor: string; readonly reason: KeyReason },
): Promise<LogHead> {
  const operation = {
    actor,
    action: keyAction,
    targetId: null,
    fields: [reason],
    requestId: null,
    personal: null,
  };
  return database.transaction((sql) =>
    append(sql, key, operation, async (head) => {
      if (reason === "lost") return;
      if (await isWrittenWith(sql, [key, ...earlier], head)) return;
      throw new OperatorLogKeyError(
        `Line ${head.number} of the operator log was written with another key than OPERATOR_LOG_KEY and OLD_OPERATOR_LOG_KEYS, or was changed. Add the key before to OLD_OPERATOR_LOG_KEYS; if it is lost, say so.`,
      );
    }),
  );
}

async function append(
  sql: Sql,
  key: string | null,
  operation: Operation,
  assertContinued: (head: LogHead) => Promise<void>,
): Promise<LogHead> {
  const owner = operation.personal && (await lockOwner(sql, operation.personal.accountId));
  await sql.query("LOCK TABLE operator_log IN EXCLUSIVE MODE");
  const head = await readHead(sql);
  if (head !== null) await assertContinued(head);
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
  if (await isWrittenWith(sql, key === null ? [] : [key], head)) return;
  throw new OperatorLogKeyError(
    key === null
      ? "The operator log is written with OPERATOR_LOG_KEY, which is not set. Set it for the program that writes."
      : `Line ${head.number} of the operator log was written with another OPERATOR_LOG_KEY, or was changed. Set the key of the log; if it is set, run the audit; if it is lost, see docs/operations.md, "The operator log".`,
  );
}

/** Returns whether one of the keys wrote the last line; true for a line without a key. */
async function isWrittenWith(sql: Sql, keys: readonly string[], head: LogHead): Promise<boolean> {
  const [line, before] = (await readPage(sql, head.number - 2n, null)).toReversed();
  if (line?.isSealed !== true) return true;
  const digest = before === undefined ? noDigest : Buffer.from(before.digest, "hex");
  return keys.some((key) => digestOf(key, digest, line).toString("hex") === line.digest);
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

/**
 * SQL for who requested the suspension of a suspended account, with the reason, as JSON: the first line about it after
 * the last one that resumed it. Null when neither is among the newest 100 lines about the account.
 *
 * @param accountId SQL for the id of the account.
 */
export function suspensionOf(accountId: string): string {
  return `(
     WITH newest AS (
       SELECT number, actor, action FROM operator_log
        WHERE target_id = ${accountId} ORDER BY number DESC LIMIT 100
     )
     SELECT json_build_object('actor', actor, 'reason', personal::json->>'reason')
       FROM newest LEFT JOIN operator_log_values AS own ON own.number = newest.number
      WHERE action = 'accounts suspend' AND newest.number > coalesce((
              SELECT max(number) FROM newest WHERE action = 'accounts resume'),
              CASE WHEN (SELECT count(*) FROM newest) < 100 THEN 0 END)
      ORDER BY newest.number LIMIT 1)`;
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

/** Lines that one key wrote: from the first with a key, or from one with which a key begins. */
interface Chain {
  readonly first: bigint;
  /** The last line that one of the keys wrote; null when none of them wrote any. */
  verified: bigint | null;
  /** Those that a key did not write, by key. */
  readonly failed: Map<string, bigint[]>;
  /** Undefined for the first chain, and for one whose first line none of the keys wrote. */
  readonly reason: string | undefined;
}

/**
 * Checks the numbers, digests and values of all lines, and that the log still has earlier heads. Without a key, the
 * digests of sealed lines are not checked. Lines of a key that is not among the keys are a problem, unless the next line
 * that one of the keys wrote states its loss: then they are noted.
 *
 * @param keys OPERATOR_LOG_KEY and earlier ones.
 * @param heads from process logs and backups: only they show that the newest lines were cut off.
 */
export async function auditOperatorLog(
  sql: Sql,
  keys: readonly string[],
  heads: readonly LogHead[],
): Promise<Finding> {
  const problems: Problem[] = [];
  const sought = new Map(heads.map(({ number, digest }) => [number, digest]));
  const chains: Chain[] = [];
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
    } else if (line.isSealed) {
      addToChain(chains, keys, line, last.digest);
    } else if (!isDigest(null, last.digest, line)) {
      report(line.number, changed);
    }
    checkValues(line, (problem) => report(line.number, problem));
    const head = sought.get(line.number);
    if (head !== undefined && head !== line.digest) {
      report(line.number, "another line than that of an earlier head");
    }
    sought.delete(line.number);
    last = line;
  }
  const notes = keys.length === 0 ? [] : checkChains(chains, report);
  for (const number of sought.keys()) report(number, "cut off: an earlier head has it");
  return {
    invariant: operatorLogCheck,
    checked,
    violations: problems.length,
    repair: null,
    examples: problems
      .toSorted((one, other) => Number(BigInt(one.line) - BigInt(other.line)))
      .slice(0, maxExamples),
    notes,
  };
}

const changed = "changed, or written with another OPERATOR_LOG_KEY";

function isDigest(key: string | null, before: string, line: StoredLine): boolean {
  return digestOf(key, Buffer.from(before, "hex"), line).toString("hex") === line.digest;
}

/** Checks a line with each key, and adds it to the last chain or to one that it begins. */
function addToChain(
  chains: Chain[],
  keys: readonly string[],
  line: StoredLine,
  before: string,
): void {
  const written = new Set(keys.filter((key) => isDigest(key, before, line)));
  const begins = line.action === keyAction;
  let chain = chains.at(-1);
  if (chain === undefined || begins) {
    // Somebody without a key could state a loss, too.
    const reason = begins && written.size > 0 ? line.fields[0] : undefined;
    const failed = new Map(keys.map((key) => [key, []]));
    chain = { first: line.number, verified: null, failed, reason };
    chains.push(chain);
  }
  if (written.size > 0) chain.verified = line.number;
  for (const [key, lines] of chain.failed) if (!written.has(key)) lines.push(line.number);
}

/**
 * Reports the lines that the key of their chain did not write.
 *
 * @returns a sentence about each statement of a lost key, with all lines before it that no key vouches for.
 */
function checkChains(
  chains: readonly Chain[],
  report: (number: bigint, problem: string) => void,
): string[] {
  const reportFailed = ({ failed }: Chain) => {
    const fewest = [...failed.values()].reduce((one, other) =>
      other.length < one.length ? other : one,
    );
    for (const number of fewest) report(number, changed);
  };
  const notes: string[] = [];
  let verified = 0n;
  let unverified: Chain[] = [];
  for (const chain of chains) {
    if (chain.verified === null) {
      unverified.push(chain);
      continue;
    }
    if (chain.reason !== "lost") unverified.forEach(reportFailed);
    else if (unverified.length > 0) {
      // Lines without a key among them have digests that anybody can make.
      notes.push(
        `Lines ${verified + 1n} to ${chain.first - 1n} of the operator log cannot be checked: line ${chain.first} states that their key is lost. Compare them with an earlier backup.`,
      );
    }
    reportFailed(chain);
    verified = chain.verified;
    unverified = [];
  }
  unverified.forEach(reportFailed);
  return notes;
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
