import { statement, type Sql } from "@atelier/database";
import type { ServiceTotals } from "@atelier/schemas";

/** The sum, in micro-EUR, of the top-ups, withdrawals and refunds that were booked before a time. */
interface Moved {
  readonly before: string;
  readonly microEur: string;
}

/**
 * Returns a function that reads the totals for the metrics of one database. The cost does not grow with final jobs:
 * unfinished rows are found by their missing end, and charges = top-ups − withdrawals + refunds − balances − holds, so
 * that old jobs and their ledger entries are not summed. Nor does it grow with top-ups and refunds, except for the first
 * call: transfers never change, so those older than an hour are summed once. One statement gives a consistent snapshot.
 */
export function createTotalsReader(): (sql: Sql) => Promise<ServiceTotals> {
  let moved: Moved = { before: "-infinity", microEur: "0" };
  return async (sql) => {
    const [totals] = await sql.query<TotalsRow>(...selectTotals.bind(moved));
    if (totals === undefined) throw new Error("the totals are one row");
    const { movedBefore, movedMicroEur, held, charged, mismatch, openJobs, ...counts } = totals;
    moved = { before: movedBefore, microEur: movedMicroEur };
    return {
      ...counts,
      jobs: (["pending", "processing"] as const).map((status) => {
        const { count = 0, oldestSeconds = 0 } =
          openJobs.find((one) => one.status === status) ?? {};
        return { status, count, oldestSeconds };
      }),
      heldMicroEur: BigInt(held),
      chargedMicroEur: BigInt(charged),
      heldMismatchMicroEur: BigInt(mismatch),
    };
  };
}

type TotalsRow = Omit<
  ServiceTotals,
  "jobs" | "heldMicroEur" | "chargedMicroEur" | "heldMismatchMicroEur"
> & {
  /** Only states with at least one job. */
  readonly openJobs: ServiceTotals["jobs"];
  readonly held: string;
  readonly charged: string;
  readonly mismatch: string;
  readonly movedBefore: string;
  readonly movedMicroEur: string;
};

/**
 * SQL of the images that are ready or in work, with their account and the time since when a worker may have them. The
 * OFFSET keeps the planner from reading all jobs instead of those of these images.
 */
export const unfinishedRenders = `unfinished AS (
       SELECT lane, render.status, generation_id, account_id, ready_at
         FROM render, LATERAL (
                SELECT account_id,
                       CASE
                         WHEN render.status <> 'ready' THEN NULL
                         -- NULL while it waits for a place, which may last until the batch expires.
                         WHEN batch_id IS NOT NULL THEN dispatched_at
                         WHEN waits_for = '{}' THEN created_at
                         ELSE (SELECT max(finished_at) FROM render AS first WHERE first.id = ANY (render.waits_for))
                       END AS ready_at
                  FROM generation WHERE id = generation_id OFFSET 0) AS job
        WHERE finished_at IS NULL AND render.status <> 'waiting'
     )`;

const selectTotals = statement(
  ["before", "microEur"],
  `WITH states AS (
       SELECT status, count(*)::int AS count,
              -- Lines of a batch may wait until it expires.
              coalesce(extract(epoch FROM now() - min(
                CASE WHEN batch_id IS NULL THEN created_at ELSE started_at END)), 0)::float8 AS "oldestSeconds",
              -- Not the price, which a fallback to a cheaper model lowers.
              sum((SELECT amount_micro_eur FROM hold WHERE generation_id = generation.id)) AS held,
              count(*) FILTER (WHERE deadline_at < now() - interval '1 minute')::int AS overdue
         FROM generation WHERE completed_at IS NULL GROUP BY status
     ), ${unfinishedRenders}, lanes AS (
       SELECT lane, count(*) FILTER (WHERE status = 'ready')::int AS waiting,
              count(*) FILTER (WHERE status = 'running')::int AS running,
              coalesce(extract(epoch FROM now() - min(ready_at)), 0)::float8 AS "oldestSeconds"
         FROM unfinished GROUP BY lane
     ), open AS (
       SELECT coalesce(sum(held), 0) AS held, coalesce(sum(overdue), 0)::int AS overdue FROM states
     ), accounts AS (
       SELECT coalesce(sum(balance_micro_eur), 0) AS balance, coalesce(sum(held_micro_eur), 0) AS held
         FROM account
     ), moved AS (
       -- A transfer is committed less than an hour after it began. Charges include refunded ones, since a counter never falls.
       SELECT coalesce(sum(available), 0) AS later,
              coalesce(sum(available) FILTER (WHERE created_at < now() - interval '1 hour'), 0) AS earlier
         FROM (SELECT created_at,
                      (SELECT amount_micro_eur FROM ledger_entry WHERE transfer_id = id AND book = 'available') AS available
                 FROM ledger_transfer
                WHERE kind IN ('top_up', 'withdrawal', 'refund') AND created_at >= :before::timestamptz) AS movement
     ), installed AS (
       SELECT coalesce(min(started_at), now()) AS at FROM _prisma_migrations
     ), successes AS (
       SELECT extract(epoch FROM coalesce(max(last_success_at) FILTER (WHERE task = 'audit'), min(installed.at)))::float8 AS audit,
              extract(epoch FROM coalesce(max(last_success_at) FILTER (WHERE task = 'backup'), min(installed.at)))::float8 AS backup,
              coalesce(sum(problems) FILTER (WHERE task = 'audit'), 0)::int AS violations
         FROM installed LEFT JOIN maintenance ON true
     )
     SELECT (SELECT coalesce(json_agg(states), '[]') FROM states) AS "openJobs",
            (SELECT coalesce(json_agg(lanes), '[]') FROM lanes) AS lanes,
            ARRAY(SELECT lane FROM lane_health WHERE open_until > now()) AS "openCircuits",
            (SELECT count(*)::int FROM webhook_delivery JOIN webhook ON webhook.id = webhook_id
              WHERE status = 'pending' AND disabled_at IS NULL) AS "pendingDeliveries",
            accounts.held::text AS held, (:microEur::bigint + later - balance - accounts.held)::text AS charged,
            (:microEur::bigint + earlier)::text AS "movedMicroEur",
            greatest(:before::timestamptz, now() - interval '1 hour')::text AS "movedBefore",
            (accounts.held - open.held)::text AS mismatch, overdue AS "overdueJobs",
            successes.audit AS "lastAuditSeconds", successes.backup AS "lastBackupSeconds",
            successes.violations AS "auditViolations"
       FROM open, accounts, moved, successes`,
);
