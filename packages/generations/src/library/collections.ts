import { statement, type Sql } from "@atelier/database";
import { AppError, type KeyMode } from "@atelier/schemas";

/** Jobs that an account put together. */
export interface StoredCollection {
  readonly id: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly jobs: number;
  readonly createdAt: Date;
}

/** The account of a collection, and the mode of its jobs. */
export interface CollectionOwner {
  readonly accountId: string;
  /** Null for both modes. */
  readonly mode: KeyMode | null;
}

/** SQL columns of a `StoredCollection`. */
export const collectionColumns = `id, mode, name, job_count AS jobs, created_at AS "createdAt"`;

/** Finds a collection of an owner by its id; null if none exists. */
export async function findCollection(
  sql: Sql,
  { accountId, mode, id }: CollectionOwner & { readonly id: string },
): Promise<StoredCollection | null> {
  const [found] = await sql.query<StoredCollection>(
    `SELECT ${collectionColumns} FROM collection
      WHERE id = $1 AND account_id = $2 AND ($3::key_mode IS NULL OR mode = $3)`,
    [id, accountId, mode],
  );
  return found ?? null;
}

/**
 * Lists collections of an owner, the newest first.
 *
 * @param page.beforeId the last id of the previous page; null for the first.
 */
export function listCollections(
  sql: Sql,
  page: CollectionOwner & { readonly beforeId: string | null; readonly limit: number },
): Promise<StoredCollection[]> {
  return sql.query<StoredCollection>(...newest.bind(page));
}

const newest = statement(
  ["accountId", "mode", "beforeId", "limit"],
  `SELECT ${collectionColumns} FROM collection
    WHERE account_id = :accountId AND (:mode::key_mode IS NULL OR mode = :mode)
      AND (:beforeId::uuid IS NULL OR id < :beforeId)
    ORDER BY id DESC LIMIT :limit`,
);

/** Reads the ids of the jobs of a collection, the newest first. */
export async function readCollectedJobs(sql: Sql, collectionId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT generation_id AS id FROM collection_job WHERE collection_id = $1
      ORDER BY generation_id DESC`,
    [collectionId],
  );
  return rows.map(({ id }) => id);
}

/** The error for a collection that does not exist. */
export function collectionNotFound(): AppError {
  return new AppError(
    "collection_not_found",
    "There is no collection with this id. GET /v1/collections lists your collections.",
  );
}
