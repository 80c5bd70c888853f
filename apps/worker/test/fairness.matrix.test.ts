import { jobAccepted } from "@atelier/schemas";
import { selectCombinations, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sequential, until } from "./describe-queues.ts";

const redisUrl = inject("redisUrl");
const queues = [
  ["Postgres", null],
  ...(redisUrl === null ? [] : [["Redis", redisUrl] as const]),
] as const;

describe.each(selectCombinations(queues))("a lane with its queue in %s", (_name, queueUrl) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      redisUrl: queueUrl,
      environment: {
        WORKER_CONCURRENCY: "1",
        WORKER_LOCK_SECONDS: "10",
        // Keeps recovery, which also corrects priorities, out of the test.
        RECOVERY_AFTER_SECONDS: "600",
      },
    });
  });

  afterAll(() => stack.stop());

  async function accept(account: TestAccount): Promise<string> {
    const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };
    const headers = { Prefer: "respond-async" };
    const response = await stack.request(account, "POST", "/v1/generate/image", body, headers);
    return jobAccepted.parse(await response.json()).job_id;
  }

  async function renderOf(jobId: string): Promise<string> {
    const query = "SELECT id FROM render WHERE generation_id = $1";
    const [render] = await stack.database.query<{ id: string }>(query, [jobId]);
    return render?.id ?? "";
  }

  it(
    "serves an account's jobs in order while it sends more after a batch",
    sequential,
    async () => {
      const account = await stack.createAccount();
      // Each call waits until the test releases its response.
      const gates: (() => void)[] = [];
      stack.provider.behave(async () => {
        await new Promise<void>((resolve) => void gates.push(resolve));
        return { kind: "image" };
      });
      const sent: string[] = [];
      for (let batch = 0; batch < 6; batch++) sent.push(await accept(account));
      for (let answered = 0; answered < 8; answered++) {
        await until(() => gates.length > answered);
        // Three stay unfinished: a new job gets a smaller priority number than the rest of the batch.
        if (answered >= 3) sent.push(await accept(account));
        gates[answered]?.();
      }
      await until(() => gates.length > 8);
      const startedRenders = stack.provider.calls.map(({ key }) => key);
      expect(startedRenders).toEqual(
        await Promise.all(sent.slice(0, startedRenders.length).map(renderOf)),
      );
      gates.at(-1)?.();
    },
  );
});
