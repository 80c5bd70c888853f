import { statement, type Database, type Sql } from "@atelier/database";
import { markJobs } from "./retain.ts";

/** An account whose images are kept for less time than the operator allows. */
export interface AccountRetention {
  readonly accountId: string;
  readonly retentionMs: number;
}

/**
 * Lists accounts with a retention of their own, in the order of their ids.
 *
 * @param options.after the last id of the previous page; null for the first.
 */
export function listAccountRetentions(
  sql: Sql,
  options: { readonly after: string | null; readonly limit: number },
): Promise<AccountRetention[]> {
  return sql.query<AccountRetention>(
    `SELECT id AS "accountId", retention_hours::float8 * 3600000 AS "retentionMs" FROM account
      WHERE retention_hours IS NOT NULL AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2`,
    [options.after, options.limit],
  );
}

/** A page of an account's final generations, whose expired images were marked. */
interface MarkedPage {
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
  readonly marked: number;
}

/**
 * Marks expired images of one account as `markExpiredImages` does. Reads a page of the account's
 * generations, oldest first.
 *
 * @param of.after the last generation of the previous page; null for the first page.
 * @param of.oldestMs age of the oldest generation on the first page, in milliseconds.
 */
export function markExpiredOfAccount(
  database: Database,
  of: AccountRetention & {
    readonly after: string | null;
    readonly oldestMs: number;
    readonly limit: number;
  },
): Promise<MarkedPage> {
  return database.transaction(async (sql) => {
    const [page] = await sql.query<{ ids: string[]; next: string | null }>(
      ...finalGenerations.bind(of),
    );
    const { ids = [], next = null } = page ?? {};
    return { next, marked: await markJobs(sql, ids) };
  });
}

/**
 * A page ends after the newest id that was read, whether that generation has expired or not. The array and the order
 * by status keep Postgres from the primary key, where it would read all jobs of the account for a rare status.
 */
const finalGenerations = statement(
  ["accountId", "retentionMs", "after", "oldestMs", "limit"],
  `WITH bound AS MATERIALIZED (
     SELECT coalesce(:after::uuid, uuidv7(:oldestMs::float8 * interval '-1 ms')) AS id
   ), page AS (
     SELECT newest.*
       FROM unnest(enum_range(NULL::generation_kind)) AS of_kind (kind),
            unnest('{completed,failed,cancelled}'::generation_status[]) AS of_status (status),
            LATERAL (
              SELECT id, completed_at FROM generation
               WHERE account_id = :accountId AND generation.kind = of_kind.kind
                 AND generation.status = ANY (ARRAY[of_status.status]) AND id > (SELECT id FROM bound)
               ORDER BY generation.status DESC, id LIMIT :limit
            ) AS newest
      ORDER BY id LIMIT :limit
   )
   SELECT coalesce(array_agg(id) FILTER (
            WHERE completed_at < now() - :retentionMs::float8 * interval '1 ms'), '{}') AS ids,
          CASE WHEN count(*) = :limit THEN (array_agg(id ORDER BY id DESC))[1] END AS next
     FROM page`,
);

/** The images that a shorter retention deletes earlier. */
export interface EarlierDeletions {
  /** Images that are older than the shorter retention: the next sweep deletes them. */
  readonly atOnce: number;
  /** Images that are deleted later, but before the end of the current retention. */
  readonly later: number;
  /** When the first and the last of these are deleted; null without any. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** Whether there are more images than were counted. */
  readonly isCapped: boolean;
}

/** Images that are counted, which bounds the cost for accounts with very many. */
const mostCounted = 10_000;

/**
 * Counts the images of completed jobs of an account that a shorter retention deletes earlier, oldest
 * first.
 *
 * @param of.retentionMs the shorter retention.
 * @param of.currentMs the current one; images past it are not counted.
 * @param of.oldestMs age of the oldest generation that may still have images, in milliseconds.
 */
export async function countEarlierDeletions(
  sql: Sql,
  of: AccountRetention & { readonly currentMs: number; readonly oldestMs: number },
): Promise<EarlierDeletions> {
  const [counted] = await sql.query<EarlierDeletions>(
    ...earlierDeletions.bind({ ...of, most: mostCounted }),
  );
  if (counted === undefined) throw new Error("an aggregate has one row");
  return counted;
}

const earlierDeletions = statement(
  ["accountId", "retentionMs", "currentMs", "oldestMs", "most"],
  `WITH kept AS (
     SELECT completed_at + :retentionMs::float8 * interval '1 ms' AS ends_at
       FROM unnest(enum_range(NULL::generation_kind)) AS of_kind (kind),
            LATERAL (
              SELECT id, completed_at FROM generation
               WHERE account_id = :accountId AND generation.kind = of_kind.kind
                 AND status = ANY (ARRAY['completed'::generation_status]) AND id > (SELECT uuidv7(:oldestMs::float8 * interval '-1 ms'))
                 AND completed_at > now() - :currentMs::float8 * interval '1 ms'
               ORDER BY status DESC, id LIMIT :most::int + 1
            ) AS oldest
       JOIN render ON generation_id = oldest.id
      WHERE EXISTS (SELECT FROM image WHERE render_id = render.id AND deleted_at IS NULL)
        AND NOT EXISTS (SELECT FROM kept_item WHERE kept_item.id = oldest.id AND status <> 'refused')
      LIMIT :most::int + 1
   ), counted AS (SELECT ends_at, ends_at <= now() AS is_past FROM kept LIMIT :most)
   SELECT count(*) FILTER (WHERE is_past)::int AS "atOnce",
          count(*) FILTER (WHERE NOT is_past)::int AS later,
          min(ends_at) FILTER (WHERE NOT is_past) AS "firstAt",
          max(ends_at) FILTER (WHERE NOT is_past) AS "lastAt",
          (SELECT count(*) > :most FROM kept) AS "isCapped"
     FROM counted`,
);
