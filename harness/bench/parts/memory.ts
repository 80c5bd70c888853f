import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { generateImage, startBenchStack } from "../bench-stack.ts";
import type { BenchContext } from "../context.ts";
import { measureRate } from "../load.ts";
import { readMemory } from "../process-memory.ts";
import type { Memory, Parts } from "../results.ts";

const concurrency = 8;
const restMs = 5_000;

/**
 * Measures the resident memory of a worker with eight concurrent images of 1024 × 1024, with one
 * marking thread and with one per core, and of an API with twice as many waiting requests: before,
 * at the peak, and some seconds after. Linux only.
 */
export async function measureMemory(context: BenchContext): Promise<Parts["memory"]> {
  const measured: Parts["memory"]["measured"][number][] = [];
  const cases = [...new Set([1, availableParallelism()])].flatMap((threads) =>
    context.services.queues.map((queue) => ({ ...queue, threads })),
  );
  for (const { name: queue, redisUrl, threads } of cases) {
    const environment = {
      WORKER_CONCURRENCY: String(concurrency),
      WORKER_THREADS: String(threads),
    };
    const stack = await startBenchStack(context, { redisUrl, workers: 1, environment });
    try {
      const account = await stack.createAccount("1000000");
      const pids = [stack.workers[0]?.pid ?? 0, stack.api.pid];
      const before = await Promise.all(pids.map(readMemory));
      const load = { connections: concurrency * 2, seconds: context.seconds * context.rounds };
      await measureRate(load, () => generateImage(stack, account));
      await delay(restMs);
      const after = await Promise.all(pids.map(readMemory));
      const [worker, api] = pids.map((_, index): Memory => ({
        startedMb: before[index]?.nowMb ?? Number.NaN,
        peakMb: after[index]?.peakMb ?? Number.NaN,
        afterMb: after[index]?.nowMb ?? Number.NaN,
      }));
      if (worker !== undefined && api !== undefined) measured.push({ queue, threads, worker, api });
    } finally {
      await stack.stop();
    }
    context.progress(`memory: ${queue}, threads: ${threads}`);
  }
  return { concurrency, measured };
}
