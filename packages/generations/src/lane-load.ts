import type { Database } from "@atelier/database";
import { startLoop } from "./loop.ts";

/** How far behind a lane is. */
interface Load {
  /** Renders that are ready and that no worker has. */
  readonly waiting: number;
  /**
   * Since the generation of the one that waits longest was accepted; 0 without any. Renders that
   * waited for others of their generation, or failed before, do not count: it is not the lane that
   * keeps them waiting.
   */
  readonly oldestSeconds: number;
}

/** The load of all lanes, as each process knows it. */
export interface LaneLoad {
  /** What was known at the last reading; never waits. */
  of(lane: string): Load;
  /** Ends the reading and waits for the one under way. */
  close(): Promise<void>;
}

const idle: Load = { waiting: 0, oldestSeconds: 0 };

/** Starts reading how much waits in each lane, every `intervalMs`. */
export function watchLaneLoad(
  database: Database,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): LaneLoad {
  let known: ReadonlyMap<string, Load> = new Map();

  async function read(): Promise<void> {
    const rows = await database.query<Load & { lane: string }>(
      `SELECT lane, count(*)::int AS waiting,
              coalesce(extract(epoch FROM now() - min(created_at)
                FILTER (WHERE waits_for = '{}' AND attempt = 0)), 0)::float AS "oldestSeconds"
         FROM render JOIN generation ON generation.id = generation_id
        WHERE finished_at IS NULL AND render.status = 'ready' GROUP BY lane`,
    );
    known = new Map(rows.map(({ lane, ...load }) => [lane, load]));
  }

  const loop = startLoop(read, {
    firstDelayMs: 0,
    delayMs: () => options.intervalMs,
    onError: options.onError,
  });
  return { of: (lane) => known.get(lane) ?? idle, close: () => loop.stop() };
}
