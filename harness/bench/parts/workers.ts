import type { Stack, TestAccount } from "@atelier/testing";
import { generateImage, startBenchStack } from "../bench-stack.ts";
import { inRounds, type BenchContext } from "../context.ts";
import type { Parts } from "../results.ts";

const workerCounts = [1, 2, 4, 8] as const;
const providerSeconds = 1;

/**
 * Measures images per second with an increasing number of workers, each with one image at a time
 * from a provider that takes one second. The images are small, so that the CPU is not the limit.
 */
export async function measureWorkers(context: BenchContext): Promise<Parts["workers"]> {
  const measured: {
    queue: string;
    rates: { workers: number; perSecond: number[] }[];
    stack: Stack;
    account: TestAccount;
  }[] = [];
  try {
    for (const { name: queue, redisUrl } of context.services.queues) {
      const stack = await startBenchStack(
        { ...context, photo: context.smallPhoto },
        {
          redisUrl,
          workers: 0,
          environment: {
            WORKER_CONCURRENCY: "1",
            WORKER_LANES: "fake-blind",
            BENCH_PROVIDER_DELAY_MS: String(providerSeconds * 1_000),
          },
        },
      );
      const account = await stack.createAccount("1000000");
      const rates = workerCounts.map((workers) => ({ workers, perSecond: [] }));
      measured.push({ queue, rates, stack, account });
    }
    await inRounds(context, "workers", async () => {
      for (const { rates, stack, account } of measured) {
        for (const { workers, perSecond } of rates) {
          while (stack.workers.length < workers) await stack.startWorker();
          perSecond.push(await measureSteadyRate(stack, account, workers, context.seconds));
        }
        await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
      }
    });
    return { providerSeconds, queues: measured.map(({ queue, rates }) => ({ queue, rates })) };
  } finally {
    for (const { stack } of measured) await stack.stop();
  }
}

/**
 * Measures images per second when all workers are busy. Workers that started together finish
 * together, so images arrive in bursts; the rate is computed over complete rounds of all workers,
 * from burst to burst.
 */
async function measureSteadyRate(
  stack: Stack,
  account: TestAccount,
  workers: number,
  imagesPerWorker: number,
): Promise<number> {
  const first = workers * 2;
  const last = first + workers * imagesPerWorker;
  const doneAt: number[] = [];
  await Promise.all(
    Array.from({ length: workers * 2 }, async () => {
      while (doneAt.length <= last) {
        await generateImage(stack, account);
        doneAt.push(performance.now());
      }
    }),
  );
  return ((last - first) / ((doneAt[last] ?? 0) - (doneAt[first] ?? 0))) * 1_000;
}
