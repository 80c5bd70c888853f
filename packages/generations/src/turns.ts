import type { Sql } from "@atelier/database";

interface Turn {
  readonly task: string;
  /** Any id of the caller's own. */
  readonly holder: string;
  readonly forMs: number;
}

/**
 * Takes the turn at a task that one process of the whole fleet does from time to time. Whoever has it
 * may work for that long, and can ask for more with `extendTurn`; when it dies, the next one is taken
 * once the time is over. By the database's clock.
 *
 * @returns whether the turn was free.
 */
export async function takeTurn(sql: Sql, { task, holder, forMs }: Turn): Promise<boolean> {
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
 * Keeps a turn for that long from now on, or gives it back until then.
 *
 * @returns false when another one has it: stop.
 */
export async function extendTurn(sql: Sql, { task, holder, forMs }: Turn): Promise<boolean> {
  const kept = await sql.query(
    `UPDATE recurring_task SET next_turn_at = now() + $3 * interval '1 ms'
      WHERE task = $1 AND holder = $2 RETURNING task`,
    [task, holder, forMs],
  );
  return kept.length > 0;
}
