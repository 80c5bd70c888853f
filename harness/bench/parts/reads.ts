import { authorization, startBenchStack } from "../bench-stack.ts";
import { alternate, inRounds, type BenchContext } from "../context.ts";
import { fillStack, pickJob } from "../history.ts";
import { createHttpClient, measureRate } from "../load.ts";
import type { Parts } from "../results.ts";
import { startBareApi } from "../start-bare-api.ts";

const connections = 8;
const generations = 10_000;
const accounts = 50;

/**
 * Measures reads of completed jobs per second, with signed URLs, compared with a handler that
 * selects one row of the same table by its key and sends it as JSON.
 */
export async function measureReads(context: BenchContext): Promise<Parts["reads"]> {
  const closers: (() => unknown)[] = [];
  try {
    const stack = await startBenchStack(context, { redisUrl: null, workers: 0 });
    closers.push(() => stack.stop());
    const jobs = await fillStack({ stack, accounts, generations });
    const bareApi = await startBareApi({ databaseUrl: stack.environment["DATABASE_URL"] ?? "" });
    closers.push(() => bareApi.stop());
    const client = createHttpClient(stack.url);
    const bareClient = createHttpClient(bareApi.url);
    closers.push(
      () => client.close(),
      () => bareClient.close(),
    );

    const read = { method: "GET", expectedStatus: 200 } as const;
    const readJob = () => {
      const { id, account } = pickJob(jobs);
      return client.send({ ...read, path: `/v1/jobs/${id}`, headers: authorization(account) });
    };
    // With the same header, so that both parse the same request.
    const readBare = () => {
      const { id, account } = pickJob(jobs);
      return bareClient.send({ ...read, path: `/v1/jobs/${id}`, headers: authorization(account) });
    };

    const load = { connections, seconds: context.seconds };
    const service: number[] = [];
    const bare: number[] = [];
    await measureRate({ connections, seconds: 2 }, readJob);
    await measureRate({ connections, seconds: 2 }, readBare);
    await inRounds(context, "reads", (round) =>
      alternate(
        round,
        async () => void service.push(await measureRate(load, readJob)),
        async () => void bare.push(await measureRate(load, readBare)),
      ),
    );
    return { connections, service, bare };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
