import type { Sql } from "@atelier/database";

/**
 * Records that a task of the operator has ended: metrics, alerts and `doctor` show it.
 *
 * @param problems violated invariants of an audit; 0 for a success.
 * @returns a sentence if it could not be recorded, as on the schema of an earlier version; else null. What the task
 *   did counts all the same.
 */
export async function recordRun(
  sql: Sql,
  task: "audit" | "backup",
  problems: number,
): Promise<string | null> {
  const recorded = sql.query(
    `INSERT INTO maintenance AS known (task, last_run_at, last_success_at, problems)
     VALUES ($1, now(), CASE WHEN $2::int = 0 THEN now() END, $2)
     ON CONFLICT (task) DO UPDATE
        SET last_run_at = now(), problems = $2,
            last_success_at = coalesce(excluded.last_success_at, known.last_success_at)`,
    [task, problems],
  );
  return recorded.then(
    () => null,
    (error: unknown) =>
      `The ${task} could not be recorded for metrics and alerts: ${(error as Error).message}`,
  );
}
