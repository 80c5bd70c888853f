import { statement, type Database } from "@atelier/database";
import { startLoop } from "@atelier/process";

/**
 * State of a lane's circuit breaker. `open`: the provider failed too often in a row and is paused.
 * `half-open`: the pause is over, and one probe may be sent.
 */
export type LaneState =
  | { readonly kind: "closed" }
  | { readonly kind: "open"; readonly retryAfterMs: number }
  | { readonly kind: "half-open" };

/** When a lane's circuit opens, and for how long. */
export interface BreakerLimits {
  /** Consecutive renders with failed calls. */
  readonly failures: number;
  readonly coolDownMs: number;
}

/** A failed call. */
interface LaneFailure {
  readonly lane: string;
  readonly renderId: string;
  readonly reason: string;
  readonly limits: BreakerLimits;
  /** Duration of the call, in milliseconds. */
  readonly callMs: number;
}

/**
 * The circuit breakers of all lanes. They are stored as rows, so that all processes agree and a
 * restart loses nothing. Each process reads them in the background. A healthy lane has no row, so
 * that a successful call costs no statement.
 */
export interface LaneHealth {
  /** State at the last reading; never waits. */
  stateOf(lane: string): LaneState;
  /**
   * Asks whether a call may be made now. A half-open lane permits one caller, and another one after
   * `probeMs` if the first has not been answered by then, since it may be lost.
   *
   * @returns null when a call is permitted, otherwise the time to wait before asking again, in milliseconds.
   */
  permitCall(lane: string, probeMs: number): Promise<number | null>;
  /**
   * Records a response of the provider: resets the failure count and closes an open circuit, unless
   * it was opened after the call started.
   *
   * @param callMs duration of the call, in milliseconds.
   */
  recordAnswer(lane: string, callMs: number): Promise<void>;
  /** Records a failed call and opens the circuit at the limit. Never shortens a pause. */
  recordFailure(failure: LaneFailure): Promise<void>;
  /** Reads now: a row was changed, or notifications of changes may be lost. */
  refresh(): void;
  /** Stops reading and waits for the current read. */
  close(): Promise<void>;
}

/** Postgres channel that is notified of every change of `lane_health`. */
export const laneHealthChannel = "lane_health";

/** Delay between two reads while all lanes are healthy, in milliseconds: changes are notified. */
const healthyIntervalMs = 10_000;

/** Bounds the reads when many calls fail at once. */
const gapMs = 200;

interface Row {
  readonly lane: string;
  readonly isOpen: boolean;
  readonly remainingMs: number;
}

const shortestWaitMs = 1_000;

/**
 * SQL condition on a row `h`: the circuit was opened after a call of this many milliseconds started.
 */
function openedSince(callMs: `$${number}` | `:${string}`): string {
  return `(h.open_until IS NOT NULL AND h.changed_at > now() - ${callMs} * interval '1 ms')`;
}

/** SQL for the remaining pause of a row of `lane_health`, in milliseconds. */
const selectRemaining = `coalesce(
  extract(epoch FROM greatest(open_until, probe_until) - now()) * 1000, 0)::float AS "remainingMs"`;

/**
 * Starts reading the rows every `intervalMs` while a lane has failures, and otherwise after notifications
 * on `laneHealthChannel`, which the caller listens to.
 */
export function watchLaneHealth(
  database: Database,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): LaneHealth {
  const known = new Map<string, { isOpen: boolean; endsAt: number }>();
  /** Counts this process's writes: the result of a read that started before a write is outdated. */
  let written = 0;

  async function read(): Promise<void> {
    const writtenBefore = written;
    const rows = await database.query<Row>(
      `SELECT lane, open_until IS NOT NULL AS "isOpen", ${selectRemaining} FROM lane_health`,
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
    delayMs: () =>
      known.size > 0 ? options.intervalMs : Math.max(options.intervalMs, healthyIntervalMs),
    gapMs,
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
           UPDATE lane_health SET probe_until = now() + $2 * interval '1 ms'
            WHERE lane = $1 AND greatest(open_until, probe_until) <= now() RETURNING lane
         )
         SELECT EXISTS (SELECT 1 FROM probe) AS probing, ${selectRemaining}
           FROM lane_health WHERE lane = $1 AND open_until IS NOT NULL`,
        [lane, probeMs],
      );
      if (open === undefined || open.probing) return null;
      return Math.max(Math.ceil(open.remainingMs), shortestWaitMs);
    },

    async recordAnswer(lane, callMs) {
      if (!known.has(lane)) return;
      const ended = await database.query(
        `DELETE FROM lane_health AS h WHERE lane = $1 AND NOT ${openedSince("$2")}
         RETURNING lane`,
        [lane, callMs],
      );
      if (ended.length === 0) return;
      database.notify(laneHealthChannel, "");
      known.delete(lane);
      written++;
    },

    async recordFailure({ lane, renderId, reason, limits, callMs }) {
      const [row] = await database.query<Row>(
        ...upsertFailure.bind({ lane, renderId, reason, ...limits, callMs }),
      );
      database.notify(laneHealthChannel, "");
      if (row !== undefined) remember(row);
      written++;
    },

    refresh: () => loop.wake(),
    close: () => loop.stop(),
  };
}

const upsertFailure = statement(
  ["lane", "renderId", "reason", "failures", "coolDownMs", "callMs"],
  `INSERT INTO lane_health AS h (lane, failures, last_render_id, reason, open_until)
         VALUES (:lane, 1, :renderId, :reason, CASE WHEN :failures <= 1 THEN now() + :coolDownMs * interval '1 ms' END)
         ON CONFLICT (lane) DO UPDATE
           SET failures = h.failures + (h.last_render_id <> :renderId)::int, last_render_id = :renderId,
               reason = :reason,
               changed_at = CASE WHEN ${openedSince(":callMs")} THEN h.changed_at ELSE now() END,
               probe_until = NULL,
               open_until = CASE
                 WHEN h.open_until IS NOT NULL OR h.failures + (h.last_render_id <> :renderId)::int >= :failures
                 THEN greatest(h.open_until, now() + :coolDownMs * interval '1 ms') END
         RETURNING lane, open_until IS NOT NULL AS "isOpen", ${selectRemaining}`,
);
