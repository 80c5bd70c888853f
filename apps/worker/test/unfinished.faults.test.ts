import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyProvenance } from "@atelier/provenance/images";
import { startTimeStampAuthority } from "@atelier/provenance/testing";
import type { Stack } from "@atelier/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  describeQueues,
  sequential,
  isAlive,
  slowMachineLocks,
  until,
  type Accepted,
  type Subject,
} from "./describe-queues.ts";
import { everyRow, holdCalls, holdNextCall } from "./faults.ts";

const lane = "fake-blind";

const failedWithoutCharge = {
  status: "failed",
  chargedMicroEur: null,
  balanceMicroEur: 10_000_000n,
  heldMicroEur: 0n,
  files: [],
};

describeQueues("a worker that does not finish its render", {}, (subjectOf) => {
  let failpointFile: string;
  const crashAt = (step: string) => writeFile(failpointFile, step);

  beforeEach(() => {
    failpointFile = join(tmpdir(), `atelier-failpoint-${randomUUID()}`);
  });

  afterEach(() => rm(failpointFile, { force: true }));

  it("changes nothing when it resumes after another worker took over", sequential, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor, filesUnder } = subjectOf();
    const firstCall = holdNextCall(stack);
    const stalled = await startWorker({ PROVIDER_TIMEOUT_SECONDS: "120" });
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    stalled.signal("SIGSTOP");
    await startWorker(slowMachineLocks);
    const facts = await untilFinal(accepted);
    expect(facts).toMatchObject({ status: "completed", outcomes: ["unknown", "image"] });
    const before = await everyRow(stack);

    firstCall.release();
    stalled.signal("SIGCONT");
    // The stale worker finishes its files, next to the valid ones.
    await until(async () => (await filesUnder(`renders/${accepted.renderId}/1.`)).length === 4);
    expect(await stalled.stop()).toBe(0);
    expect(await everyRow(stack)).toEqual(before);

    const path = `/v1/jobs/${accepted.jobId}`;
    const job = await (await stack.request(accepted.account, "GET", path)).json();
    expect(job).toMatchObject({ status: "completed", cost_eur: "0.05", error: null });
  });

  it("leaves staged bytes to the worker that took over", sequential, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor, filesUnder } = subjectOf();
    const firstCall = holdNextCall(stack);
    const stalled = await startWorker({ PROVIDER_TIMEOUT_SECONDS: "120" });
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    stalled.signal("SIGSTOP");
    await crashAt("after-staging");
    const second = await startWorker({ FAILPOINT_FILE: failpointFile });
    await until(() => !isAlive(second));

    firstCall.release();
    // After SIGTERM the resumed worker claims nothing more but finishes its image.
    const stopped = stalled.stop();
    stalled.signal("SIGCONT");
    expect(await stopped).toBe(0);
    expect(await filesUnder(`renders/${accepted.renderId}/1.`)).toHaveLength(4);
    await startWorker(slowMachineLocks);
    expect(await untilFinal(accepted)).toMatchObject({
      status: "completed",
      attempt: 3,
      outcomes: ["unknown", "image"],
    });
    expect(callsFor(accepted)).toBe(2);
  });

  it("fails a job that crashes every worker, and releases its hold", sequential, async () => {
    const { accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    await crashAt("after-moderation");
    const startCrashing = () => startWorker({ MAX_TRIES: "2", FAILPOINT_FILE: failpointFile });
    const accepted = await accept(lane);
    for (let crash = 1; crash <= 2; crash++) {
      const worker = await startCrashing();
      await until(() => !isAlive(worker));
    }
    const last = await startCrashing();
    expect(await untilFinal(accepted)).toMatchObject({
      ...failedWithoutCharge,
      error: "internal_error",
      attempt: 3,
      outcomes: [],
    });
    await untilIdle(lane);
    expect(callsFor(accepted)).toBe(0);
    expect(isAlive(last)).toBe(true);
  });

  it("keeps a paid image until it can be time-stamped", sequential, async () => {
    const { storage, accept, startWorker, untilFinal, factsOf, callsFor, filesUnder } = subjectOf();
    const authority = await startTimeStampAuthority();
    authority.behave("break-down");
    await startWorker({ ...slowMachineLocks, TIME_STAMP_URL: authority.url, MAX_TRIES: "1" });
    const accepted = await accept(lane);
    // Claimed more often than the attempts would allow.
    await until(async () => (await factsOf(accepted)).attempt > 2);
    authority.behave("stamp");
    expect(await untilFinal(accepted)).toMatchObject({ status: "completed", outcomes: ["image"] });
    expect(callsFor(accepted)).toBe(1);

    const keys = await filesUnder(`renders/${accepted.renderId}/`);
    expect(keys).toHaveLength(4);
    for (const key of keys) {
      const file = await storage.get(key);
      const report = await verifyProvenance(file!.bytes, { trustAnchorsPem: authority.issuerPem });
      expect(report).toMatchObject({ state: "valid", timeStamp: { trusted: true } });
    }
    await authority.stop();
  });

  it("finishes its renders on SIGTERM and claims no more", sequential, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor, factsOf } = subjectOf();
    const heldCalls = holdCalls(stack);
    const stopping = await startWorker({
      // A job that had to wait for this lock timeout would exceed the test's timeout.
      WORKER_LOCK_SECONDS: "600",
      WORKER_CONCURRENCY: "2",
      WORKER_ADMIN_PORT: "0",
    });
    const probe = (path: string) => fetch(`http://127.0.0.1:${stopping.ports.admin}${path}`);
    expect(await (await probe("/readyz")).json()).toEqual({
      status: "degraded",
      database: "ok",
      queue: "ok",
      storage: "ok",
      lanes: "ok",
      marks:
        "set TIME_STAMP_URL and WATERMARK_SECRET: images of trained models are marked incompletely",
    });
    expect(await stopping.log()).toContain("INCOMPLETE MARKS: set TIME_STAMP_URL");
    const jobs: Accepted[] = [];
    for (let job = 0; job < 4; job++) jobs.push(await accept(lane));
    const called = () => jobs.filter((job) => callsFor(job) > 0);
    await until(() => called().length === 2);
    const stopped = stopping.stop();
    await until(async () => (await stopping.log()).includes("worker stopping"));
    const unready = await probe("/readyz");
    expect([unready.status, (await probe("/healthz")).status]).toEqual([503, 200]);
    expect(await unready.json()).toEqual({ status: "unavailable", worker: "stopping" });
    heldCalls.release();
    expect(await stopped).toBe(0);
    expect(called()).toHaveLength(2);
    for (const job of called()) {
      expect(await factsOf(job)).toMatchObject({ status: "completed", attempt: 1 });
    }
    await startWorker(slowMachineLocks);
    for (const job of jobs) {
      expect(await untilFinal(job)).toMatchObject({ status: "completed", attempt: 1 });
    }
    expect(jobs.map(callsFor)).toEqual([1, 1, 1, 1]);
  });

  it(
    "returns renders to the queue that it cannot finish within the drain time",
    sequential,
    async () => {
      const { stack, accept, startWorker, untilFinal, callsFor } = subjectOf();
      const firstCall = holdNextCall(stack);
      // A job that had to wait for the lock timeout or for recovery would exceed the test's timeout.
      const longTimeouts = { WORKER_LOCK_SECONDS: "600", RECOVERY_AFTER_SECONDS: "600" };
      const stopping = await startWorker({ ...longTimeouts, WORKER_DRAIN_SECONDS: "0.1" });
      const accepted = await accept(lane);
      await until(() => callsFor(accepted) === 1);
      expect(await stopping.stop()).toBe(0);
      await startWorker({ ...longTimeouts, MAX_TRIES: "1" });
      expect(await untilFinal(accepted)).toMatchObject({
        status: "completed",
        attempt: 2,
        outcomes: ["unknown", "image"],
      });
      firstCall.release();
    },
  );
});

