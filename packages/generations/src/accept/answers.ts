import { newId, statement, type Sql } from "@atelier/database";

/** A request that wants the response of a job, its own or that of an equal request. */
export interface AnswerClaim {
  /** SHA-256 of key, route and content: equal requests have the same. */
  readonly hash: Buffer;
  /** Names this request among all requests. */
  readonly requestId: string;
}

/** SQL condition: a job was accepted less than ten minutes ago. */
const isRecent = "created_at > now() - interval '10 minutes'";

/** The same at the next request of a client, which may pause before it. */
const isRecentAfterPause = "created_at > now() - interval '9 minutes 30 seconds'";

interface JoiningRequest extends AnswerClaim {
  readonly keyId: string;
  /** The client says that it sends the request again. */
  readonly isRetry: boolean;
}

/**
 * Finds an unfinished or completed job of an equal request whose response was lost, and reserves its
 * response for this request. A lost response is given to one request. A retry may also have the response that
 * an earlier request still waits for, because a broken connection may be found much later. If the process dies
 * afterwards, only a retry can have the job.
 *
 * @returns the id of the job, or null when no job can be joined.
 */
export async function joinAnswer(
  sql: Sql,
  { hash, requestId, keyId, isRetry }: JoiningRequest,
): Promise<string | null> {
  const [joined] = await sql.query<{ id: string }>(
    ...join.bind({ hash, requestId, keyId, isRetry }),
  );
  return joined?.id ?? null;
}

// A repetition of the statement finds what it has reserved. A row that another request reserves meanwhile is
// read again once that has ended, and the next one is taken.
const join = statement(
  ["hash", "requestId", "keyId", "isRetry"],
  `UPDATE generation SET answer_to = :requestId::uuid
    WHERE id = (
      SELECT id FROM generation
       WHERE answer_hash = :hash::bytea AND ${isRecent}
         AND key_id = :keyId::uuid AND status IN ('pending', 'processing', 'completed')
         AND cancel_requested_at IS NULL
         AND (answer_to IS NULL OR answer_to = :requestId::uuid OR :isRetry)
       ORDER BY answer_to IS DISTINCT FROM :requestId::uuid, answer_to IS NOT NULL, id
       LIMIT 1 FOR NO KEY UPDATE)
   RETURNING id`,
);

/** A request that has joined a job, or for which the job was accepted. */
export interface AnswerHolder extends AnswerClaim {
  readonly generationId: string;
}

/**
 * Gives the response out: from now on no retry joins the job, unless the response is lost. Called before its
 * first byte is sent.
 *
 * @returns false when the response belongs to a retry now.
 */
export async function giveAnswer(
  sql: Sql,
  { generationId, requestId }: AnswerHolder,
): Promise<boolean> {
  const rows = await sql.query(
    "UPDATE generation SET answer_hash = NULL WHERE id = $1 AND answer_to = $2 RETURNING id",
    [generationId, requestId],
  );
  return rows.length > 0;
}

/**
 * Records that a response was lost, closed before its last byte, or ended without the result: the next equal
 * request joins the job. No effect when a retry has the response.
 *
 * @returns whether the job can still be joined.
 */
export async function loseAnswer(
  sql: Sql,
  { generationId, requestId, hash }: AnswerHolder,
): Promise<boolean> {
  const [job] = await sql.query<{ isJoinable: boolean }>(
    ...lose.bind({ generationId, requestId, hash }),
  );
  return job?.isJoinable ?? false;
}

const lose = statement(
  ["generationId", "requestId", "hash"],
  `WITH lost AS (
     UPDATE generation SET answer_to = NULL, answer_hash = :hash::bytea
      WHERE id = :generationId AND answer_to = :requestId::uuid AND redacted_at IS NULL
   )
   SELECT ${isRecentAfterPause} AS "isJoinable" FROM generation WHERE id = :generationId`,
);

/**
 * Whether a request with this key may join a job because its response was lost: an equal one would cost
 * nothing.
 */
export async function hasLostAnswer(sql: Sql, keyId: string): Promise<boolean> {
  const firstId = newId(Date.now() - 600_000);
  const rows = await sql.query(
    `SELECT FROM generation
      WHERE key_id = $1 AND kind = ANY (enum_range(NULL::generation_kind))
        AND status IN ('pending', 'processing', 'completed') AND id > $2
        AND answer_hash IS NOT NULL AND answer_to IS NULL
      LIMIT 1`,
    [keyId, firstId],
  );
  return rows.length > 0;
}
