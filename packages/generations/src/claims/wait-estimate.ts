import type { Sql } from "@atelier/database";

/** The renders of an account in a lane. */
interface AccountBacklog {
  readonly accountId: string;
  readonly waiting: number;
  readonly running: number;
}

/**
 * Estimates when a lane starts a render, in seconds. The lane serves accounts in turn, so before an
 * account's n-th waiting render it starts at most n of each other account. Its rate follows from
 * Little's law: renders in progress divided by the mean time of a render.
 *
 * @param of.backlogs all accounts with renders in the lane.
 * @param of.ownAhead renders of the account that wait before this one; null for all that wait.
 * @param of.renderSeconds mean time of a render in the lane; null when none was finished lately.
 * @returns null when renders wait and the rate is unknown.
 */
export function estimateWaitSeconds(of: {
  readonly backlogs: readonly AccountBacklog[];
  readonly accountId: string;
  readonly ownAhead: number | null;
  readonly renderSeconds: number | null;
}): number | null {
  const { backlogs, accountId, renderSeconds } = of;
  const own = backlogs.find((backlog) => backlog.accountId === accountId)?.waiting ?? 0;
  const ownAhead = of.ownAhead ?? own;
  const ahead = backlogs
    .filter((backlog) => backlog.accountId !== accountId)
    .reduce((sum, { waiting }) => sum + Math.min(waiting, ownAhead + 1), ownAhead);
  if (ownAhead === 0 && backlogs.every(({ waiting }) => waiting === 0)) return 0;
  const running = backlogs.reduce((sum, backlog) => sum + backlog.running, 0);
  if (running === 0 || renderSeconds === null) return null;
  return Math.round(((ahead + 1) * renderSeconds) / running);
}

/** Maximum number of provider calls that one measurement reads. */
const maxCalls = 2_000;

/**
 * Measures the mean time from claim to image of the latest renders of each lane. Recent calls are found
 * by their ids, which begin with the time. A lane keeps its last time until it has finished another
 * render.
 *
 * @param secondsByLane is updated.
 */
export async function readRenderSeconds(
  sql: Sql,
  secondsByLane: Map<string, number>,
): Promise<void> {
  const means = await sql.query<{ lane: string; seconds: number }>(
    // Each render is read by its id: Postgres expects a third of all calls to be recent, and would join the
    // whole table.
    `SELECT lane, avg(extract(epoch FROM finished_at - claimed_at))::float8 AS seconds
       FROM (SELECT DISTINCT render_id FROM (
               SELECT render_id FROM provider_call WHERE id > (SELECT uuidv7(interval '-10 minutes'))
                ORDER BY id DESC LIMIT ${maxCalls}) AS calls) AS recent,
            LATERAL (
              SELECT lane, claimed_at, finished_at FROM render
               WHERE render.id = render_id AND render.status = 'done'
                 AND finished_at > now() - interval '2 minutes'
               OFFSET 0) AS finished
      GROUP BY lane`,
  );
  for (const { lane, seconds } of means) secondsByLane.set(lane, seconds);
}

/** A job of which no render was started, with its lane. */
export interface WaitingJob {
  readonly generationId: string;
  readonly lane: string;
  /** Renders of the account that wait in the lane before its first one. */
  readonly ownAhead: number;
}

/** Maximum number of unfinished jobs of an account whose place in the lane is computed. */
const maxJobs = 1_000;

/**
 * Lists the oldest jobs of an account that wait for a worker, with their places in the lane. The array and the
 * order by status keep Postgres from reading all jobs by the primary key, and `OFFSET 0` from reading all renders.
 */
export function listWaitingJobs(sql: Sql, accountId: string): Promise<WaitingJob[]> {
  return sql.query<WaitingJob>(
    `SELECT id AS "generationId", lane,
            coalesce(sum(ready) OVER (PARTITION BY lane ORDER BY id
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::int AS "ownAhead"
       FROM (
         SELECT open.id, lane, count(*) AS ready
           FROM (
             SELECT generation.id
               FROM unnest(enum_range(NULL::generation_kind)) AS of_kind (kind),
                    unnest('{pending,processing}'::generation_status[]) AS of_status (status),
                    LATERAL (SELECT id FROM generation
                              WHERE account_id = $1 AND generation.kind = of_kind.kind
                                AND generation.status = ANY (ARRAY[of_status.status])
                              ORDER BY generation.status DESC, id LIMIT ${maxJobs}) AS generation
              ORDER BY generation.id LIMIT ${maxJobs}
           ) AS open, LATERAL (
             SELECT lane FROM render WHERE generation_id = open.id AND render.status = 'ready' OFFSET 0
           ) AS ready_render
          GROUP BY open.id, lane
       ) AS waiting`,
    [accountId],
  );
}