describeQueues(
  "a deadline of six seconds",
  { environment: { IMAGE_DEADLINE_SECONDS: "6", PROVIDER_TIMEOUT_SECONDS: "60" } },
  (subjectOf) => {
    it("fails a job whose provider never responds", sequential, async () => {
      const { stack, accept, startWorker, untilFinal, callsFor } = subjectOf();
      await startWorker(slowMachineLocks);
      await makeFirst(subjectOf());
      const heldCall = holdNextCall(stack);
      const accepted = await accept(lane);
      expect(await untilFinal(accepted)).toMatchObject({
        ...failedWithoutCharge,
        outcomes: ["unknown"],
      });
      expect(await lifeMs(stack, accepted)).toBeLessThan(12_000);
      heldCall.release();
      expect(callsFor(accepted)).toBe(1);
    });

    it(
      "fails a job whose worker is stalled; its late response changes nothing",
      sequential,
      async () => {
        const { stack, accept, startWorker, untilFinal, callsFor, filesUnder } = subjectOf();
        const stalled = await startWorker(slowMachineLocks);
        await makeFirst(subjectOf());
        const heldCall = holdNextCall(stack);
        // It runs recovery for all lanes but serves a different one.
        await startWorker({ WORKER_LANES: "builtin" });
        const accepted = await accept(lane);
        await until(() => callsFor(accepted) === 1);
        stalled.signal("SIGSTOP");
        expect(await untilFinal(accepted)).toMatchObject({
          ...failedWithoutCharge,
          outcomes: ["unknown"],
        });
        expect(await lifeMs(stack, accepted)).toBeLessThan(12_000);
        const before = await everyRow(stack);
        heldCall.release();
        stalled.signal("SIGCONT");
        expect(await stalled.stop()).toBe(0);
        expect(await everyRow(stack)).toEqual(before);
        expect(await filesUnder(`renders/${accepted.renderId}/`)).toEqual([]);
      },
    );
  },
);

/** The first job of a worker loads code, which takes longer than the deadline beside busy programs. */
async function makeFirst({ accept, untilFinal }: Subject): Promise<void> {
  await untilFinal(await accept(lane));
}

/** Time from acceptance to the end of a job, by the database's clock, in milliseconds. */
async function lifeMs({ database }: Stack, { jobId }: Accepted): Promise<number> {
  const [row] = await database.query<{ ms: number }>(
    `SELECT (extract(epoch FROM completed_at - created_at) * 1000)::float AS ms
       FROM generation WHERE id = $1`,
    [jobId],
  );
  return row?.ms ?? Infinity;
}

/** Empty variables count as unset: this uses the default locks and intervals. */
const defaultSettings = {
  WORKER_LOCK_SECONDS: "",
  RECOVERY_INTERVAL_SECONDS: "",
  RECOVERY_AFTER_SECONDS: "",
  PROVIDER_TIMEOUT_SECONDS: "",
};

describeQueues("a service with default settings", { environment: defaultSettings }, (subjectOf) => {
  it("completes the image of a worker that was killed in its call", sequential, async () => {
    const { stack, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    const firstCall = holdNextCall(stack);
    const killed = await startWorker();
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    await killed.kill();
    firstCall.release();
    await startWorker();
    expect(await untilFinal(accepted)).toMatchObject({
      status: "completed",
      attempt: 2,
      outcomes: ["unknown", "image"],
      chargedMicroEur: 50_000n,
      balanceMicroEur: 9_950_000n,
    });
    await untilIdle(lane);
    expect(callsFor(accepted)).toBe(2);
  });
});
