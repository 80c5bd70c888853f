import { acceptGeneration } from "@atelier/generations/accept";
import { makeImagePlan } from "@atelier/generations/testing";
import { serveLane } from "@atelier/queue";
import { emptyQueue } from "@atelier/testing";
import { expect, it } from "vitest";
import {
  describeQueues,
  sequential,
  isAlive,
  slowMachineLocks,
  until,
  type Accepted,
} from "./describe-queues.ts";
import { cutConnections, everyRow, holdCalls, holdNextCall } from "./faults.ts";

const lane = "fake-blind";
const priceMicroEur = 50_000n;

describeQueues("after losses in queue and database, workers", { redisDatabase: 5 }, (subjectOf) => {
  it(
    "complete all jobs when the queue is emptied, and repeat no call in progress",
    sequential,
    async () => {
      const { stack, queueUrl, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
      // One render keeps its call open until the others, which were queued, have been restored and made.
      const emptied = Promise.withResolvers<void>();
      const restored = Promise.withResolvers<void>();
      const slow = await accept(lane);
      const others = await Promise.all(Array.from({ length: 4 }, () => accept(lane)));
      stack.provider.behave(async ({ key }) => {
        await (key === slow.renderId ? restored.promise : emptied.promise);
        return { kind: "image" };
      });
      await startWorker({ ...slowMachineLocks, WORKER_CONCURRENCY: "2" });
      await until(() => callsFor(slow) === 1 && others.some((other) => callsFor(other) === 1));
      await emptyQueue(stack, queueUrl);
      emptied.resolve();
      const once = { status: "completed", chargedMicroEur: priceMicroEur, outcomes: ["image"] };
      for (const job of others) expect(await untilFinal(job)).toMatchObject(once);
      restored.resolve();
      expect(await untilFinal(slow)).toMatchObject(once);
      await untilIdle(lane);
      expect(callsFor(slow)).toBe(1);
      expect(others.map(callsFor)).toEqual([1, 1, 1, 1]);
    },
  );

  it("make an image once although its job is added repeatedly", sequential, async () => {
    const { stack, queues, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    const heldCall = holdNextCall(stack);
    await startWorker({ ...slowMachineLocks, WORKER_CONCURRENCY: "2" });
    const accepted = await accept(lane);
    const job = { renderId: accepted.renderId, lane, priority: 1 };
    await until(() => callsFor(accepted) === 1);
    await queues.dispatch([job, job]);
    expect(await queues.ensureDispatched(job)).toBe(false);
    expect(await queues.counts(lane)).toEqual({ waiting: 0, active: 1 });
    heldCall.release();
    expect(await untilFinal(accepted)).toMatchObject({ status: "completed", attempt: 1 });
    await untilIdle(lane);
    const before = await everyRow(stack);

    // Simulates a dropped job record.
    expect(await queues.ensureDispatched(job)).toBe(true);
    await untilIdle(lane);
    expect(await everyRow(stack)).toEqual(before);
    expect(callsFor(accepted)).toBe(1);
  });

  it("complete a render whose queue record has already ended", sequential, async () => {
    const { queueUrl, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    const accepted = await accept(lane);
    const emptyWorker = await serveLane({
      url: queueUrl,
      lane,
      concurrency: 1,
      rateLimit: null,
      lockMs: 4_000,
      render: async () => ({ kind: "done" }),
      onError: () => undefined,
    });
    await untilIdle(lane);
    await emptyWorker.drain();
    expect(callsFor(accepted)).toBe(0);
    await startWorker(slowMachineLocks);
    expect(await untilFinal(accepted)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("complete a job that an API accepted and died before dispatching", sequential, async () => {
    const { stack, startWorker, untilFinal } = subjectOf();
    const { accountId, keyId } = await stack.createAccount();
    const { generationId: jobId } = await acceptGeneration(stack.database, {
      accountId,
      keyId,
      plan: makeImagePlan({ model: lane, lane }),
      deadlineMs: 60_000,
      maxUnfinishedJobs: 10,
      idempotency: null,
    });
    await startWorker(slowMachineLocks);
    expect(await untilFinal({ jobId })).toMatchObject({
      status: "completed",
      chargedMicroEur: priceMicroEur,
    });
  });

  it("complete all jobs when the connections to Postgres are cut", sequential, async () => {
    const { stack, accept, startWorker, untilFinal } = subjectOf();
    const worker = await startWorker({ ...slowMachineLocks, WORKER_CONCURRENCY: "3" });
    let calls = 0;
    // The API's connections are cut as well, so all requests must be answered first.
    const allAccepted = Promise.withResolvers<void>();
    stack.provider.behave(async () => {
      await allAccepted.promise;
      // Renders are in every phase: in a call, in watermarking, uploading or finishing.
      if (++calls % 3 === 0) await cutConnections(stack);
      return { kind: "image" };
    });
    const jobs = await Promise.all(Array.from({ length: 9 }, () => accept(lane)));
    allAccepted.resolve();
    for (const job of jobs) {
      expect(await untilFinal(job)).toMatchObject({
        status: "completed",
        chargedMicroEur: priceMicroEur,
        balanceMicroEur: 9_950_000n,
      });
    }
    expect(calls).toBeGreaterThanOrEqual(9);
    expect(isAlive(worker)).toBe(true);
  });

  it("serve the first job of an account before the many of another", sequential, async () => {
    const { stack, accept, startWorker, untilFinal } = subjectOf();
    const heldCalls = holdCalls(stack);
    const earlier = stack.provider.calls.length;
    await startWorker({ ...slowMachineLocks, WORKER_CONCURRENCY: "1" });
    const busy = await stack.createAccount();
    const flood: Accepted[] = [];
    for (let job = 0; job < 8; job++) flood.push(await accept(lane, busy));
    await until(() => stack.provider.calls.length > earlier);
    const single = await accept(lane);
    heldCalls.release();
    for (const job of [single, ...flood]) {
      expect(await untilFinal(job)).toMatchObject({ status: "completed" });
    }
    const order = stack.provider.calls.slice(earlier).map(({ key }) => key);
    expect(order.indexOf(single.renderId)).toBe(1);
  });
});
