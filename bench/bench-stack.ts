import { startStack } from "@atelier/testing";

export interface BenchStack {
  readonly name: string;
  /** The service's own share of each image's time, in ms, one image after another. */
  measureOverhead(images: number): Promise<number[]>;
  /** Images per second with more requests waiting than the worker takes at once. */
  measureThroughput(seconds: number): Promise<number>;
  stop(): Promise<void>;
}

/** Steps that no service could leave out: the model, and what `bound.ts` measures, and storing. */
const notOverhead = ["model", "watermark", "staging", "upload"];

/** One API and one worker with a provider that answers at once. */
export async function startBenchStack(options: {
  readonly name: string;
  readonly redisUrl: string | null;
  readonly postgresUrl: string;
  readonly image: string;
  readonly concurrency: number;
}): Promise<BenchStack> {
  const { name, redisUrl, postgresUrl, image, concurrency } = options;
  const stack = await startStack({
    postgresUrl,
    redisUrl,
    workerEntry: "bench/instant-worker.ts",
    environment: {
      BENCH_IMAGE: image,
      // Encoding and the file system share libuv threads: four of them would queue for each other.
      UV_THREADPOOL_SIZE: "16",
      WORKER_CONCURRENCY: String(concurrency),
      GENERATIONS_PER_MINUTE: "1000000",
      WORKER_LOCK_SECONDS: "30",
      RECOVERY_INTERVAL_SECONDS: "2",
      RECOVERY_AFTER_SECONDS: "10",
    },
  });
  const account = await stack.createAccount("100000");
  const body = { model: "fake-blind", prompt: "a lighthouse on a cliff at dusk" };

  async function generate(): Promise<string> {
    const response = await stack.request(account, "POST", "/v1/generate/image", body);
    if (response.status !== 200) throw new Error(await response.text());
    const { id } = (await response.json()) as { id: string };
    return id;
  }

  /** What the worker logged about a generation: how long its steps took. */
  async function stepsOf(generationIds: ReadonlySet<string>): Promise<Map<string, number>> {
    const steps = new Map<string, number>();
    for (const line of (await stack.workers[0]?.log())?.split("\n") ?? []) {
      if (!line.includes('"render done"')) continue;
      const { generationId, durationsMs } = JSON.parse(line) as {
        generationId: string;
        durationsMs: Record<string, number>;
      };
      if (!generationIds.has(generationId)) continue;
      steps.set(
        generationId,
        notOverhead.reduce((sum, step) => sum + (durationsMs[step] ?? 0), 0),
      );
    }
    return steps;
  }

  return {
    name,
    async measureOverhead(images) {
      const total = new Map<string, number>();
      for (let count = 0; count < images; count++) {
        const startedAt = performance.now();
        const id = await generate();
        total.set(id, performance.now() - startedAt);
      }
      // The line of the last image is written just after its answer.
      let steps = await stepsOf(new Set(total.keys()));
      while (steps.size < images) steps = await stepsOf(new Set(total.keys()));
      return [...total].map(([id, totalMs]) => totalMs - (steps.get(id) ?? 0));
    },
    async measureThroughput(seconds) {
      const startedAt = performance.now();
      const endsAt = startedAt + seconds * 1_000;
      let done = 0;
      await Promise.all(
        Array.from({ length: concurrency * 2 }, async () => {
          while (performance.now() < endsAt) {
            await generate();
            done++;
          }
        }),
      );
      return (done / (performance.now() - startedAt)) * 1_000;
    },
    stop: () => stack.stop(),
  };
}
