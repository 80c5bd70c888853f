import type { Stack } from "@atelier/testing";
import { authorization, startBenchStack } from "../bench-stack.ts";
import { inRounds, type BenchContext } from "../context.ts";
import { fillStack, pickJob, type HistoryJob } from "../history.ts";
import { createHttpClient, type HttpClient } from "../load.ts";
import type { Parts } from "../results.ts";
import { median, percentile } from "../../shared/statistics.ts";

const small = 10_000;
const accounts = 100;

/** Read operations, as paths; each call reads another job of another account. */
const operations: readonly (readonly [name: string, path: (jobId: string) => string])[] = [
  ["a job", (id) => `/v1/jobs/${id}`],
  ["the newest jobs", () => "/v1/jobs"],
  ["a page from the middle", (id) => `/v1/jobs?cursor=${Buffer.from(id).toString("base64url")}`],
  ["the newest completed images", () => "/v1/jobs?status=completed&kind=image"],
];

interface Side {
  readonly stack: Stack;
  readonly client: HttpClient;
  readonly jobs: readonly HistoryJob[];
}

/**
 * Measures the latency of reads and lists with a small and a large table of generations,
 * alternating one request at a time. Both have the same number of accounts; those in the large
 * table have more jobs.
 */
export async function measureLists(context: BenchContext): Promise<Parts["lists"]> {
  const { history: large, seconds, progress } = context;
  const closers: (() => unknown)[] = [];
  async function open(generations: number): Promise<Side> {
    const stack = await startBenchStack(context, { redisUrl: null, workers: 0 });
    closers.push(() => stack.stop());
    const jobs = await fillStack({ stack, accounts, generations }, (done) =>
      progress(`lists: ${done} of ${generations} generations`),
    );
    const client = createHttpClient(stack.url);
    closers.push(() => client.close());
    return { stack, client, jobs };
  }
  try {
    const smallSide = await open(small);
    const fillStartedAt = performance.now();
    const largeSide = await open(large);
    const fillSeconds = (performance.now() - fillStartedAt) / 1_000;

    const measured = operations.map(([name, path]) => ({
      name,
      path,
      small: { medianMs: [] as number[], p95Ms: [] as number[] },
      large: { medianMs: [] as number[], p95Ms: [] as number[] },
    }));
    for (const { path } of measured) await askInTurn([smallSide, largeSide], path, 1);
    await inRounds(context, "lists", async () => {
      for (const operation of measured) {
        const [ofSmall = [], ofLarge = []] = await askInTurn(
          [smallSide, largeSide],
          operation.path,
          seconds,
        );
        for (const [{ medianMs, p95Ms }, latencies] of [
          [operation.small, ofSmall],
          [operation.large, ofLarge],
        ] as const) {
          medianMs.push(median(latencies));
          p95Ms.push(percentile(latencies, 0.95));
        }
      }
    });
    const results = measured.map(({ name, small: ofSmall, large: ofLarge }) => ({
      name,
      small: ofSmall,
      large: ofLarge,
    }));
    return { small, large, accounts, fillSeconds, operations: results };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/**
 * Sends requests to both sides alternately until the time is over; returns the latencies of each in
 * ms.
 */
async function askInTurn(
  sides: readonly Side[],
  path: (jobId: string) => string,
  seconds: number,
): Promise<readonly (readonly number[])[]> {
  const latencies = sides.map((): number[] => []);
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    for (const [index, { client, jobs }] of sides.entries()) {
      const { id, account } = pickJob(jobs);
      const headers = authorization(account);
      const ms = await client.send({ method: "GET", path: path(id), headers, expectedStatus: 200 });
      latencies[index]?.push(ms);
    }
  }
  return latencies;
}
