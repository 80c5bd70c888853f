import { statement, type Sql } from "@atelier/database";
import type { EventType } from "@atelier/schemas";

/** An event of the outbox. */
export interface StoredEvent {
  /** Larger than the ids of earlier events of the same job. */
  readonly id: bigint;
  readonly accountId: string;
  /** Null for an event of the account. */
  readonly generationId: string | null;
  readonly type: EventType;
  /** Null for an event of a job. */
  readonly data: object | null;
  readonly createdAt: Date;
}

/**
 * Waits until events that were read are on disk. The first claim of a render commits its event without
 * waiting; after a crash, its id could be that of another event, which a client that resumes would miss.
 */
async function untilDurable<Events extends readonly Pick<StoredEvent, "type">[]>(
  sql: Sql,
  events: Events,
): Promise<Events> {
  if (events.some(({ type }) => type === "job.updated")) {
    await sql.query("SELECT pg_logical_emit_message(false, 'atelier', '', true)");
  }
  return events;
}

const columns = `id, account_id AS "accountId", generation_id AS "generationId", type, data,
  created_at AS "createdAt"`;

/** Which transactions were committed at a point in time: those before `xmax`, except `inProgress`. */
export interface Snapshot {
  readonly xmax: bigint;
  readonly inProgress: readonly bigint[];
  /** By the database's clock, in microseconds. */
  readonly takenAt: string;
  /** After a restart, ids of transactions that were not committed can be assigned again. */
  readonly serverStartedAt: string;
}

interface SnapshotRow {
  readonly snapshot: string;
  readonly takenAt: string;
  readonly serverStartedAt: string;
}

/** Recovery from a crash keeps the start time of the server's first process, and resets its statistics. */
const snapshotFacts = `now()::text AS "takenAt",
  pg_postmaster_start_time() || ' ' || pg_stat_get_bgwriter_stat_reset_time() AS "serverStartedAt"`;

/** The transactions that are committed now. */
export async function takeSnapshot(sql: Sql): Promise<Snapshot> {
  const [row] = await sql.query<SnapshotRow>(
    `SELECT pg_current_snapshot()::text AS snapshot, ${snapshotFacts}`,
  );
  return parseSnapshot(row);
}

/**
 * Reads the events of these accounts that were committed after a snapshot, in the order of their ids,
 * and the next snapshot. An event with a lower id than an earlier one is read as well when its
 * transaction ended later: ids are assigned before commits. A long transaction delays no event.
 *
 * @param limit most events; with more, the caller starts again from a new snapshot.
 */
export async function readNewEvents(
  sql: Sql,
  since: Snapshot,
  options: { readonly accountIds: readonly string[]; readonly limit: number },
): Promise<{ readonly events: readonly StoredEvent[]; readonly snapshot: Snapshot }> {
  // One statement, so that its snapshot is that of the rows. Rows of a restored database may have the
  // transaction ids of another server: those above the snapshot are left out before the limit, and those
  // that this server assigns again by their age.
  const rows = await sql.query<StoredEvent & SnapshotRow>(
    ...selectNew.bind({
      xmax: since.xmax,
      inProgress: since.inProgress,
      takenAt: since.takenAt,
      accountIds: options.accountIds,
      limit: options.limit,
    }),
  );
  const events = rows.filter(({ id }) => id !== null);
  return {
    events: await untilDurable(sql, events),
    snapshot: parseSnapshot(rows[0]),
  };
}

/** Longer than any transaction that writes events: see `statementTimeouts` of the database. */
const longestTransaction = "2 minutes";

const selectNew = statement(
  ["xmax", "inProgress", "takenAt", "accountIds", "limit"],
  `SELECT current.snapshot::text, ${snapshotFacts}, new_event.*
     FROM (SELECT pg_current_snapshot() AS snapshot) AS current LEFT JOIN LATERAL (
       SELECT ${columns} FROM event
        WHERE (xid >= :xmax OR xid = ANY (:inProgress::bigint[]))
          AND xid < pg_snapshot_xmax(current.snapshot)::text::bigint
          AND created_at >= :takenAt::timestamptz - interval '${longestTransaction}'
          AND account_id = ANY (:accountIds)
        ORDER BY id LIMIT :limit
     ) AS new_event ON true
    ORDER BY id`,
);

