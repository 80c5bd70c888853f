import { ownedTables, type Database } from "@atelier/database";

/** SQL of the jobs of an account that may still have deliveries or a webhook URL: both are kept for ten days. */
const youngJobs = `
  SELECT id FROM generation WHERE account_id = $1 AND id >= (SELECT uuidv7(interval '-11 days'))`;

/** Rows that are locked before the account: see packages/database/lock-order.md. */
const lockedBefore = [
  { name: "studio_session", key: "id" },
  { name: "cast_member", key: "id" },
  { name: "kept_item", key: "id" },
  { name: "kept_file", key: "storage_key" },
  { name: "upload", key: "id" },
] as const;

/** Result of `beginErasure`. */
export type Erasure =
  | {
      readonly kind: "begun";
      /** When it was begun for the first time. */
      readonly erasedAt: Date;
    }
  /** Nothing was changed. */
  | { readonly kind: "refused"; readonly unfinishedJobs: number }
  | { readonly kind: "unknown" };

/**
 * Begins to erase an account: it accepts no further job, its keys are revoked, and its name, the names
 * of its keys, its idempotency keys, events, webhooks with their deliveries and batches are removed. Its uploads and the images that it
 * keeps cannot be used any more; their files are removed later. The ledger stays. Can be repeated.
 */
export function beginErasure(database: Database, accountId: string): Promise<Erasure> {
  return database.transaction(async (sql): Promise<Erasure> => {
    for (const table of lockedBefore) {
      await sql.query(
        `SELECT FROM ${table.name} WHERE account_id = $1 ORDER BY ${table.key} FOR UPDATE`,
        [accountId],
      );
    }
    // Accepting a job and reserving an upload lock the account too, so that neither follows.
    const [account] = await sql.query<{ unfinishedJobs: number }>(
      `SELECT unfinished_jobs AS "unfinishedJobs" FROM account WHERE id = $1 FOR NO KEY UPDATE`,
      [accountId],
    );
    if (account === undefined) return { kind: "unknown" };
    const { unfinishedJobs } = account;
    if (unfinishedJobs > 0) return { kind: "refused", unfinishedJobs };
    const [[erased]] = await Promise.all([
      sql.query<{ erasedAt: Date }>(
        `UPDATE account
            SET name = 'erased', external_id = NULL, suspended_at = coalesce(suspended_at, now()),
                erased_at = coalesce(erased_at, now()), low_balance_micro_eur = NULL,
                language = NULL, keep_starred = false, makers_read_all = false
          WHERE id = $1 RETURNING erased_at AS "erasedAt"`,
        [accountId],
      ),
      sql.query(
        `UPDATE api_key SET name = 'erased', revoked_at = coalesce(revoked_at, now()), budget_id = NULL,
                            previous_hash = NULL, previous_expires_at = NULL
          WHERE account_id = $1`,
        [accountId],
      ),
      sql.query(
        `DELETE FROM collection_job USING collection WHERE collection_id = collection.id AND account_id = $1`,
        [accountId],
      ),
      ...ownedTables.map((table) =>
        sql.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]),
      ),
      sql.query(
        `UPDATE upload SET deleted_at = now(), expires_at = least(expires_at, now())
          WHERE account_id = $1 AND deleted_at IS NULL`,
        [accountId],
      ),
      sql.query(
        `WITH erased AS (DELETE FROM batch WHERE account_id = $1 RETURNING id),
              refusals AS (DELETE FROM batch_refusal USING erased WHERE batch_id = erased.id)
         DELETE FROM request_part USING erased WHERE owner_id = erased.id`,
        [accountId],
      ),
      sql.query("DELETE FROM idempotency_key WHERE account_id = $1", [accountId]),
      // Webhooks and receivers may have been deleted before: their rows are found by the events and jobs too.
      sql.query(
        `DELETE FROM webhook_delivery
          WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = $1)
             OR event_id IN (SELECT id FROM event WHERE account_id = $1)
             OR generation_id IN (${youngJobs})`,
        [accountId],
      ),
      sql.query(`DELETE FROM generation_webhook WHERE generation_id IN (${youngJobs})`, [
        accountId,
      ]),
      sql.query("DELETE FROM event WHERE account_id = $1", [accountId]),
      sql.query(
        `WITH deleted AS (DELETE FROM webhook WHERE account_id = $1 RETURNING id)
         DELETE FROM generation_webhook USING deleted WHERE webhook_id = deleted.id`,
        [accountId],
      ),
      sql.query("DELETE FROM webhook_secret WHERE account_id = $1", [accountId]),
      sql.query("DELETE FROM test_webhook_secret WHERE account_id = $1", [accountId]),
      sql.query("DELETE FROM studio_session WHERE account_id = $1", [accountId]),
      sql.query("UPDATE account SET kept_bytes = 0 WHERE id = $1", [accountId]),
      sql.query(
        "UPDATE kept_file SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL",
        [accountId],
      ),
      sql.query("DELETE FROM operator_log_values WHERE account_id = $1", [accountId]),
    ]);
    if (erased === undefined) throw new Error("the account was locked before");
    return { kind: "begun", ...erased };
  });
}
