import { Queue, type IQueueBackend } from "bullmq";
import { prepareStore, readQueueUrl } from "./backend.ts";
import { telemetryOf } from "./telemetry.ts";

/** A render that is ready, and the lane that makes it. */
export interface Dispatch {
  readonly renderId: string;
  readonly lane: string;
  /** 1 is served first; larger numbers later. */
  readonly priority: number;
}

/** What a render's job carries: ids, never prompts or keys. */
export interface RenderJobData {
  readonly renderId: string;
}

type LaneQueue = Queue<RenderJobData, void, "render", RenderJobData, void, "render", IQueueBackend>;

/** The sending side of all lanes. The queue is a hint: what is true stands in the database. */
export interface Queues {
  /** Adds a job for each render; one that has a job already is left as it is. */
  dispatch(renders: readonly Dispatch[]): Promise<void>;
  /**
   * Makes sure that a render will be worked on: adds its job when it is missing, and again when
   * the record of an ended one stands in the way.
   *
   * @returns whether a job was added.
   */
  ensureDispatched(render: Dispatch): Promise<boolean>;
  /** Takes a render's job out, when no worker has it. */
  remove(render: Pick<Dispatch, "renderId" | "lane">): Promise<void>;
  /** How many jobs of a lane wait, and how many are being worked on. */
  counts(lane: string): Promise<{ waiting: number; active: number }>;
  /** The BullMQ queues themselves, for Bull Board. */
  readonly bullQueues: readonly Queue[];
  /** @throws when the store does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Failures are counted in the database; for BullMQ there is always another attempt. */
const endlessAttempts = 1_000_000;

const jobOptions = {
  attempts: endlessAttempts,
  backoff: { type: "custom" },
  // Every try would keep its own, and there is no last one.
  stackTraceLimit: 1,
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 5_000 },
};

/** BullMQ's largest priority. */
const lowestPriority = 2_097_152;

/** Opens the queue of every lane. */
export async function createQueues(options: {
  readonly url: string;
  readonly lanes: readonly string[];
  /** Whether a job carries the trace in which it was added. */
  readonly traced?: boolean;
  /** How long the store may leave a question without an answer, as `readQueueUrl` has it. */
  readonly silentMs?: number;
  readonly onError: (error: Error) => void;
}): Promise<Queues> {
  const { connection, prefix, factory } = readQueueUrl(options.url, false, options.silentMs);
  const queues = new Map<string, LaneQueue>();
  await prepareStore(options.url, options.silentMs);
  for (const lane of options.lanes) {
    const queue: LaneQueue = new Queue(
      lane,
      { connection, prefix, defaultJobOptions: jobOptions, ...telemetryOf(options.traced) },
      factory,
    );
    queue.on("error", options.onError);
    queues.set(lane, queue);
    await queue.waitUntilReady();
  }

  function queueOf(lane: string): LaneQueue {
    const queue = queues.get(lane);
    if (queue === undefined) throw new Error(`there is no lane "${lane}"`);
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
        if (state !== "completed" && state !== "failed" && state !== "unknown") return false;
        await job.remove();
      }
      await add(render);
      return true;
    },
    async remove({ renderId, lane }) {
      await queueOf(lane).remove(renderId);
    },
    async counts(lane) {
      const counts = await queueOf(lane).getJobCounts("wait", "prioritized", "delayed", "active");
      const { wait = 0, prioritized = 0, delayed = 0, active = 0 } = counts;
      return { waiting: wait + prioritized + delayed, active };
    },
    // Bull Board's types know the Redis backend only.
    bullQueues: [...queues.values()] as unknown as Queue[],
    async check() {
      const [first] = queues.values();
      await first?.getJobCounts("active");
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
