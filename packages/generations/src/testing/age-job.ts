import { newId, type Database } from "@atelier/database";

/**
 * Gives a completed job of one image the ids and times of an earlier moment, and records that its files are
 * removed. Its event and idempotency key are deleted, as after a day. The period of its key's budget begins with it
 * at the latest, so that the key has spent its price.
 *
 * @param madeAt in milliseconds since 1970.
 * @returns its new id.
 */
export async function ageJob(
  database: Pick<Database, "transaction">,
  generationId: string,
  madeAt: number,
): Promise<string> {
  const id = newId(madeAt);
  const renderId = newId(madeAt);
  const moved = (column: string) => `${column} - (now() - to_timestamp(${madeAt / 1_000}))`;
  await database.transaction(async (sql) => {
    // Skips foreign keys and triggers, such as that of deleted images.
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query(
      `UPDATE generation SET id = $2, created_at = ${moved("created_at")}, started_at = ${moved("started_at")},
              completed_at = ${moved("completed_at")}, result = NULL, marks = 4 WHERE id = $1`,
      [generationId, id],
    );
    await sql.query(
      `UPDATE api_key SET spent_since = least(spent_since, generation.created_at)
         FROM generation WHERE generation.id = $1 AND api_key.id = key_id`,
      [id],
    );
    const render = "(SELECT id FROM render WHERE generation_id = $1)";
    for (const table of ["image", "provider_call", "moderation_decision", "mark", "mark_file"]) {
      await sql.query(`UPDATE ${table} SET render_id = $2 WHERE render_id = ${render}`, [
        generationId,
        renderId,
      ]);
    }
    await sql.query("UPDATE render SET id = $2 WHERE generation_id = $1", [generationId, renderId]);
    for (const table of ["render", "moderation_decision", "generation_search"]) {
      await sql.query(`UPDATE ${table} SET generation_id = $2 WHERE generation_id = $1`, [
        generationId,
        id,
      ]);
    }
    for (const table of ["hold", "ledger_transfer"]) {
      await sql.query(
        `UPDATE ${table} SET generation_id = $2, created_at = ${moved("created_at")} WHERE generation_id = $1`,
        [generationId, id],
      );
    }
    await sql.query(
      "UPDATE image SET deleted_at = now(), removed_at = now() WHERE render_id = $1",
      [renderId],
    );
    await sql.query("DELETE FROM event WHERE generation_id = $1", [generationId]);
    await sql.query("DELETE FROM idempotency_key WHERE generation_id = $1", [generationId]);
  });
  return id;
}
