import { createTestDatabase } from "@atelier/local-services";
import type { Stack, TestAccount } from "@atelier/testing";
import { authorization, startBenchStack } from "../bench-stack.ts";
import { alternate, inRounds, type BenchContext } from "../context.ts";
import { createHttpClient, measureRate, type HttpCall, type HttpClient } from "../load.ts";
import type { Parts } from "../results.ts";
import { startBareApi } from "../start-bare-api.ts";

const connections = 16;

const story = JSON.stringify({
  model: "fake-blind",
  prompt: "A short tale of a lost kite",
  characters: [{ name: "Mira", description: "a girl with long red hair and a green coat" }],
  scenes: ["finds a kite", "runs along the beach", "lets it fly"].map((deed) => ({
    prompt: `Mira ${deed}`,
    characters: [{ name: "Mira" }],
  })),
});

const call = {
  method: "POST",
  path: "/v1/generate/story",
  body: story,
  expectedStatus: 202,
} as const satisfies HttpCall;

/**
 * Measures accepted stories per second, with one character and three scenes each, compared with a
 * handler that only adds the same body to a BullMQ queue. Each connection has its own account, and
 * there is no worker, so accepted jobs wait.
 */
export async function measureAccept(context: BenchContext): Promise<Parts["accept"]> {
  const measured: {
    queue: string;
    service: number[];
    bare: number[];
    stack: Stack;
    accounts: TestAccount[];
    client: HttpClient;
    bareClient: HttpClient;
  }[] = [];
  const closers: (() => unknown)[] = [];
  try {
    for (const { name: queue, redisUrl } of context.services.queues) {
      const stack = await startBenchStack(context, { redisUrl, workers: 0 });
      closers.push(() => stack.stop());
      const accounts: TestAccount[] = [];
      while (accounts.length < connections) accounts.push(await stack.createAccount("10000000"));
      const bareDatabase = await createTestDatabase(context.services.postgresUrl);
      closers.push(() => bareDatabase.drop());
      const bareApi = await startBareApi({ databaseUrl: bareDatabase.url, redisUrl });
      closers.push(() => bareApi.stop());
      const client = createHttpClient(stack.url);
      const bareClient = createHttpClient(bareApi.url);
      closers.push(
        () => client.close(),
        () => bareClient.close(),
      );
      measured.push({ queue, service: [], bare: [], stack, accounts, client, bareClient });
    }
    const load = { connections, seconds: context.seconds };
    const sendTo =
      ({ client, accounts }: (typeof measured)[number]) =>
      (connection: number) => {
        const account = accounts[connection];
        if (account === undefined) throw new Error("an account for each connection");
        const headers = { ...authorization(account), "Content-Type": "application/json" };
        return client.send({ ...call, headers });
      };
    const sendBare =
      ({ bareClient }: (typeof measured)[number]) =>
      () =>
        bareClient.send({ ...call, headers: { "Content-Type": "application/json" } });

    for (const pair of measured) {
      await measureRate({ connections, seconds: 2 }, sendTo(pair));
      await measureRate({ connections, seconds: 2 }, sendBare(pair));
    }
    await inRounds(context, "accept", async (round) => {
      for (const pair of measured) {
        await alternate(
          round,
          async () => void pair.service.push(await measureRate(load, sendTo(pair))),
          async () => void pair.bare.push(await measureRate(load, sendBare(pair))),
        );
      }
    });
    const queues = measured.map(({ queue, service, bare }) => ({ queue, service, bare }));
    return { connections, queues };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
