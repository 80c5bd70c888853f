import { priorityInBatch } from "@atelier/generations/batches";
import { escapeControls } from "@atelier/kit";
import { startLoop } from "@atelier/process";
import { UnrecoverableError, Worker, type Job } from "bullmq";
import { readQueueUrl } from "./backend.ts";
import type { RenderJobData } from "./queues.ts";
import { telemetryOf } from "./telemetry.ts";

/** The outcome of one attempt at a render, for the queue. */
export type RenderVerdict =
  /** Finished, by this worker or another one. */
  | { readonly kind: "done" }
  /** Failed permanently; shown as failed in Bull Board. */
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "retry"; readonly reason: string; readonly delayMs: number }
  /** The provider's rate limit was hit: pause the whole lane, including this render. */
  | { readonly kind: "pause-lane"; readonly reason: string; readonly pauseMs: number };

export interface LaneOptions {
  /** Store of the queue, as for `createQueues`. */
  readonly url: string;
  /** Name of the lane, which must be open. */
  readonly lane: string;
  /** Renders of the lane that this process works on at the same time; other processes have their own. */
  readonly concurrency: number;
  /**
   * At most `max` renders are started in `durationMs`, over all workers; null for no limit. A verdict
   * `pause-lane` stops the lane in addition.
   */
  readonly rateLimit: { readonly max: number; readonly durationMs: number } | null;
  /**
   * Lock duration in milliseconds: a worker that does not renew it for this long loses its renders to
   * others, which claim them again. A shorter one recovers faster from a dead worker, and takes renders
   * from workers that are only slow.
   */
  readonly lockMs: number;
  /** Whether a render continues the trace in which its entry was added. Default: false. */
  readonly traced?: boolean;
  /** Response timeout of the store in milliseconds, as for `createQueues`. Default: 15,000. */
  readonly silentMs?: number;
  /**
   * Whether renders may be in progress, so that some may have lost their worker. Afterwards, they are
   * looked for until the locks of lost workers have ended. Default: always.
   */
  readonly isBusy?: () => boolean;
  /** Works on a render. If it throws, the render is retried after a second. */
  readonly render: (renderId: string, isInBatch: boolean) => Promise<RenderVerdict>;
  /** Called for errors of connections, which are reopened; log them. */
  readonly onError: (error: Error) => void;
}

export interface ServedLane {
  /** Whether it takes renders. */
  isServing(): boolean;
  /** Takes no more renders and waits for those in work. */
  drain(): Promise<void>;
  /** Waits for the renders in work, but not until the store has recorded it. */
  untilIdle(): Promise<void>;
}

/**
 * Longest wait for a notification of Postgres, in seconds. A queue in Postgres notifies of every job, and
 * a connection that is lost is noticed after 20 s.
 */
const postgresWaitSeconds = 60;

/** Processes the renders of one lane, whose queue must be open, until it is drained. */
export async function serveLane(options: LaneOptions): Promise<ServedLane> {
  const { connection, prefixOf, factory, isPostgres } = readQueueUrl(
    options.url,
    true,
    options.silentMs,
  );
  const workerOptions = {
    connection,
    prefix: prefixOf(options.lane),
    concurrency: options.concurrency,
    ...(await telemetryOf(options.traced)),
    lockDuration: options.lockMs,
    stalledInterval: options.lockMs / 2,
    // `reclaim` checks, and not while the lane is idle.
    skipStalledCheck: true,
    ...(isPostgres ? { drainDelay: postgresWaitSeconds } : {}),
    // The database counts how often a render lost its worker.
    maxStalledCount: 1_000_000,
    // BullMQ does not wake a worker that starts waiting for a pause while it is being stopped.
    maximumRateLimitDelay: 1_000,
    settings: { backoffStrategy: delayBeforeRetry },
    // BullMQ checks for a pause of the lane only when a limit is set, so set a very high one.
    limiter:
      options.rateLimit === null
        ? { max: 1_000_000, duration: 1_000 }
        : { max: options.rateLimit.max, duration: options.rateLimit.durationMs },
  };

  const inWork = new Set<Promise<RenderVerdict>>();

  async function process(job: Job<RenderJobData>): Promise<void> {
    const rendering = options.render(job.data.renderId, job.priority >= priorityInBatch);
    inWork.add(rendering);
    const verdict = await rendering.finally(() => inWork.delete(rendering));
    // Bull Board shows the reason, which may have texts of clients and providers.
    const reason = "reason" in verdict ? escapeControls(verdict.reason, { keeps: "" }) : "";
    switch (verdict.kind) {
      case "done":
        return;
      case "failed":
        throw new UnrecoverableError(reason);
      case "retry":
        throw retryLater(reason, verdict.delayMs);
      case "pause-lane":
        // Delay the job itself too: returned as rate-limited, it was sometimes processed at once on
        // Postgres, and on Redis only when a blocked worker polled again.
        await pauseLane(verdict.pauseMs);
        throw retryLater(reason, verdict.pauseMs);
    }
  }

  /**
   * The store keeps a pause and the counter of a rate limit under one key, and the last write wins. A
   * shorter pause would end a longer one, or reset the window of a rate limit.
   */
  async function pauseLane(pauseMs: number): Promise<void> {
    const remainingMs = await worker.getBackend().getRateLimitTtl();
    await worker.rateLimit(Math.max(pauseMs, remainingMs));
  }

  const worker = new Worker(options.lane, process, workerOptions, factory);
  worker.on("error", options.onError);
  await worker.waitUntilReady();

  let checkedUntil = performance.now() + 3 * options.lockMs;

  /** Returns renders to the queue whose worker was lost. The first call marks them. */
  async function reclaim(): Promise<void> {
    const now = performance.now();
    if (options.isBusy?.() ?? true) checkedUntil = now + 3 * options.lockMs;
    if (now < checkedUntil) await worker.getBackend().moveStalledJobsToWait();
  }

  const reclaiming = startLoop(reclaim, {
    firstDelayMs: 0,
    delayMs: () => options.lockMs / 2,
    onError: (error) => {
      options.onError(error instanceof Error ? error : new Error("unknown", { cause: error }));
    },
  });
  return {
    isServing: () => worker.isRunning() && !worker.isPaused(),
    async drain() {
      await Promise.all([reclaiming.stop(), worker.close()]);
    },
    async untilIdle() {
      await Promise.allSettled(inWork);
    },
  };
}

const defaultRetryDelayMs = 1_000;

function retryLater(reason: string, retryDelayMs: number): Error {
  return Object.assign(new Error(reason), { retryDelayMs });
}

/** Any error other than a `retry` verdict is internal, such as an unavailable database. */
function delayBeforeRetry(_attempt: number, _type?: string, error?: Error): number {
  const { retryDelayMs } = (error ?? {}) as { retryDelayMs?: number };
  return retryDelayMs ?? defaultRetryDelayMs;
}
