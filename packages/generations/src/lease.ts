import type { Sql } from "@atelier/database";

interface Lease {
  readonly task: string;
  /** Any id of the caller's own. */
  readonly holder: string;
  /** From now on, by the database's clock. */
  readonly forMs: number;
}

/**
 * Takes the lease of a task that one process of the whole fleet does from time to time. Whoever has it
 * may work for that long, and can ask for more with `extendLease`; when it dies, the next one is taken
 * once the time is over. `next_turn_at` is when that is.
 *
 * @returns whether the lease was free.
 */
export async function takeLease(sql: Sql, { task, holder, forMs }: Lease): Promise<boolean> {
  const taken = await sql.query(
    `INSERT INTO recurring_task AS known (task, holder, next_turn_at)
     VALUES ($1, $2, now() + $3 * interval '1 ms')
     ON CONFLICT (task) DO UPDATE
       SET holder = excluded.holder, next_turn_at = excluded.next_turn_at
       WHERE known.next_turn_at <= now()
     RETURNING task`,
    [task, holder, forMs],
  );
  return taken.length > 0;
}

/**
 * Keeps a lease for that long from now on: to go on with the task, or so that nobody begins it again
 * until then.
 *
 * @returns false when another one has it: stop.
 */
export async function extendLease(sql: Sql, { task, holder, forMs }: Lease): Promise<boolean> {
  const kept = await sql.query(
    `UPDATE recurring_task SET next_turn_at = now() + $3 * interval '1 ms'
      WHERE task = $1 AND holder = $2 RETURNING task`,
    [task, holder, forMs],
  );
  return kept.length > 0;
}
