import {
  auditDatabase,
  auditFiles,
  auditOperatorLog,
  type AuditedStorage,
  type Finding,
  type LogHead,
} from "@atelier/audit";
import type { Environment } from "@atelier/configuration";
import { compareMigrations, createDatabase, type Database, type Sql } from "@atelier/database";
import { repairs, repeatBackfill } from "@atelier/generations/retention";
import type { Answer } from "./answer.ts";
import { countFiles } from "./backup/count-files.ts";
import { findConnection } from "./connection.ts";
import { recordRun } from "./maintenance.ts";
import { limitRemarks, progressMs } from "./remark.ts";
import { openStored } from "./open-stored.ts";
import { exitCodes } from "./exit-codes.ts";

/** Long enough for large tables. */
const statementTimeoutMs = 600_000;

interface AuditOptions {
  /** The fraction of files to read and hash; for the others, existence and size are checked. */
  readonly hashShare: number;
  /** Whether to complete rows that older versions left incomplete, before the checks. */
  readonly isRepairing: boolean;
  /** Earlier heads of the operator log, which it must still have. */
  readonly heads: readonly LogHead[];
}

/** Checks the invariants of the live database, and compares the storage with the records of all images and uploads. */
export async function audit(
  environment: Environment,
  { hashShare, isRepairing, heads }: AuditOptions,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, storageUrl, operatorLogKey, oldOperatorLogKeys } =
    await findConnection(environment);
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-audit",
    statementTimeoutMs,
  });
  try {
    const schema = await compareMigrations(database);
    if (schema.pending.length > 0) return refuseToAudit(schema.pending);
    const repaired = isRepairing ? await repair(database, remark) : null;
    // The result repeats all of them.
    const progress = limitRemarks(remark, progressMs);
    const findings = [...(await auditDatabase(database, ({ invariant }) => progress(invariant)))];
    const logKeys = operatorLogKey === null ? [] : [operatorLogKey, ...oldOperatorLogKeys];
    findings.push(await auditOperatorLog(database, logKeys, heads));
    if (storageUrl !== null) {
      const files = countFiles("Auditing files", remark);
      findings.push(...(await auditStored(database, storageUrl, { hashShare, files })));
    }
    const broken = findings.filter(({ violations }) => violations > 0);
    const notes = [
      ...(storageUrl === null ? ["Files were not checked. Set STORAGE_URL to check them."] : []),
      await recordRun(database, "audit", broken.length),
    ].filter((note) => note !== null);
    return present(findings, repaired, notes);
  } finally {
    await database.close();
  }
}

/** The invariants of this version read columns that the database does not have yet. */
function refuseToAudit(pending: readonly string[]): Answer {
  return {
    json: { ok: false, pending_migrations: pending, findings: [] },
    text:
      `Not audited: the database lacks ${pending.length} migrations of this version, from ${pending[0]} on. ` +
      "Before an upgrade, run the audit of the version that serves; otherwise run npm run atelier -- migrate first.",
    exitCode: exitCodes.failed,
  };
}

/**
 * Completes what versions that ran beside a newer one left out.
 *
 * @returns the number of completed rows.
 */
async function repair(database: Database, remark: (line: string) => void): Promise<number> {
  let repaired = 0;
  for (const backfill of repairs) {
    const rows = await repeatBackfill(database, backfill);
    remark(`${backfill.name}: ${rows} rows completed`);
    repaired += rows;
  }
  return repaired;
}

async function auditStored(
  sql: Sql,
  storageUrl: string,
  { hashShare, files }: { hashShare: number; files: (bytes: number) => void },
): Promise<readonly Finding[]> {
  const storage = await openStored(storageUrl);
  const counted: AuditedStorage = {
    get: (key) => storage.get(key),
    async *list(prefix) {
      for await (const file of storage.list(prefix)) {
        files(file.sizeBytes);
        yield file;
      }
    },
  };
  try {
    return await auditFiles(sql, counted, hashShare);
  } finally {
    await storage.close();
  }
}

function present(
  findings: readonly Finding[],
  repaired: number | null,
  notes: readonly string[],
): Answer {
  const broken = findings.filter(({ violations }) => violations > 0);
  const lines = findings.flatMap(
    ({ invariant, checked, violations, repair: command, examples, notes: unchecked = [] }) => [
      `${violations === 0 ? "holds " : "BROKEN"}  ${String(checked).padStart(9)}  ${invariant}`,
      ...(violations === 0 ? [] : [`        ${violations} violations, such as:`]),
      ...examples.map((example) => `        ${JSON.stringify(example)}`),
      ...unchecked.map((note) => `        ${note}`),
      ...(violations === 0 || command === null ? [] : [`        To repair: ${command}`]),
    ],
  );
  const summary =
    broken.length === 0
      ? "All invariants hold."
      : `${broken.length} of ${findings.length} invariants are violated. See docs/operations.md, "When the audit fails".`;
  return {
    json: { ok: broken.length === 0, ...(repaired !== null && { repaired }), findings },
    text: [
      ...(repaired === null ? [] : [`Completed ${repaired} rows.`, ""]),
      ...lines,
      "",
      summary,
    ].join("\n"),
    ...(notes.length > 0 && { note: notes.join("\n") }),
    exitCode: broken.length === 0 ? exitCodes.done : exitCodes.failed,
  };
}
