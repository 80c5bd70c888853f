import { newId, type Database } from "@atelier/database";
import { serveLane, type Queues } from "@atelier/queue";

/** Dependencies of all loads. */
export interface Shared {
  readonly database: Database;
  readonly queues: Queues;
  readonly queueUrl: string;
  /** Jobs of a lane that are processed at the same time. */
  readonly concurrency: number;
  readonly onError: (error: unknown) => void;
}

/** Longer than a load, so that no job is returned to the queue. */
export const lockMs = 600_000;

/**
 * The floor of a service that accepts jobs, gives them to workers through a queue and keeps their
 * results: a round trip of BullMQ and three commits of one row, for accept, claim and finish. It has
 * the pool, the queue and the clients of the service.
 */
export async function createFloor(
  { database, queues, queueUrl, concurrency, onError }: Shared,
  lane: string,
) {
  await database.query(
    "CREATE TABLE IF NOT EXISTS bench_floor (id uuid PRIMARY KEY, status text NOT NULL)",
  );
  const waiting = new Map<string, () => void>();
  const setStatus = (id: string, status: string) =>
    database.query("UPDATE bench_floor SET status = $2 WHERE id = $1", [id, status]);
  const served = await serveLane({
    url: queueUrl,
    lane,
    concurrency,
    rateLimit: null,
    lockMs,
    onError,
    async render(id) {
      await setStatus(id, "running");
      await setStatus(id, "done");
      waiting.get(id)?.();
      return { kind: "done" };
    },
  });
  return {
    async run(): Promise<void> {
      const id = newId();
      await database.query("INSERT INTO bench_floor (id, status) VALUES ($1, 'ready')", [id]);
      const done = new Promise<void>((resolve) => waiting.set(id, resolve));
      await queues.dispatch([{ renderId: id, lane, priority: 1 }]);
      await done;
      waiting.delete(id);
    },
    close: () => served.drain(),
  };
}
