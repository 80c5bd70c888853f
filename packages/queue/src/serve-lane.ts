import { UnrecoverableError, Worker, type Job } from "bullmq";
import { readQueueUrl } from "./backend.ts";
import type { RenderJobData } from "./queues.ts";
import { telemetryOf } from "./telemetry.ts";

/** What came of one try at a render, for the queue. */
export type RenderVerdict =
  /** Nothing more is to be done, whoever did it. */
  | { readonly kind: "done" }
  /** For good: shown as failed in Bull Board. */
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "retry"; readonly reason: string; readonly delayMs: number }
  /** The provider asks everybody to wait: the whole lane does, and this render with it. */
  | { readonly kind: "pause-lane"; readonly reason: string; readonly pauseMs: number };

export interface LaneOptions {
  readonly url: string;
  readonly lane: string;
  /** Renders that this process works on at the same time. */
  readonly concurrency: number;
  /** At most `max` renders are started in `durationMs`, over all workers; null for no limit. */
  readonly rateLimit: { readonly max: number; readonly durationMs: number } | null;
  /** How long a worker may be silent before its renders are given to others. */
  readonly lockMs: number;
  /** Whether a render is a part of the trace in which its job was added. */
  readonly traced?: boolean;
  /** How long the store may leave a question without an answer, as `readQueueUrl` has it. */
  readonly silentMs?: number;
  readonly render: (renderId: string) => Promise<RenderVerdict>;
  readonly onError: (error: Error) => void;
}

export interface ServedLane {
  /** Whether it takes renders. */
  isServing(): boolean;
  /** Takes no more renders and waits for those in work. */
  drain(): Promise<void>;
}

/** Works on the renders of one lane, whose queue was opened before, until it is drained. */
export async function serveLane(options: LaneOptions): Promise<ServedLane> {
  const { connection, prefix, factory } = readQueueUrl(options.url, true, options.silentMs);
  const workerOptions = {
    connection,
    prefix,
    concurrency: options.concurrency,
    ...telemetryOf(options.traced),
    lockDuration: options.lockMs,
    stalledInterval: options.lockMs / 2,
    // How often a render may lose its worker is counted in the database.
    maxStalledCount: 1_000_000,
    // A worker that begins to sit out a pause just when it is told to stop is not woken.
    maximumRateLimitDelay: 1_000,
    settings: { backoffStrategy: delayBeforeRetry },
    // BullMQ looks at a pause of the lane only where a limit is set, however high.
    limiter:
      options.rateLimit === null
        ? { max: 1_000_000, duration: 1_000 }
        : { max: options.rateLimit.max, duration: options.rateLimit.durationMs },
  };

  async function process(job: Job<RenderJobData>): Promise<void> {
    const verdict = await options.render(job.data.renderId);
    switch (verdict.kind) {
      case "done":
        return;
      case "failed":
        throw new UnrecoverableError(verdict.reason);
      case "retry":
        throw retryLater(verdict.reason, verdict.delayMs);
      case "pause-lane":
        // Its own job is delayed as well: handed back as rate-limited, it was sometimes taken up at
        // once on Postgres, and on Redis only when a blocked worker looked again.
        await pauseLane(verdict.pauseMs);
        throw retryLater(verdict.reason, verdict.pauseMs);
    }
  }

  /**
   * The store keeps a pause and the count of a limit in one place, and the last to write it wins: a
   * shorter pause would end a longer one, or the window of a limit, whose count would begin anew.
   */
  async function pauseLane(pauseMs: number): Promise<void> {
    const remainingMs = await worker.getBackend().getRateLimitTtl();
    await worker.rateLimit(Math.max(pauseMs, remainingMs));
  }

  const worker = new Worker(options.lane, process, workerOptions, factory);
  worker.on("error", options.onError);
  await worker.waitUntilReady();
  return {
    isServing: () => worker.isRunning() && !worker.isPaused(),
    drain: () => worker.close(),
  };
}

const defaultRetryDelayMs = 1_000;

function retryLater(reason: string, retryDelayMs: number): Error {
  return Object.assign(new Error(reason), { retryDelayMs });
}

/** Every error but a `retry` verdict is one of ours, such as a database that is away. */
function delayBeforeRetry(_attempt: number, _type?: string, error?: Error): number {
  const { retryDelayMs } = (error ?? {}) as { retryDelayMs?: number };
  return retryDelayMs ?? defaultRetryDelayMs;
}
