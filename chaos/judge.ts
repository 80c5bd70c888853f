import { auditDatabase, auditImages, type AuditedStorage } from "@atelier/audit";
import type { Sql } from "@atelier/database";
import { findUnrecordedCalls, type BilledCall } from "@atelier/testing";
import type { DiaryEntry } from "./load.ts";

export interface Verdict {
  /** Each as one line; none is what is hoped for. */
  readonly violations: readonly string[];
  /** How much was looked at. */
  readonly checked: Readonly<Record<string, number>>;
  /** Calls to the provider beyond the first for an image, by what was recorded of the earlier one. */
  readonly repeatedCalls: Readonly<Record<string, number>>;
}

/**
 * Judges by what is written: the database, the storage, the provider's own bill and the clients'
 * diary. It asks the service nothing.
 */
export async function judge(
  sql: Sql,
  storage: AuditedStorage,
  bill: readonly BilledCall[],
  diary: readonly DiaryEntry[],
): Promise<Verdict> {
  const findings = [...(await auditDatabase(sql)), await auditImages(sql, storage, 1)];
  const violations = findings
    .filter((finding) => finding.violations > 0)
    .map(({ invariant, examples }) => `${invariant} ${JSON.stringify(examples)}`);
  violations.push(...(await findUnrecordedCalls(sql, bill)), ...(await compareDiary(sql, diary)));
  return {
    violations,
    checked: Object.fromEntries([
      ...findings.map(({ invariant, checked }) => [invariant, checked]),
      ["Calls on the provider's bill were written down before they were made.", bill.length],
      ["Clients were told what is recorded, once for each request.", diary.length],
    ]),
    repeatedCalls: await countRepeatedCalls(sql),
  };
}

async function compareDiary(sql: Sql, diary: readonly DiaryEntry[]): Promise<string[]> {
  const rows = await sql.query<{
    account: string;
    key: string;
    id: string;
    status: string;
    code: string | null;
  }>(
    `SELECT key.account_id AS account, key.key, generation.id, status, error->>'error' AS code
       FROM idempotency_key AS key JOIN generation ON generation.id = generation_id`,
  );
  const recorded = new Map(rows.map((row) => [`${row.account} ${row.key}`, row]));
  const [total] = await sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM generation",
  );
  const wrong: string[] = [];
  if (total?.count !== rows.length) {
    wrong.push(`There are ${total?.count} generations for ${rows.length} requests.`);
  }
  for (const entry of diary) {
    const row = recorded.get(`${entry.accountId} ${entry.key}`);
    const ended = row?.status === "completed" ? "completed" : (row?.code ?? "nothing");
    // What must be refused may also fail before anybody looks at it; it is never made.
    const asExpected = entry.expected === "image" || entry.told !== "completed";
    if (entry.told !== ended || (entry.jobId !== null && entry.jobId !== row?.id) || !asExpected) {
      wrong.push(
        `A client was told ${entry.told} of ${entry.jobId}; recorded is ${ended} of ${row?.id}.`,
      );
    }
  }
  return wrong;
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
