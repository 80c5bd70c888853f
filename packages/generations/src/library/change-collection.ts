import type { Caller } from "@atelier/accounts";
import { newId, type Database, type Sql } from "@atelier/database";
import { AppError, itemNotFound } from "@atelier/schemas";
import { maxCollectedJobs, type ChangeCollectionRequest } from "@atelier/schemas/endpoints";
import { jobNotFound } from "../endings/cancel.ts";
import { collectionColumns, collections, type StoredCollection } from "./collections.ts";
import type { Owner } from "./items.ts";
import { lockToChange } from "./lock-to-change.ts";
import { tooMany } from "./too-many-items.ts";

/**
 * Creates a collection, or returns the one that has the name, so that it can be repeated.
 *
 * @throws AppError `too_many_items`, or the reason why the caller lost its rights.
 */
export function createCollection(
  database: Database,
  caller: Caller,
  name: string,
): Promise<{ readonly collection: StoredCollection; readonly isNew: boolean }> {
  return database.transaction(async (sql) => {
    // The lock of the account makes names unique and counts exact.
    const { accountId, mode } = await lockToChange(sql, caller);
    const existing = await collections.findNamed(sql, { accountId, mode }, name);
    if (existing !== undefined) return { collection: existing, isNew: false };
    await collections.assertRoom(sql, { accountId, mode });
    const [created] = await sql.query<StoredCollection>(
      `INSERT INTO collection (id, account_id, mode, name) VALUES ($1, $2, $3, $4)
       RETURNING ${collectionColumns}`,
      [newId(), accountId, mode, name],
    );
    if (created === undefined) throw new Error("no collection was inserted");
    return { collection: created, isNew: true };
  });
}

/**
 * Renames a collection, and adds and removes jobs of the account with its mode. Can be repeated.
 *
 * @throws AppError `collection_not_found`, `job_not_found`, `duplicate_name`, `too_many_items`, or the reason
 *   why the caller lost its rights.
 */
export function changeCollection(
  database: Database,
  caller: Caller,
  id: string,
  { name, add = [], remove = [] }: ChangeCollectionRequest,
): Promise<StoredCollection> {
  return database.transaction(async (sql) => {
    const owner = await lockToChange(sql, caller);
    const jobs = await countJobs(sql, owner, id);
    if (name !== undefined) await rename(sql, owner, id, name);
    await assertJobs(sql, owner, add);
    const removed = await sql.query(
      `DELETE FROM collection_job WHERE collection_id = $1 AND generation_id = ANY ($2::uuid[])
       RETURNING generation_id`,
      [id, remove],
    );
    const added = await sql.query(
      `INSERT INTO collection_job (collection_id, generation_id)
       SELECT $1, job FROM unnest($2::uuid[]) AS job WHERE job <> ALL ($3::uuid[])
       ON CONFLICT DO NOTHING RETURNING generation_id`,
      [id, add, remove],
    );
    const count = jobs - removed.length + added.length;
    if (count > maxCollectedJobs) {
      throw tooMany(
        `The collection has ${maxCollectedJobs} jobs, which is its limit. Remove some.`,
        maxCollectedJobs,
      );
    }
    const [changed] = await sql.query<StoredCollection>(
      `UPDATE collection SET job_count = $2 WHERE id = $1 RETURNING ${collectionColumns}`,
      [id, count],
    );
    if (changed === undefined) throw itemNotFound("collections");
    return changed;
  });
}

async function countJobs(sql: Sql, { accountId, mode }: Owner, id: string): Promise<number> {
  const [found] = await sql.query<{ jobs: number }>(
    "SELECT job_count AS jobs FROM collection WHERE id = $1 AND account_id = $2 AND mode = $3",
    [id, accountId, mode],
  );
  if (found === undefined) throw itemNotFound("collections");
  return found.jobs;
}

async function rename(sql: Sql, owner: Owner, id: string, name: string): Promise<void> {
  const other = await collections.findNamed(sql, owner, name, id);
  if (other !== undefined) throw nameTaken(other.id);
  await sql.query("UPDATE collection SET name = $2 WHERE id = $1", [id, name]);
}

/**
 * Locks the jobs, so that they are not archived meanwhile.
 *
 * @throws AppError `job_not_found` for the first id that is no job of the account with its mode.
 */
async function assertJobs(sql: Sql, { accountId, mode }: Owner, ids: readonly string[]) {
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND account_id = $2 AND mode = $3
      ORDER BY id FOR KEY SHARE`,
    [ids, accountId, mode],
  );
  const known = new Set(rows.map((row) => row.id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing !== -1) throw jobNotFound().at(`add.${missing}`);
}

function nameTaken(existing: string): AppError {
  return new AppError("duplicate_name", "Another collection has this name. Choose another one.", {
    details: { existing_id: existing },
  }).at("name");
}
