import type { Sql } from "@atelier/database";

/** An earlier request with the same key. */
export interface IdempotentUse {
  readonly generationId: string;
  readonly sameRequest: boolean;
  /** The first request may still be waiting for its response. */
  readonly answerPending: boolean;
}

/** Retention of idempotency keys, as a Postgres interval. */
export const idempotencyKeysKeptFor = "24 hours";

/** Finds the earlier request of an idempotency key; null when the key is unused or expired. */
export async function findIdempotentUse(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly requestHash: Buffer },
): Promise<IdempotentUse | null> {
  const [earlier] = await sql.query<IdempotentUse>(
    `SELECT generation_id AS "generationId", request_hash = $3 AS "sameRequest",
            answer_due_at > now() AS "answerPending"
       FROM idempotency_key
      WHERE account_id = $1 AND key = $2 AND created_at >= now() - interval '${idempotencyKeysKeptFor}'`,
    [use.accountId, use.key, use.requestHash],
  );
  return earlier ?? null;
}

/** Marks the first request of a key as answered: repeated requests then get the job. */
export async function endIdempotentWait(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly generationId: string },
): Promise<void> {
  await sql.query(
    `UPDATE idempotency_key SET answer_due_at = now()
      WHERE account_id = $1 AND key = $2 AND generation_id = $3`,
    [use.accountId, use.key, use.generationId],
  );
}
