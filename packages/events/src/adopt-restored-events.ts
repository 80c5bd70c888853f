import type { Database } from "@atelier/database";

/** More events than an installation writes between a backup and its restore. */
const skippedIds = 1_000_000_000;

/**
 * Prepares the events of a restored database. A dump that is restored into another server can have
 * transaction ids that are greater than the new ones, so that streams would miss new events and repeat
 * old ones: they are lowered, all by the same amount, so that a stream that is resumed still receives the
 * events that were committed after the last one that it received, but have lower ids. New events continue
 * with higher ids than any that a client has received, so that clients that resume a stream miss none.
 *
 * Webhooks that were being delivered to at the time of the backup are free again: their workers are gone,
 * and others would wait for the end of the claim. No program may be connected. Safe to repeat.
 */
export async function adoptRestoredEvents(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(
      `UPDATE event SET xid = xid - excess, horizon = horizon - excess
         FROM (SELECT max(xid) - pg_current_xact_id()::text::bigint AS excess FROM event) AS latest
        WHERE excess > 0`,
    );
    await sql.query("UPDATE webhook SET claimed_until = now() WHERE claimed_until > now()");
    await sql.query(
      `SELECT setval(sequence, nextval(sequence) + ${skippedIds})
         FROM (SELECT pg_get_serial_sequence('event', 'id')::regclass AS sequence) AS found`,
    );
  });
}
