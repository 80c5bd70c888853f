import { statement, type Sql } from "@atelier/database";
import type { KeyMode, UsageGroup } from "@atelier/schemas";

/** Days in UTC, such as `2026-11-30`; the last one is included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Sums over jobs that ended in a range. Amounts are in micro-EUR. */
export interface UsageSums {
  /** The value that the jobs have in common; null for jobs whose key is unknown. */
  readonly group: string | null;
  readonly jobs: number;
  /** Those of them that were read one by one: archived jobs are stored as sums. */
  readonly jobsRead: number;
  readonly images: number;
  readonly failed: number;
  readonly chargedMicroEur: bigint;
  /** Refunds that were booked in the range, whenever their jobs ended. */
  readonly refundedMicroEur: bigint;
}

/**
 * Completes a range of days by the database's clock: up to today, for 30 days.
 *
 * @returns the range with its number of days.
 */
export async function completeRange(
  sql: Sql,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<DayRange & { readonly days: number }> {
  const [range] = await sql.query<DayRange & { readonly days: number }>(
    `SELECT "from"::text, "to"::text, "to" - "from" + 1 AS days
       FROM (SELECT coalesce($2::date, (now() AT TIME ZONE 'UTC')::date) AS "to") AS ending,
            LATERAL (SELECT coalesce($1::date, "to" - 29) AS "from") AS beginning`,
    [from ?? null, to ?? null],
  );
  if (range === undefined) throw new Error("the range is one row");
  return range;
}

/**
 * @param group an SQL expression over `ended` and `generation`.
 * @param archivedGroup the same over `archived_usage`, and over refunds with its columns and `budget_id`.
 * @param archived SQL of the archived usage.
 */
function sumBy(group: string, archivedGroup: string, order: string, archived = "archived_usage") {
  return statement(
    ["accountId", "mode", "from", "to", "limit"],
    `WITH ended AS (
       SELECT ended.id, ended.created_at, generation_id
         FROM ledger_transfer AS ended JOIN generation ON generation.id = generation_id
        WHERE ended.account_id = :accountId AND ended.kind IN ('settle', 'release') AND ended.kind <> 'hold'
          AND ended.created_at >= :from::date::timestamp AT TIME ZONE 'UTC'
          AND ended.created_at < (:to::date + 1)::timestamp AT TIME ZONE 'UTC'
          AND mode = :mode::key_mode
        LIMIT :limit
     ), summed AS (
       SELECT ${group}::text AS "group", count(*) AS jobs, count(*) AS read,
              coalesce(sum(renders_total) FILTER (WHERE status = 'completed'), 0) AS images,
              count(*) FILTER (WHERE status = 'failed') AS failed,
              coalesce(sum(amount_micro_eur), 0) AS charged, 0 AS refunded
         FROM ended JOIN generation ON generation.id = generation_id
         LEFT JOIN ledger_entry ON transfer_id = ended.id AND book = 'revenue'
        GROUP BY 1
       UNION ALL
       SELECT ${archivedGroup}::text, jobs, 0, images, failed, charged_micro_eur, 0
         FROM ${archived}
        WHERE account_id = :accountId AND ended_on BETWEEN :from::date AND :to::date AND mode = :mode::key_mode
       UNION ALL
       SELECT ${archivedGroup}::text, 0, 0, 0, 0, 0, amount
         FROM (SELECT (created_at AT TIME ZONE 'UTC')::date AS ended_on, model, key_id, budget_id, kind,
                      amount_micro_eur AS amount
                 FROM refund
                WHERE account_id = :accountId AND :mode::key_mode <> 'test'
                  AND created_at >= :from::date::timestamp AT TIME ZONE 'UTC'
                  AND created_at < (:to::date + 1)::timestamp AT TIME ZONE 'UTC') AS refunds
     )
     SELECT "group", sum(jobs)::int AS jobs, sum(images)::int AS images, sum(failed)::int AS failed,
            sum(read)::int AS "jobsRead", sum(charged)::bigint AS "chargedMicroEur",
            sum(refunded)::bigint AS "refundedMicroEur"
       FROM summed GROUP BY 1 HAVING sum(jobs) > 0 OR sum(refunded) > 0 ORDER BY ${order}`,
  );
}

const highestCostFirst = "6 DESC, 2 DESC, 1";

/** Archived usage with budgets: what they have is taken from the sums without one, in which it is counted too. */
const archivedByBudget = `(
         SELECT account_id, ended_on, mode, NULL::uuid AS budget_id, jobs, images, failed, charged_micro_eur
           FROM archived_usage
         UNION ALL
         SELECT account_id, ended_on, 'live', part.budget_id, sign * jobs, sign * images, sign * failed,
                sign * charged_micro_eur
           FROM archived_budget_usage, LATERAL (VALUES (budget_id, 1), (NULL, -1)) AS part (budget_id, sign)
       ) AS archived`;

const sums = {
  day: sumBy("(ended.created_at AT TIME ZONE 'UTC')::date", "ended_on", "1"),
  model: sumBy("model", "model", highestCostFirst),
  key: sumBy("key_id", "nullif(key_id, '00000000-0000-0000-0000-000000000000')", highestCostFirst),
  budget: sumBy("budget_id", "budget_id", highestCostFirst, archivedByBudget),
  kind: sumBy("generation.kind", "kind", highestCostFirst),
} satisfies Record<UsageGroup, unknown>;

/**
 * Sums the jobs of an account and a mode that ended in a range: what was charged for them, by the ledger. A job
 * counts on the day on which it was settled or released. Archived jobs are included.
 *
 * @param of.maxJobs maximum number of jobs to read. When `jobsRead` has more in all, the sums are incomplete.
 */
export function readUsage(
  sql: Sql,
  of: {
    readonly accountId: string;
    readonly mode: KeyMode;
    readonly range: DayRange;
    readonly groupBy: UsageGroup;
    readonly maxJobs: number;
  },
): Promise<UsageSums[]> {
  const { accountId, mode, range, groupBy, maxJobs } = of;
  return sql.query<UsageSums>(
    ...sums[groupBy].bind({ accountId, mode, from: range.from, to: range.to, limit: maxJobs + 1 }),
  );
}
