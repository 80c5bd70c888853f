import { startTcpProxy } from "@atelier/local-services";
import { stagedPrefix } from "@atelier/schemas";
import { expect, it } from "vitest";
import { describeQueues, sequential, until } from "./describe-queues.ts";

/** Longest time from SIGTERM to the exit, in milliseconds. */
const longestStopMs = 7_000;

describeQueues("a worker that is stopped while Postgres", {}, (subjectOf) => {
  it.each(["refused", "hangs"] as const)(
    "is unavailable (%s) exits within seven seconds, and another completes its render",
    sequential,
    async (fault) => {
      const { stack, startWorker, accept, untilFinal, callsFor, filesUnder } = subjectOf();
      const proxy = await startTcpProxy(stack.environment["DATABASE_URL"] ?? "");
      const worker = await startWorker({ DATABASE_URL: proxy.url });
      const answer = Promise.withResolvers<void>();
      stack.provider.behave(async () => {
        await answer.promise;
        return { kind: "image" };
      });
      const accepted = await accept("fake-blind");
      await until(() => callsFor(accepted) === 1);
      proxy.setFault(fault);
      const stopped = worker.stop();
      const startedAt = performance.now();
      // The paid image of a call in progress is awaited and staged.
      answer.resolve();
      expect(await stopped).toBe(0);
      const stopMs = performance.now() - startedAt;
      expect(stopMs).toBeLessThan(longestStopMs);
      expect(await filesUnder(stagedPrefix(accepted.renderId))).not.toEqual([]);

      await startWorker();
      expect(await untilFinal(accepted)).toMatchObject({
        status: "completed",
        outcomes: ["image"],
        chargedMicroEur: 50_000n,
        heldMicroEur: 0n,
      });
      expect(callsFor(accepted)).toBe(1);
      await proxy.stop();
    },
  );

  it.each(["refused", "hangs"] as const)(
    "is unavailable (%s) exits within seven seconds when it is idle",
    sequential,
    async (fault) => {
      const { stack, startWorker } = subjectOf();
      const proxy = await startTcpProxy(stack.environment["DATABASE_URL"] ?? "");
      const worker = await startWorker({ DATABASE_URL: proxy.url });
      proxy.setFault(fault);
      // Its loops have met the outage.
      await until(async () => (await worker.log()).includes("will retry") || fault === "hangs");
      const startedAt = performance.now();
      expect(await worker.stop()).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(longestStopMs);
      await proxy.stop();
    },
  );
});
