import type { Sql } from "@atelier/database";

interface LeaseOptions {
  /** Name of the task, the same in all processes of the fleet. */
  readonly task: string;
  /** Any id of the caller's own, such as a new one per process. Two holders with one id share the lease. */
  readonly holder: string;
  /**
   * Duration without an extension, in milliseconds of the database's clock. Longer than the work between
   * two extensions: another process starts the task when it has passed.
   */
  readonly forMs: number;
  /** Aborting it stops the extension of the lease, so that `extend` returns false. */
  readonly stopped: AbortSignal;
}

/** The right of one process of the fleet to do a recurring task. */
export interface Lease {
  /** False once it was stopped, or another process had it at the last `extend`. */
  isHeld(): boolean;
  /**
   * Extends it by `forMs` from now on, to continue with the task.
   *
   * @returns whether it is still held: stop when it is not.
   */
  extend(): Promise<boolean>;
  /** Sets the time until the lease expires, in milliseconds, unless another process holds it. */
  keepFor(ms: number): Promise<void>;
}

/**
 * Takes the lease of a recurring task, which one process of the fleet runs at a time. If that process
 * dies, another one can take the lease when it expires, at `next_turn_at`.
 *
 * @returns null while another process holds it.
 */
export async function takeLease(
  sql: Sql,
  { task, holder, forMs, stopped }: LeaseOptions,
): Promise<Lease | null> {
  const acquired = await sql.query(
    `INSERT INTO recurring_task AS known (task, holder, next_turn_at)
     VALUES ($1, $2, now() + $3 * interval '1 ms')
     ON CONFLICT (task) DO UPDATE
       SET holder = excluded.holder, next_turn_at = excluded.next_turn_at
       WHERE known.next_turn_at <= now()
     RETURNING task`,
    [task, holder, forMs],
  );
  if (acquired.length === 0) return null;
  let isHeld = true;

  async function keepFor(ms: number): Promise<boolean> {
    const renewed = await sql.query(
      `UPDATE recurring_task SET next_turn_at = now() + $3 * interval '1 ms'
        WHERE task = $1 AND holder = $2 RETURNING task`,
      [task, holder, ms],
    );
    return renewed.length > 0;
  }

  return {
    isHeld: () => isHeld,
    async extend() {
      if (isHeld) isHeld = !stopped.aborted && (await keepFor(forMs));
      return isHeld;
    },
    async keepFor(ms) {
      await keepFor(ms);
    },
  };
}
