import { statement, type Sql } from "@atelier/database";
import { unfinishedRenders } from "../jobs/totals.ts";

/** A lane with unfinished images or with failures of its provider, for operators. */
export interface LaneOverview {
  readonly lane: string;
  readonly waiting: number;
  readonly running: number;
  /** Since the oldest job with a waiting image was accepted, by its id; 0 if none waits. */
  readonly oldestSeconds: number;
  readonly oldestJobId: string | null;
  /** Those with the most images that wait or are in work, the most first. */
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly waiting: number;
    readonly running: number;
  }[];
  /** Images in a row whose calls failed. */
  readonly failures: number;
  readonly reason: string | null;
  /** Null while the provider is called. */
  readonly openUntil: Date | null;
  readonly isOpen: boolean;
  readonly changedAt: Date | null;
}

/** Accounts of a lane that are read. */
const maxAccounts = 5;

/** Reads the lanes that have unfinished images, or a provider whose last calls failed. */
export function readLanes(sql: Sql): Promise<LaneOverview[]> {
  return sql.query<LaneOverview>(
    `WITH ${unfinishedRenders}, busy AS (
       SELECT lane, count(*) FILTER (WHERE status = 'ready')::int AS waiting,
              count(*) FILTER (WHERE status = 'running')::int AS running,
              (array_agg(generation_id ORDER BY generation_id) FILTER (WHERE status = 'ready'))[1] AS "oldestJobId"
         FROM unfinished GROUP BY lane
     ), ranked AS (
       SELECT lane, account_id, count(*) FILTER (WHERE status = 'ready')::int AS waiting,
              count(*) FILTER (WHERE status = 'running')::int AS running,
              row_number() OVER (PARTITION BY lane ORDER BY count(*) DESC, account_id) AS rank
         FROM unfinished GROUP BY lane, account_id
     ), busiest AS (
       SELECT lane, json_agg(json_build_object(
                'id', account_id, 'name', (SELECT name FROM account WHERE id = account_id),
                'waiting', waiting, 'running', running) ORDER BY rank) AS accounts
         FROM ranked WHERE rank <= ${maxAccounts} GROUP BY lane
     )
     SELECT lane, coalesce(waiting, 0) AS waiting, coalesce(running, 0) AS running,
            coalesce(extract(epoch FROM now() - uuid_extract_timestamp("oldestJobId")), 0)::float8 AS "oldestSeconds",
            "oldestJobId", coalesce(accounts, '[]') AS accounts, coalesce(failures, 0) AS failures,
            reason, open_until AS "openUntil", coalesce(open_until > now(), false) AS "isOpen",
            changed_at AS "changedAt"
       FROM busy JOIN busiest USING (lane) FULL JOIN lane_health USING (lane)`,
  );
}

/** Ended calls of a provider with the same outcome. */
interface Calls {
  readonly provider: string;
  readonly outcome: string;
  readonly calls: number;
  /** When the last of them ended. */
  readonly lastAt: Date;
  /** False for images and refusals of prompts. */
  readonly isFailure: boolean;
}

/**
 * Counts the newest ended calls since a time by provider and outcome, the outcome of the last call first.
 *
 * @param limit the most that are read, of all providers.
 */
export function readCalls(
  sql: Sql,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<Calls[]> {
  return sql.query<Calls>(...countCalls.bind({ since: since.toISOString(), limit }));
}

const countCalls = statement(
  ["since", "limit"],
  `SELECT provider, outcome, count(*)::int AS calls, max(coalesce(finished_at, started_at)) AS "lastAt",
          outcome NOT IN ('image', 'refused', 'invalid_request') AS "isFailure"
     FROM (SELECT provider, outcome, started_at, finished_at FROM provider_call
            WHERE started_at >= :since::timestamptz AND outcome IS NOT NULL
            ORDER BY started_at DESC LIMIT :limit) AS newest
    GROUP BY provider, outcome ORDER BY "lastAt" DESC`,
);
