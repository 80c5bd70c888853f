import type { Sql } from "@atelier/database";

/**
 * Suspends or reactivates an account. Keys of a suspended account get 403 `account_suspended`; its
 * running jobs are finished, and its shares end for good. Suspending twice keeps the first time.
 *
 * @returns false when the account does not exist or was erased.
 */
export async function setSuspended(
  sql: Sql,
  accountId: string,
  suspended: boolean,
): Promise<boolean> {
  const changed = await sql.query(
    `WITH ended AS (DELETE FROM share WHERE $2 AND account_id = $1)
     UPDATE account SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, now()) END
      WHERE id = $1 AND erased_at IS NULL RETURNING id`,
    [accountId, suspended],
  );
  return changed.length > 0;
}