/** Parses `xmin:xmax:xid,xid,…` (Postgres, "Snapshot Components"). */
function parseSnapshot(row: SnapshotRow | undefined): Snapshot {
  const { snapshot, takenAt, serverStartedAt } = row ?? {};
  const [, xmax, inProgress = ""] = snapshot?.split(":") ?? [];
  if (xmax === undefined || takenAt === undefined || serverStartedAt === undefined) {
    throw new Error(`malformed snapshot ${snapshot}`);
  }
  return {
    xmax: BigInt(xmax),
    inProgress: inProgress === "" ? [] : inProgress.split(",").map(BigInt),
    takenAt,
    serverStartedAt,
  };
}

/** Reads up to `limit` events of a job after an id, in order. */
export async function readJobEvents(
  sql: Sql,
  of: { readonly generationId: string; readonly afterId: bigint; readonly limit: number },
): Promise<StoredEvent[]> {
  const events = await sql.query<StoredEvent>(
    `SELECT ${columns} FROM event WHERE generation_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    [of.generationId, of.afterId, of.limit],
  );
  return untilDurable(sql, events);
}

/** Id of the latest event of a job; null when its events have expired. */
export async function findLastEventId(sql: Sql, generationId: string): Promise<bigint | null> {
  const newest = await sql.query<Pick<StoredEvent, "id" | "type">>(
    "SELECT id, type FROM event WHERE generation_id = $1 ORDER BY id DESC LIMIT 1",
    [generationId],
  );
  const [last] = await untilDurable(sql, newest);
  return last?.id ?? null;
}

/** Whether an event of an account is kept. Later ones are kept at least as long. */
export async function hasEvent(
  sql: Sql,
  of: { readonly accountId: string; readonly eventId: bigint },
): Promise<boolean> {
  const found = await sql.query("SELECT FROM event WHERE account_id = $1 AND id = $2", [
    of.accountId,
    of.eventId,
  ]);
  return found.length > 0;
}

/** Reads up to `limit` events of an account after an id, in order. */
export async function readAccountEvents(
  sql: Sql,
  of: { readonly accountId: string; readonly afterId: bigint; readonly limit: number },
): Promise<StoredEvent[]> {
  const events = await sql.query<StoredEvent>(
    `SELECT ${columns} FROM event WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    [of.accountId, of.afterId, of.limit],
  );
  return untilDurable(sql, events);
}

/**
 * Reads the events of an account with lower ids than one event whose transactions may have ended after
 * a client received that event: those that were in progress when it was written. A replay begins with
 * them, so that no event is missed. Some of them may have been received before.
 */
export async function readConcurrentEvents(
  sql: Sql,
  of: { readonly accountId: string; readonly eventId: bigint },
): Promise<StoredEvent[]> {
  const events = await sql.query<StoredEvent>(
    `WITH received AS (
       SELECT id, generation_id, xid, horizon, created_at FROM event WHERE account_id = $1 AND id = $2
     )
     SELECT ${columns} FROM (
       SELECT event.* FROM received, event
        WHERE event.account_id = $1 AND event.id < $2 AND event.id > coalesce((
          SELECT id FROM event AS older
           WHERE account_id = $1 AND id < $2
             AND older.created_at < received.created_at - interval '${longestTransaction}'
           ORDER BY id DESC LIMIT 1), 0)
          AND event.xid >= received.horizon AND event.xid <> received.xid
          AND event.generation_id IS DISTINCT FROM received.generation_id
     ) AS concurrent ORDER BY id`,
    [of.accountId, of.eventId],
  );
  return untilDurable(sql, events);
}
