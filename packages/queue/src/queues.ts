import { priorityInBatch } from "@atelier/generations/batches";
import type { Dispatch } from "@atelier/generations/claims";
import { Queue, type IQueueBackend } from "bullmq";
import { prepareStore, readQueueUrl } from "./backend.ts";
import { telemetryOf } from "./telemetry.ts";

/** Job data: ids only, never prompts or keys. */
export interface RenderJobData {
  readonly renderId: string;
}

type LaneQueue = Queue<RenderJobData, void, "render", RenderJobData, void, "render", IQueueBackend>;

/** The sending side of all lanes. The queue is a hint; the database is the source of truth. */
export interface Queues {
  /** Adds an entry for each render; one that has an entry already is left as it is. */
  dispatch(renders: readonly Dispatch[]): Promise<void>;
  /**
   * Makes sure that a render is processed in order: adds its entry when it is missing,
   * again when the record of an ended one stands in the way, and moves one that waits far behind the
   * given priority up to it.
   *
   * @returns whether an entry was added.
   */
  ensureDispatched(render: Dispatch): Promise<boolean>;
  /** Removes a render's entry unless a worker is processing it. */
  remove(render: Pick<Dispatch, "renderId" | "lane">): Promise<void>;
  /** Whether entries of a lane wait for a worker, those with a delay aside. */
  hasWaiting(lane: string): Promise<boolean>;
  /** The number of waiting and of active entries of a lane. */
  counts(lane: string): Promise<{ waiting: number; active: number }>;
  /** Stops workers from beginning entries of a lane, or lets them begin again. Entries in work are finished. */
  setPaused(lane: string, isPaused: boolean): Promise<void>;
  /** Names of the paused lanes. */
  pausedLanes(): Promise<string[]>;
  /** The BullMQ queues themselves, for Bull Board. */
  readonly bullQueues: readonly Queue[];
  /** @throws when the store does not respond. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The database counts attempts, so BullMQ's own limit is never reached. */
const endlessAttempts = 1_000_000;

const jobOptions = {
  attempts: endlessAttempts,
  backoff: { type: "custom" },
  // Each attempt would store a stack trace, and their number is not limited.
  stackTraceLimit: 1,
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 5_000 },
};

/** BullMQ's largest priority. */
const lowestPriority = 2_097_152;

/** Up to this priority, each move counts. */
const nearFront = 8;

/** Opens the queue of every lane. */
export async function createQueues(options: {
  /** `postgres://…` or `redis://…`, with `?prefix=…`; see `readQueueUrl`. */
  readonly url: string;
  /** Names of all lanes. A dispatch to another lane is an error. */
  readonly lanes: readonly string[];
  /**
   * Whether entries carry the trace context of the request that added them, so that the trace continues in
   * the worker. Default: false. Workers need it too.
   */
  readonly traced?: boolean;
  /**
   * Response timeout of the store in milliseconds. Default: 15,000. A connection without a response for
   * this long is replaced, and its commands fail; a shorter one replaces connections that only wait.
   */
  readonly silentMs?: number;
  /** Called for errors of connections, which are reopened; log them. */
  readonly onError: (error: Error) => void;
}): Promise<Queues> {
  const backend = readQueueUrl(options.url, false, options.silentMs);
  const { connection, prefixOf, factory } = backend;
  const queues = new Map<string, LaneQueue>();
  const close = async () => {
    await Promise.all([...queues.values()].map((queue) => queue.close()));
    await backend.close();
  };
  await prepareStore(options.url, options.silentMs);
  try {
    for (const lane of options.lanes) {
      const queue: LaneQueue = new Queue(
        lane,
        {
          connection,
          prefix: prefixOf(lane),
          defaultJobOptions: jobOptions,
          ...(await telemetryOf(options.traced)),
        },
        factory,
      );
      queue.on("error", options.onError);
      queues.set(lane, queue);
      await queue.waitUntilReady();
    }
  } catch (error) {
    await close();
    throw error;
  }

  function queueOf(lane: string): LaneQueue {
    const queue = queues.get(lane);
    if (queue === undefined) throw new Error(`unknown lane "${lane}"`);
    return queue;
  }

  const add = ({ renderId, lane, priority }: Dispatch) =>
    queueOf(lane).add("render", { renderId } satisfies RenderJobData, {
      jobId: renderId,
      priority: Math.min(priority, lowestPriority),
    });

  return {
    async dispatch(renders) {
      await Promise.all(renders.map(add));
    },
    async ensureDispatched(render) {
      const job = await queueOf(render.lane).getJob(render.renderId);
      if (job !== undefined) {
        const state = await job.getState();
        if (state !== "completed" && state !== "failed" && state !== "unknown") {
          if (isFarAhead(render.priority, job.priority)) {
            await job.changePriority({ priority: render.priority });
          }
          return false;
        }
        await job.remove();
      }
      await add(render);
      return true;
    },
    async remove({ renderId, lane }) {
      await queueOf(lane).remove(renderId);
    },
    async hasWaiting(lane) {
      const { wait = 0, prioritized = 0 } = await queueOf(lane).getJobCounts("wait", "prioritized");
      return wait + prioritized > 0;
    },
    async counts(lane) {
      const counts = await queueOf(lane).getJobCounts("wait", "prioritized", "delayed", "active");
      const { wait = 0, prioritized = 0, delayed = 0, active = 0 } = counts;
      return { waiting: wait + prioritized + delayed, active };
    },
    async setPaused(lane, isPaused) {
      await (isPaused ? queueOf(lane).pause() : queueOf(lane).resume());
    },
    async pausedLanes() {
      const states = await Promise.all(
        [...queues].map(async ([lane, queue]) => ((await queue.isPaused()) ? [lane] : [])),
      );
      return states.flat();
    },
    // Bull Board's types know the Redis backend only.
    bullQueues: [...queues.values()] as unknown as Queue[],
    async check() {
      const [first] = queues.values();
      await first?.getJobCounts("active");
    },
    close,
  };
}

/**
 * Whether an entry moves from one priority to another. A long line moves up with each entry that ends, and each
 * move is a write: its entries move when they have half as many before them, and each time near the front.
 */
function isFarAhead(wanted: number, current: number): boolean {
  const place = wanted % priorityInBatch;
  return wanted < current && (place <= nearFront || place <= (current % priorityInBatch) / 2);
}
