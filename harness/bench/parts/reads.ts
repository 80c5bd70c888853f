import { authorization, startBenchStack } from "../bench-stack.ts";
import { alternate, inRounds, type BenchContext } from "../context.ts";
import { fillStack, pickJob, type HistoryJob } from "../history.ts";
import { createHttpClient, measureRate } from "../load.ts";
import type { Parts } from "../results.ts";
import { startBareApi } from "../start-bare-api.ts";

const connections = 8;
const generations = 10_000;
const accounts = 50;

const emptyRates = () => ({ service: [] as number[], bare: [] as number[] });

/**
 * Measures reads of completed jobs and of lists of 20 per second, with signed URLs, compared with a handler
 * that selects the same rows of the same table and sends them as JSON.
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

    const read = (from: typeof client, path: (job: HistoryJob) => string) => () => {
      const job = pickJob(jobs);
      // The bare handler has the same header, so that both parse the same request.
      const headers = authorization(job.account);
      return from.send({ method: "GET", expectedStatus: 200, path: path(job), headers });
    };
    const sides = {
      job: {
        service: read(client, ({ id }) => `/v1/jobs/${id}`),
        bare: read(bareClient, ({ id }) => `/v1/jobs/${id}`),
      },
      list: {
        service: read(client, () => "/v1/jobs?limit=20"),
        bare: read(bareClient, ({ account }) => `/v1/accounts/${account.accountId}/jobs`),
      },
    };

    const load = { connections, seconds: context.seconds };
    const rates = { job: emptyRates(), list: emptyRates() };
    for (const { service, bare } of Object.values(sides)) {
      for (const send of [service, bare]) await measureRate({ connections, seconds: 2 }, send);
    }
    await inRounds(context, "reads", async (round) => {
      for (const kind of ["job", "list"] as const) {
        const { service, bare } = sides[kind];
        await alternate(
          round,
          async () => void rates[kind].service.push(await measureRate(load, service)),
          async () => void rates[kind].bare.push(await measureRate(load, bare)),
        );
      }
    });
    return { connections, ...rates.job, list: rates.list };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
