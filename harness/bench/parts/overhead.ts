import type { Stack, TestAccount } from "@atelier/testing";
import { generateImage, startBenchStack } from "../bench-stack.ts";
import { inRounds, type BenchContext } from "../context.ts";
import type { Parts } from "../results.ts";
import { startWebhookReceiver } from "../webhook-receiver.ts";

const imagesPerRound = 12;
/** Warm-up, so that code is compiled and statements are planned, as in a running service. */
const warmUpImages = 200;
const warmUpConnections = 4;

/** Steps that any such service needs: the model, the work measured by `bound.ts`, and storage. */
const notOverhead = ["model", "watermark", "staging", "upload"];

/**
 * Measures the service's own share of the time of each image, one image after another, with a webhook
 * for each: the request
 * duration in the API's log minus the necessary steps in the worker's log.
 */
export async function measureOverhead(context: BenchContext): Promise<Parts["overhead"]> {
  const measured: { queue: string; overheadMs: number[]; stack: Stack; account: TestAccount }[] =
    [];
  const receiver = await startWebhookReceiver();
  try {
    for (const { name: queue, redisUrl } of context.services.queues) {
      const { environment } = receiver;
      const stack = await startBenchStack(context, { redisUrl, workers: 1, environment });
      const account = await stack.createAccount("100000");
      await receiver.add(stack, account);
      measured.push({ queue, overheadMs: [], stack, account });
      await Promise.all(
        Array.from({ length: warmUpConnections }, async () => {
          for (let image = 0; image < warmUpImages / warmUpConnections; image++) {
            await generateImage(stack, account);
          }
        }),
      );
    }
    await inRounds(context, "overhead", async () => {
      for (const { stack, account, overheadMs } of measured) {
        overheadMs.push(...(await overheadOf(stack, account, imagesPerRound)));
      }
    });
    return measured.map(({ queue, overheadMs }) => ({ queue, overheadMs }));
  } finally {
    for (const { stack } of measured) await stack.stop();
    receiver.close();
  }
}

async function overheadOf(stack: Stack, account: TestAccount, images: number): Promise<number[]> {
  const ids = new Set<string>();
  while (ids.size < images) ids.add(await generateImage(stack, account));
  for (;;) {
    // The log lines of the last image are written just after its response.
    const requests = await readLines(stack.api, "request", ids);
    const renders = await readLines(stack.workers[0], "render done", ids);
    if (requests.size < images || renders.size < images) continue;
    return [...ids].map((id) => {
      const { durationsMs = {} } = renders.get(id) ?? {};
      const steps = notOverhead.reduce((sum, step) => sum + (durationsMs[step] ?? 0), 0);
      return (requests.get(id)?.durationMs ?? Number.NaN) - steps;
    });
  }
}

interface LogLine {
  readonly msg: string;
  readonly generationId: string;
  readonly durationMs: number;
  /** Durations by step of a render. */
  readonly durationsMs?: Readonly<Record<string, number>>;
}

/**
 * Returns the lines with a message that a program logged about these generations, by generation id.
 */
async function readLines(
  program: Stack["api"] | undefined,
  message: string,
  generationIds: ReadonlySet<string>,
): Promise<Map<string, LogLine>> {
  const log = (await program?.log()) ?? "";
  const lines = new Map<string, LogLine>();
  // Text after the last line break is an incomplete line.
  for (const text of log.split("\n").slice(0, -1)) {
    if (!text.includes(`"${message}"`)) continue;
    const line = JSON.parse(text) as LogLine;
    if (line.msg === message && generationIds.has(line.generationId)) {
      lines.set(line.generationId, line);
    }
  }
  return lines;
}
