import type { Database } from "@atelier/database";
import { startLoop } from "@atelier/process";
import { estimateWaitSeconds, readRenderSeconds } from "./wait-estimate.ts";

/** Load of a lane, from the view of one account. Renders of batches wait behind it and do not count. */
interface Load {
  /** Ready renders without a worker, of all accounts. */
  readonly waiting: number;
  /**
   * Expected wait of the account's next render: the age of its own oldest render, or the longest time
   * since the lane last served any account, whichever is more. The age of another account's backlog does
   * not matter, since the lane serves accounts round-robin.
   */
  readonly waitSeconds: number;
}

/** The load of all lanes, as known to this process. */
export interface LaneLoad {
  /** Load at the last reading; never waits. */
  loadOf(lane: string, accountId: string): Load;
  /**
   * Estimates when a lane starts a render of an account, in seconds; null when unknown.
   *
   * @param ownAhead renders of the account that wait before it; null for all that wait.
   */
  estimateWait(lane: string, accountId: string, ownAhead: number | null): number | null;
  /** Stops reading and waits for the current read. */
  close(): Promise<void>;
}

/** Waiting renders of an account in a lane. Times are seconds of the database's clock. */
export interface Backlog {
  readonly lane: string;
  readonly accountId: string;
  readonly waiting: number;
  /** Renders of the account that workers of the lane are processing. */
  readonly running: number;
  /**
   * When the generation of the oldest one was accepted; null without any. Renders that waited for
   * others of their generation, or failed before, do not count: their wait is not caused by the lane.
   */
  readonly oldestAt: number | null;
  /** When the lane last claimed a render of the account, among those in progress. */
  readonly lastClaimAt: number | null;
  readonly now: number;
}

/** A backlog with the time when the lane last served its account. */
interface TrackedBacklog extends Backlog {
  readonly notServedSince: number;
}

/**
 * Adds to each backlog the time when its account was last served: when its oldest render was accepted, when
 * the lane last claimed one of its renders, or when its oldest render was last seen to change.
 */
export function trackService(
  previous: readonly TrackedBacklog[],
  current: readonly Backlog[],
): readonly TrackedBacklog[] {
  const known = new Map(previous.map((backlog) => [keyOf(backlog), backlog]));
  return current.map((backlog) => {
    const before = known.get(keyOf(backlog));
    const wasServed = before !== undefined && before.oldestAt !== backlog.oldestAt;
    const notServedSince = Math.max(
      backlog.oldestAt ?? backlog.now,
      backlog.lastClaimAt ?? 0,
      wasServed ? backlog.now : (before?.notServedSince ?? 0),
    );
    return { ...backlog, notServedSince };
  });
}

function keyOf({ lane, accountId }: Pick<Backlog, "lane" | "accountId">): string {
  return `${lane} ${accountId}`;
}

/** Computes the load of each lane from the view of each account. */
export function summarise(
  backlogs: readonly TrackedBacklog[],
): (lane: string, accountId: string) => Load {
  const lanes = new Map<string, Load>();
  const ownWaits = new Map<string, number>();
  for (const backlog of backlogs) {
    const { lane, now, oldestAt, notServedSince } = backlog;
    const { waiting, waitSeconds } = lanes.get(lane) ?? idle;
    lanes.set(lane, {
      waiting: waiting + backlog.waiting,
      waitSeconds: Math.max(waitSeconds, now - notServedSince),
    });
    ownWaits.set(keyOf(backlog), oldestAt === null ? 0 : now - oldestAt);
  }
  return (lane, accountId) => {
    const { waiting, waitSeconds } = lanes.get(lane) ?? idle;
    const ownWait = ownWaits.get(keyOf({ lane, accountId })) ?? 0;
    return { waiting, waitSeconds: Math.max(waitSeconds, ownWait) };
  };
}

const idle: Load = { waiting: 0, waitSeconds: 0 };

/** The time of a render changes slowly, and reading it costs more than reading the backlog. */
const intervalsPerMeasurement = 5;

/** Delay between two reads while no render waits and nothing asks, in milliseconds. */
const idleIntervalMs = 10_000;

/**
 * Starts reading the backlog of each lane every `intervalMs`. While no render waits or is in progress, it
 * is read less often, and again when the load is asked for.
 */
export function watchLaneLoad(
  database: Database,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): LaneLoad {
  let known: readonly TrackedBacklog[] = [];
  let loadOf = summarise(known);
  let byLane: ReadonlyMap<string, readonly Backlog[]> = new Map();
  /** Renders were in progress since the last measurement. */
  let hasRun = true;
  const renderSeconds = new Map<string, number>();

  async function read(): Promise<void> {
    const rows = await database.query<Backlog>(
      `SELECT lane, account_id AS "accountId",
              count(*) FILTER (WHERE render.status = 'ready' AND batch_id IS NULL)::int AS waiting,
              count(*) FILTER (WHERE render.status = 'running')::int AS running,
              extract(epoch FROM min(created_at) FILTER (
                WHERE render.status = 'ready' AND waits_for = '{}' AND attempt = 0 AND batch_id IS NULL))::float8 AS "oldestAt",
              extract(epoch FROM max(claimed_at))::float8 AS "lastClaimAt",
              extract(epoch FROM now())::float8 AS now
         FROM render JOIN generation ON generation.id = generation_id
        WHERE finished_at IS NULL AND render.status IN ('ready', 'running')
        GROUP BY lane, account_id`,
    );
    known = trackService(known, rows);
    loadOf = summarise(known);
    byLane = Map.groupBy(rows, ({ lane }) => lane);
    hasRun ||= rows.length > 0;
  }

  async function measure(): Promise<void> {
    if (!hasRun) return;
    hasRun = false;
    await readRenderSeconds(database, renderSeconds);
  }

  const delayMs = (busyMs: number) =>
    known.length > 0 ? busyMs : Math.max(busyMs, idleIntervalMs);
  const loop = startLoop(read, {
    firstDelayMs: 0,
    delayMs: () => delayMs(options.intervalMs),
    gapMs: options.intervalMs,
    onError: options.onError,
  });
  const measuringMs = options.intervalMs * intervalsPerMeasurement;
  const measuring = startLoop(measure, {
    firstDelayMs: 0,
    delayMs: () => delayMs(measuringMs),
    gapMs: measuringMs,
    onError: options.onError,
  });

  function wake(): void {
    loop.wake();
    measuring.wake();
  }

  return {
    loadOf(lane, accountId) {
      wake();
      return loadOf(lane, accountId);
    },
    estimateWait(lane, accountId, ownAhead) {
      wake();
      return estimateWaitSeconds({
        backlogs: byLane.get(lane) ?? [],
        accountId,
        ownAhead,
        renderSeconds: renderSeconds.get(lane) ?? null,
      });
    },
    async close() {
      await Promise.all([loop.stop(), measuring.stop()]);
    },
  };
}
