import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Stack, TestAccount } from "@atelier/testing";
import { generateImage, startBenchStack } from "../bench-stack.ts";
import { inRounds, type BenchContext } from "../context.ts";
import { measureRate } from "../load.ts";
import type { Parts } from "../results.ts";

/** Images under way in each process: two keep a core busy while one of them is stored. */
const concurrency = 2;

/**
 * Images per second with more requests waiting than are worked on, with a worker for each core,
 * beside the bound: as many processes, with as many images under way, that only encode, sign and
 * hash.
 */
export async function measureThroughput(context: BenchContext): Promise<Parts["throughput"]> {
  const processes = availableParallelism();
  const waiting = processes * concurrency * 2;
  const boundPerSecond: number[] = [];
  const measured: { queue: string; perSecond: number[]; stack: Stack; account: TestAccount }[] = [];
  try {
    for (const { name: queue, redisUrl } of context.services.queues) {
      const environment = { WORKER_CONCURRENCY: String(concurrency) };
      const stack = await startBenchStack(context, { redisUrl, workers: processes, environment });
      const account = await stack.createAccount("1000000");
      measured.push({ queue, perSecond: [], stack, account });
      await Promise.all(Array.from({ length: waiting }, () => generateImage(stack, account)));
    }
    await inRounds(context, "throughput", async () => {
      boundPerSecond.push(await measureBound(context, processes));
      for (const { stack, account, perSecond } of measured) {
        const load = { connections: waiting, seconds: context.seconds };
        perSecond.push(await measureRate(load, () => generateImage(stack, account)));
      }
    });
    const queues = measured.map(({ queue, perSecond }) => ({ queue, perSecond }));
    return { processes, concurrency, boundPerSecond, queues };
  } finally {
    for (const { stack } of measured) await stack.stop();
  }
}

async function measureBound({ photo, seconds }: BenchContext, processes: number): Promise<number> {
  const program = fileURLToPath(new URL("../bound.ts", import.meta.url));
  const parameters = [program, photo, String(seconds), String(concurrency)];
  const env = { ...process.env, UV_THREADPOOL_SIZE: "16", MALLOC_ARENA_MAX: "2" };
  const rates = await Promise.all(
    Array.from({ length: processes }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, parameters, { env });
      return Number(stdout);
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}
