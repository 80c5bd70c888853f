import type { Sql } from "@atelier/database";

/**
 * Chooses the servers to check now: one worker of the fleet checks each server once in `intervalMs`.
 */
export async function claimChecks(
  sql: Sql,
  urls: readonly string[],
  intervalMs: number,
): Promise<readonly string[]> {
  const claimed = await sql.query<{ url: string }>(
    `INSERT INTO engine_server AS s (url) SELECT unnest($1::text[])
     ON CONFLICT (url) DO UPDATE SET checked_at = now()
       WHERE s.checked_at < now() - $2 * interval '1 ms'
     RETURNING url`,
    [urls.toSorted(), intervalMs],
  );
  return claimed.map(({ url }) => url);
}

/**
 * Records how many unfinished jobs a server has: those without a place are of other clients. The load of
 * a server that has other clients is unknown only in its model, which a call then loads again.
 */
export async function recordJobs(sql: Sql, url: string, jobs: number): Promise<void> {
  await sql.query(
    `WITH counted AS (
       SELECT greatest(0, $2 - count(*))::int AS others FROM engine_place
        WHERE url = $1 AND started_at IS NOT NULL AND expires_at > now()
     )
     UPDATE engine_server SET jobs_of_others = others
       FROM counted WHERE url = $1 AND jobs_of_others <> others`,
    [url, jobs],
  );
}

/** Forgets what a server has loaded: it does not run, or was started again. */
export async function forgetLoad(sql: Sql, url: string): Promise<void> {
  await sql.query(
    `UPDATE engine_server SET model = NULL, loras = '', jobs_of_others = 0
      WHERE url = $1 AND model IS NOT NULL`,
    [url],
  );
}

/** Age of servers that no worker has checked, in days: they were removed from the settings. */
const forgottenDays = 7;

/** Deletes places whose generation has passed its deadline, and servers that are no longer configured. */
export async function dropOldServers(sql: Sql): Promise<void> {
  await sql.query("DELETE FROM engine_place WHERE expires_at <= now()");
  await sql.query(
    `WITH old AS (
       DELETE FROM engine_server WHERE checked_at < now() - $1 * interval '1 day' RETURNING url
     )
     DELETE FROM engine_speed USING old WHERE engine_speed.url = old.url`,
    [forgottenDays],
  );
}
