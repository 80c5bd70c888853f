import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { processTuning } from "@atelier/process";
import type { Stack, TestAccount } from "@atelier/testing";
import { generateImage, startBenchStack } from "../bench-stack.ts";
import { inRounds, type BenchContext } from "../context.ts";
import { measureRate } from "../load.ts";
import type { Parts } from "../results.ts";
import { startWebhookReceiver } from "../webhook-receiver.ts";

/** Warm-up, so that code is compiled as in a running service. */
const warmUpSeconds = 15;

/** Concurrent images per core: two keep it busy while one of them is being stored. */
const imagesPerCore = 2;

/**
 * Measures images per second under saturation, with one worker that has one marking thread per
 * core, and a webhook for each image, compared with the bound: one process per core, with as many
 * concurrent images, that only marks.
 */
export async function measureThroughput(context: BenchContext): Promise<Parts["throughput"]> {
  const cores = availableParallelism();
  const concurrency = cores * imagesPerCore;
  const waiting = concurrency * 2;
  const receiver = await startWebhookReceiver();
  const boundPerSecond: number[] = [];
  const measured: { queue: string; perSecond: number[]; stack: Stack; account: TestAccount }[] = [];
  try {
    for (const { name: queue, redisUrl } of context.services.queues) {
      const environment = { WORKER_CONCURRENCY: String(concurrency), ...receiver.environment };
      const stack = await startBenchStack(context, { redisUrl, workers: 1, environment });
      const account = await stack.createAccount("1000000");
      await receiver.add(stack, account);
      measured.push({ queue, perSecond: [], stack, account });
      const warmUp = { connections: waiting, seconds: warmUpSeconds };
      await measureRate(warmUp, () => generateImage(stack, account));
    }
    await inRounds(context, "throughput", async () => {
      boundPerSecond.push(await measureBound(context, cores));
      for (const { stack, account, perSecond } of measured) {
        const load = { connections: waiting, seconds: context.seconds };
        perSecond.push(await measureRate(load, () => generateImage(stack, account)));
      }
    });
    const queues = measured.map(({ queue, perSecond }) => ({ queue, perSecond }));
    return { cores, concurrency, boundPerSecond, queues };
  } finally {
    for (const { stack } of measured) await stack.stop();
    receiver.close();
  }
}

async function measureBound({ photo, seconds }: BenchContext, cores: number): Promise<number> {
  const program = fileURLToPath(new URL("../bound.ts", import.meta.url));
  const parameters = [program, photo, String(seconds), String(imagesPerCore)];
  const env = { ...process.env, ...processTuning };
  const rates = await Promise.all(
    Array.from({ length: cores }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, parameters, { env });
      return Number(stdout);
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}
