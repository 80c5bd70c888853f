import { acceptGeneration } from "@atelier/generations";
import { makeImagePlan } from "@atelier/generations/testing";
import { serveLane } from "@atelier/queue";
import { expect, it } from "vitest";
import {
  describeQueues,
  inTurn,
  isAlive,
  patience,
  until,
  type Accepted,
} from "./describe-queues.ts";
import { cutConnections, emptyQueue, everyRow, holdAnswers, holdNextAnswer } from "./faults.ts";

const lane = "fake-blind";
const priceMicroEur = 50_000n;

describeQueues("a queue and a database that lose things", { redisDatabase: 5 }, (subjectOf) => {
  it("complete all jobs when the queue is emptied", inTurn, async () => {
    const { stack, queueUrl, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    // One is in its call until it is called again; all others wait for the queue to be emptied.
    const emptied = Promise.withResolvers<void>();
    const calledAgain = Promise.withResolvers<void>();
    const slow = await accept(lane);
    const others = await Promise.all(Array.from({ length: 4 }, () => accept(lane)));
    stack.provider.behave(async ({ key }) => {
      if (key === slow.renderId && callsFor(slow) === 2) calledAgain.resolve();
      await (key === slow.renderId ? calledAgain.promise : emptied.promise);
      return { kind: "image" };
    });
    await startWorker({ ...patience, WORKER_CONCURRENCY: "2" });
    await until(() => callsFor(slow) === 1 && others.some((other) => callsFor(other) === 1));
    await emptyQueue(stack, queueUrl);
    emptied.resolve();
    for (const job of [slow, ...others]) {
      expect(await untilFinal(job)).toMatchObject({
        status: "completed",
        chargedMicroEur: priceMicroEur,
        outcomes: job === slow ? ["unknown", "image"] : ["image"],
      });
    }
    await untilIdle(lane);
    expect(others.map(callsFor)).toEqual([1, 1, 1, 1]);
  });

  it("make an image once, however often its job is added", inTurn, async () => {
    const { stack, queues, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    const answer = holdNextAnswer(stack);
    await startWorker({ ...patience, WORKER_CONCURRENCY: "2" });
    const accepted = await accept(lane);
    const job = { renderId: accepted.renderId, lane, priority: 1 };
    await until(() => callsFor(accepted) === 1);
    await queues.dispatch([job, job]);
    expect(await queues.ensureDispatched(job)).toBe(false);
    expect(await queues.counts(lane)).toEqual({ waiting: 0, active: 1 });
    answer.release();
    expect(await untilFinal(accepted)).toMatchObject({ status: "completed", attempt: 1 });
    await untilIdle(lane);
    const before = await everyRow(stack);

    // As after its record was dropped.
    expect(await queues.ensureDispatched(job)).toBe(true);
    await untilIdle(lane);
    expect(await everyRow(stack)).toEqual(before);
    expect(callsFor(accepted)).toBe(1);
  });

  it("complete a job whose record has ended without its render", inTurn, async () => {
    const { queueUrl, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    const accepted = await accept(lane);
    const forgetful = await serveLane({
      url: queueUrl,
      lane,
      concurrency: 1,
      rateLimit: null,
      lockMs: 4_000,
      render: async () => ({ kind: "done" }),
      onError: () => undefined,
    });
    await untilIdle(lane);
    await forgetful.drain();
    expect(callsFor(accepted)).toBe(0);
    await startWorker(patience);
    expect(await untilFinal(accepted)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("complete what an API accepted that died before it could dispatch it", inTurn, async () => {
    const { stack, startWorker, untilFinal } = subjectOf();
    const { accountId } = await stack.createAccount();
    const { generationId: jobId } = await acceptGeneration(stack.database, {
      accountId,
      plan: makeImagePlan({ model: lane, lane }),
      deadlineMs: 60_000,
      maxUnfinishedJobs: 10,
      idempotency: null,
    });
    await startWorker(patience);
    expect(await untilFinal({ jobId })).toMatchObject({
      status: "completed",
      chargedMicroEur: priceMicroEur,
    });
  });

  it("complete all jobs when the connections to Postgres are cut", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal } = subjectOf();
    const worker = await startWorker({ ...patience, WORKER_CONCURRENCY: "3" });
    let calls = 0;
    // The API's connections are cut as well, which who is being answered would notice.
    const allAccepted = Promise.withResolvers<void>();
    stack.provider.behave(async () => {
      await allAccepted.promise;
      // While renders are everywhere: some in their call, others being marked, stored, finished.
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

  it("serve the first job of an account before the many of another", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal } = subjectOf();
    const answers = holdAnswers(stack);
    const earlier = stack.provider.calls.length;
    await startWorker({ ...patience, WORKER_CONCURRENCY: "1" });
    const busy = await stack.createAccount();
    const flood: Accepted[] = [];
    for (let job = 0; job < 8; job++) flood.push(await accept(lane, busy));
    await until(() => stack.provider.calls.length > earlier);
    const single = await accept(lane);
    answers.release();
    for (const job of [single, ...flood]) {
      expect(await untilFinal(job)).toMatchObject({ status: "completed" });
    }
    const order = stack.provider.calls.slice(earlier).map(({ key }) => key);
    expect(order.indexOf(single.renderId)).toBe(1);
  });
});
