import { auditDatabase, auditFiles, type AuditedStorage } from "@atelier/audit";
import type { Sql } from "@atelier/database";
import { findUnrecordedCalls, type BilledCall } from "@atelier/testing";
import { judgeBacklog, type Backlog } from "./backlog.ts";
import type { BatchRecord } from "./batches.ts";
import { judgeBatches, readBatches } from "./judge-batches.ts";
import { judgeEntry, type RecordedJob } from "./judge-entry.ts";
import { judgeMarks } from "./judge-marks.ts";
import { judgeReceipts, type JudgedJob } from "./judge-receipts.ts";
import { judgeUploads, readUploads } from "./judge-uploads.ts";
import type { DiaryEntry } from "./load.ts";
import type { Receipt } from "./observers.ts";
import { judgeRevocations, type Revocation } from "./revocations.ts";
import type { UploadRecord } from "./uploads.ts";

export interface Verdict {
  /** One line per violation. */
  readonly violations: readonly string[];
  /**
   * Clients that gave up before their job ended: the machine was too slow, and nothing was lost.
   */
  readonly timeouts: number;
  /** Number of requests by operation. */
  readonly requests: Readonly<Record<string, number>>;
  /** Number of checked items by kind. */
  readonly checked: Readonly<Record<string, number>>;
  /** Repeated provider calls for the same image, by the recorded outcome of the earlier call. */
  readonly repeatedCalls: Readonly<Record<string, number>>;
}

/**
 * Checks the database, the storage, the provider's bill, the clients' diary, uploads and batches, and what
 * webhooks and streams received, without requests to the service.
 */
export async function judge(
  sql: Sql,
  storage: AuditedStorage,
  observed: {
    readonly bill: readonly BilledCall[];
    readonly diary: readonly DiaryEntry[];
    readonly receipts: readonly Receipt[];
    readonly uploads: readonly UploadRecord[];
    readonly batches: readonly BatchRecord[];
    readonly revocations: readonly Revocation[];
    readonly members: { readonly requests: number; readonly wrong: readonly string[] };
    readonly backlog: Backlog;
  },
  trustAnchorsPem: string,
): Promise<Verdict> {
  const { bill, diary, receipts, uploads, batches, revocations, members, backlog } = observed;
  const findings = [...(await auditDatabase(sql)), ...(await auditFiles(sql, storage, 1))];
  const violations = findings
    .filter((finding) => finding.violations > 0)
    .map(({ invariant, examples }) => `${invariant} ${JSON.stringify(examples)}`);
  const { wrong, timeouts } = await compareDiary(sql, diary);
  const jobs = await sql.query<JudgedJob>(
    `SELECT id, account_id AS "accountId", status, completed_at AS "completedAt" FROM generation`,
  );
  violations.push(...(await findUnrecordedCalls(sql, bill)), ...wrong);
  violations.push(...judgeReceipts(jobs, receipts));
  const stored = await readUploads(sql, storage);
  violations.push(...judgeUploads(uploads, stored.rows, stored.fileIds));
  violations.push(...(await judgeRevocations(sql, revocations)), ...members.wrong);
  const ofBatches = judgeBatches(batches, await readBatches(sql));
  violations.push(...ofBatches.wrong);
  const marks = await judgeMarks(sql, storage, trustAnchorsPem);
  violations.push(...marks.wrong, ...(await judgeBacklog(sql, backlog)));
  return {
    violations,
    timeouts: timeouts + ofBatches.timeouts,
    requests: count(diary.map(({ operation }) => operation)),
    checked: Object.fromEntries([
      ...findings.map(({ invariant, checked }) => [invariant, checked]),
      ["Calls on the provider's bill were written down before they were made.", bill.length],
      ["Each client received the recorded outcome of each request.", diary.length],
      ["No upload is lost, and no deleted one or file without a row is left.", uploads.length],
      [
        "Each line of each batch was taken once, and clients received the results of all lines.",
        batches.reduce((sum, { lines }) => sum + lines, 0),
      ],
      [
        "No request in flight is accepted after its key is revoked or its account suspended.",
        revocations.reduce((sum, { requests }) => sum + requests, 0),
      ],
      ["No member has a job or a right after it lost the right.", members.requests],
      ["The signed manifests of a sample of all files are valid.", marks.verified],
      ["A dead webhook keeps 100,000 pending deliveries, and the others are counted.", 1],
      ...(["webhook", "stream"] as const).map((via) => [
        `Events by ${via}: every final state, never before it is true, in order for each job.`,
        receipts.filter((receipt) => receipt.via === via).length,
      ]),
    ]),
    repeatedCalls: await countRepeatedCalls(sql),
  };
}

function count(items: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(items, (item) => item)].map(([item, all]) => [item, all.length]),
  );
}

async function compareDiary(
  sql: Sql,
  diary: readonly DiaryEntry[],
): Promise<{ readonly wrong: readonly string[]; readonly timeouts: number }> {
  const rows = await sql.query<RecordedJob & { account: string; key: string }>(
    `SELECT key.account_id AS account, key.key, generation.id, status, error->>'error' AS code,
            completed_at AS "completedAt"
       FROM idempotency_key AS key JOIN generation ON generation.id = generation_id`,
  );
  const recorded = new Map(rows.map((row) => [`${row.account} ${row.key}`, row]));
  const [total] = await sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM generation WHERE batch_id IS NULL",
  );
  const wrong: string[] = [];
  if (total?.count !== rows.length) {
    wrong.push(`There are ${total?.count} generations for ${rows.length} requests.`);
  }
  let timeouts = 0;
  for (const entry of diary) {
    const verdict = judgeEntry(entry, recorded.get(`${entry.accountId} ${entry.key}`) ?? null);
    if (verdict === "timeout") timeouts += 1;
    else if (verdict !== "right") wrong.push(verdict);
  }
  return { wrong, timeouts };
}

async function countRepeatedCalls(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.query<{ cause: string; calls: number }>(
    `SELECT coalesce(earlier.outcome::text, 'none recorded') AS cause, count(*)::int AS calls
       FROM provider_call AS later JOIN LATERAL (
         SELECT outcome FROM provider_call AS earlier
          WHERE earlier.render_id = later.render_id AND earlier.attempt < later.attempt
          ORDER BY attempt DESC LIMIT 1) AS earlier ON true
      GROUP BY 1 ORDER BY 2 DESC`,
  );
  return Object.fromEntries(rows.map(({ cause, calls }) => [cause, calls]));
}
