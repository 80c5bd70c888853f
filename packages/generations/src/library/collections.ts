import type { Sql } from "@atelier/database";
import type { KeyMode } from "@atelier/schemas";
import { createItems } from "./items.ts";

/** Jobs that an account put together. */
export interface StoredCollection {
  readonly id: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly jobs: number;
  readonly createdAt: Date;
}

/** SQL columns of a `StoredCollection`. */
export const collectionColumns = `id, mode, name, job_count AS jobs, created_at AS "createdAt"`;

export const collections = createItems<StoredCollection>(
  "collections",
  collectionColumns,
  (sql, id) => sql.query("DELETE FROM collection_job WHERE collection_id = $1", [id]),
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
