import type { Database } from "@atelier/database";
import { startLoop } from "./loop.ts";

/**
 * Whether a lane's provider may be called. `open`: it failed too often in a row and is left alone for
 * so long. `half-open`: that time is over, and one call is to find out.
 */
export type LaneState =
  | { readonly kind: "closed" }
  | { readonly kind: "open"; readonly retryAfterMs: number }
  | { readonly kind: "half-open" };

/** When a lane's circuit opens, and for how long. */
export interface BreakerLimits {
  /** Renders in a row whose calls came to nothing. */
  readonly failures: number;
  readonly coolDownMs: number;
}

/** A call that came to nothing. */
interface LaneFailure {
  readonly lane: string;
  readonly renderId: string;
  readonly reason: string;
  readonly limits: BreakerLimits;
  /** How long the call took, in milliseconds. */
  readonly callMs: number;
}

/**
 * The circuit breakers of all lanes. They are rows, so that all processes agree and a restart forgets
 * nothing; each process reads them beside its work, and a lane that is well has none, so that a call
 * that goes well costs no statement.
 */
export interface LaneHealth {
  /** What was known at the last reading; never waits. */
  stateOf(lane: string): LaneState;
  /**
   * Asks whether a call may be made now. Of an open lane whose time is over, one caller is let
   * through, and the next only when nothing was heard of it for `probeMs`.
   *
   * @returns null when it may; else how long to wait before asking again, in milliseconds.
   */
  permitCall(lane: string, probeMs: number): Promise<number | null>;
  /**
   * The provider answered: the run of failures is over, and an open circuit closes, unless it was
   * opened after the call began, which knows nothing of why.
   *
   * @param callMs how long the call took, in milliseconds.
   */
  recordAnswer(lane: string, callMs: number): Promise<void>;
  /** Opens the circuit where it is time; that of a call from before it was opened never shortens it. */
  recordFailure(failure: LaneFailure): Promise<void>;
  /** Ends the reading and waits for the one under way. */
  close(): Promise<void>;
}

interface Row {
  readonly lane: string;
  readonly isOpen: boolean;
  readonly remainingMs: number;
}

const shortestWaitMs = 1_000;

/** Of a row `h`, and a call that took so many milliseconds: the circuit was opened since it began. */
function openedSince(callMs: `$${number}`): string {
  return `(h.open_until IS NOT NULL AND h.changed_at > now() - ${callMs} * interval '1 ms')`;
}

/** Starts reading the rows, every `intervalMs`. */
export function watchLaneHealth(
  database: Database,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): LaneHealth {
  const known = new Map<string, { isOpen: boolean; endsAt: number }>();
  /** Counts what this process wrote: a reading that began before says less than it knows. */
  let written = 0;

  async function read(): Promise<void> {
    const writtenBefore = written;
    const rows = await database.query<Row>(
      `SELECT lane, open_until IS NOT NULL AS "isOpen",
              coalesce(extract(epoch FROM open_until - now()) * 1000, 0)::float AS "remainingMs"
         FROM lane_health`,
    );
    if (written !== writtenBefore) return;
    known.clear();
    for (const row of rows) remember(row);
  }

  function remember({ lane, isOpen, remainingMs }: Row): void {
    known.set(lane, { isOpen, endsAt: performance.now() + remainingMs });
  }

  const loop = startLoop(read, {
    firstDelayMs: 0,
    delayMs: () => options.intervalMs,
    onError: options.onError,
  });

  function stateOf(lane: string): LaneState {
    const row = known.get(lane);
    if (row === undefined || !row.isOpen) return { kind: "closed" };
    const retryAfterMs = Math.ceil(row.endsAt - performance.now());
    return retryAfterMs > 0 ? { kind: "open", retryAfterMs } : { kind: "half-open" };
  }

  return {
    stateOf,

    async permitCall(lane, probeMs) {
      if (stateOf(lane).kind === "closed") return null;
      const [open] = await database.query<{ probing: boolean; remainingMs: number }>(
        `WITH probe AS (
           UPDATE lane_health SET open_until = now() + $2 * interval '1 ms'
            WHERE lane = $1 AND open_until <= now() RETURNING lane
         )
         SELECT EXISTS (SELECT 1 FROM probe) AS probing,
                (extract(epoch FROM open_until - now()) * 1000)::float AS "remainingMs"
           FROM lane_health WHERE lane = $1 AND open_until IS NOT NULL`,
        [lane, probeMs],
      );
      if (open === undefined || open.probing) return null;
      return Math.max(Math.ceil(open.remainingMs), shortestWaitMs);
    },

    async recordAnswer(lane, callMs) {
      if (!known.has(lane)) return;
      const ended = await database.query(
        `DELETE FROM lane_health AS h WHERE lane = $1 AND NOT ${openedSince("$2")} RETURNING lane`,
        [lane, callMs],
      );
      if (ended.length === 0) return;
      known.delete(lane);
      written++;
    },

    async recordFailure({ lane, renderId, reason, limits, callMs }) {
      const [row] = await database.query<Row>(
        `INSERT INTO lane_health AS h (lane, failures, last_render_id, reason, open_until)
         VALUES ($1, 1, $2, $3, CASE WHEN $4 <= 1 THEN now() + $5 * interval '1 ms' END)
         ON CONFLICT (lane) DO UPDATE
           SET failures = h.failures + (h.last_render_id <> $2)::int, last_render_id = $2,
               reason = $3,
               changed_at = CASE WHEN ${openedSince("$6")} THEN h.changed_at ELSE now() END,
               open_until = CASE
                 WHEN ${openedSince("$6")}
                 THEN greatest(h.open_until, now() + $5 * interval '1 ms')
                 WHEN h.open_until IS NOT NULL OR h.failures + (h.last_render_id <> $2)::int >= $4
                 THEN now() + $5 * interval '1 ms' END
         RETURNING lane, open_until IS NOT NULL AS "isOpen",
                   coalesce(extract(epoch FROM open_until - now()) * 1000, 0)::float AS "remainingMs"`,
        [lane, renderId, reason, limits.failures, limits.coolDownMs, callMs],
      );
      if (row !== undefined) remember(row);
      written++;
    },

    close: () => loop.stop(),
  };
}
