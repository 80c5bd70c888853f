import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "./sql.ts";

export interface Notifier {
  /** Sends a notification soon. Equal ones that wait together are sent once. */
  notify(channel: string, payload: string): void;
  /** Sends the waiting notifications and sends no later ones. */
  close(): Promise<void>;
}

/** Time from the end of one statement to the next, in milliseconds: notifications of that time share one. */
const gapMs = 4;

/**
 * Sends notifications in batches, each in a transaction of its own. Postgres commits transactions with a
 * NOTIFY one at a time, so none that waits for the disk may contain one: this one does not wait.
 *
 * @param onError called when a batch was lost: listeners poll the rows as well.
 */
export function createNotifier(sql: Sql, onError: (error: unknown) => void): Notifier {
  const pending = new Map<string, readonly [channel: string, payload: string]>();
  const closing = new AbortController();
  let sending: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    while (pending.size > 0) {
      const batch = [...pending.values()];
      pending.clear();
      await send(sql, batch).catch(onError);
      await delay(gapMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    sending = undefined;
  }

  return {
    notify(channel, payload) {
      if (closing.signal.aborted) return;
      pending.set(`${channel} ${payload}`, [channel, payload]);
      sending ??= sendAll();
    },
    async close() {
      closing.abort();
      await sending;
    },
  };
}

async function send(
  sql: Sql,
  batch: readonly (readonly [channel: string, payload: string])[],
): Promise<void> {
  await sql.query(
    `SELECT set_config('synchronous_commit', 'off', true), count(pg_notify(channel, payload))
       FROM unnest($1::text[], $2::text[]) AS waiting (channel, payload)`,
    [batch.map(([channel]) => channel), batch.map(([, payload]) => payload)],
  );
}
