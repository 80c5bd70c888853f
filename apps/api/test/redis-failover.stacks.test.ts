import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedisWithSentinels, type RedisWithSentinels } from "@atelier/local-services";
import { createQueues } from "@atelier/queue";
import { jobAccepted } from "@atelier/schemas";
import { assertInvariants, startLoad, startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

const directory = await mkdtemp(join(tmpdir(), "atelier-sentinel-"));
const redis = await startRedisWithSentinels({ directory });
if ("unavailable" in redis && process.env["REQUIRE_ALL_SUITES"] === "1") {
  throw new Error(redis.unavailable);
}

const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };
const priceMicroEur = 50_000n;
const creditMicroEur = 1_000_000_000n;
const timeout = 120_000;

describe.skipIf("unavailable" in redis)("queues in a Redis with sentinels", () => {
  const sentinels = redis as RedisWithSentinels;
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      processes: true,
      redisUrl: sentinels.url,
      workers: 2,
    });
  });

  afterAll(async () => {
    await stack?.stop();
    await sentinels.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it("report a wrong name of the primary and a wrong password of the sentinels", async () => {
    const open = (url: string) => createQueues({ url, lanes: [], onError: () => undefined });
    await expect(open(sentinels.url.replace("/atelier?", "/other?"))).rejects.toThrow(
      'the sentinels monitor no primary with the name "other"',
    );
    await expect(open(`${sentinels.url}-wrong`)).rejects.toThrow(
      "the sentinels refuse the password: WRONGPASS",
    );
  });

  it(
    "complete and charge every job once when the primary and its sentinel are killed under load",
    async () => {
      const account = await stack.createAccount("1000");
      const other = await stack.createAccount();
      const accepted: string[] = [];
      const send = async (sender = account) => {
        const headers = { Prefer: "respond-async" };
        const response = await stack.request(sender, "POST", "/v1/generate/image", body, headers);
        const answer: unknown = await response.json();
        if (response.ok) accepted.push(jobAccepted.parse(answer).job_id);
        // The account has as many unfinished jobs as it may have.
        return response.status === 429 ? new Response() : Response.json(answer, response);
      };
      const untilCompleted = (amount: number, ids = accepted) =>
        vi.waitUntil(
          async () => {
            const [row] = await stack.database.query<{ count: number }>(
              `SELECT count(*)::int AS count FROM generation
                WHERE id = ANY($1) AND status = 'completed'`,
              [ids],
            );
            return (row?.count ?? 0) >= amount;
          },
          { timeout, interval: 50 },
        );

      const load = startLoad([() => send(), () => send()]);
      await untilCompleted(10);
      const killedAt = performance.now();
      await sentinels.killPrimary();
      const afterKill = jobAccepted.parse(await (await send(other)).json()).job_id;
      await untilCompleted(1, [afterKill]);
      const recoveredMs = Math.round(performance.now() - killedAt);
      await load.stop();
      await untilCompleted(accepted.length);
      process.stderr.write(
        `${accepted.length} jobs; one accepted after the kill was complete ${recoveredMs} ms later\n`,
      );

      expect(load.failed).toEqual([]);
      const [row] = await stack.database.query<{ balance: bigint; held: bigint }>(
        `SELECT balance_micro_eur AS balance, held_micro_eur AS held FROM account WHERE id = $1`,
        [account.accountId],
      );
      expect(row).toEqual({
        balance: creditMicroEur - priceMicroEur * BigInt(accepted.length - 1),
        held: 0n,
      });
      await assertInvariants(stack.database, undefined, stack.provider.calls);
    },
    timeout + 30_000,
  );
});
