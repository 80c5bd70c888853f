import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyProvenance } from "@atelier/provenance";
import { startTimeStampAuthority } from "@atelier/provenance/testing";
import type { Stack } from "@atelier/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  describeQueues,
  inTurn,
  isAlive,
  patience,
  until,
  type Accepted,
} from "./describe-queues.ts";
import { everyRow, holdAnswers, holdNextAnswer } from "./faults.ts";

const lane = "fake-blind";

const unpaid = {
  status: "failed",
  chargedMicroEur: null,
  balanceMicroEur: 10_000_000n,
  heldMicroEur: 0n,
  files: [],
};

describeQueues("a worker that does not finish", {}, (subjectOf) => {
  let failpointFile: string;
  const deadlyAt = (step: string) => writeFile(failpointFile, step);

  beforeEach(() => {
    failpointFile = join(tmpdir(), `atelier-failpoint-${randomUUID()}`);
  });

  afterEach(() => rm(failpointFile, { force: true }));

  it("changes nothing when it wakes up and another has taken its place", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor, filesUnder } = subjectOf();
    const firstAnswer = holdNextAnswer(stack);
    const stalled = await startWorker({ PROVIDER_TIMEOUT_SECONDS: "120" });
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    stalled.signal("SIGSTOP");
    await startWorker(patience);
    const facts = await untilFinal(accepted);
    expect(facts).toMatchObject({ status: "completed", outcomes: ["unknown", "image"] });
    const before = await everyRow(stack);

    firstAnswer.release();
    stalled.signal("SIGCONT");
    // It makes its files to the end, beside those that count.
    await until(async () => (await filesUnder(`renders/${accepted.renderId}/1.`)).length === 3);
    expect(await stalled.stop()).toBe(0);
    expect(await everyRow(stack)).toEqual(before);

    const path = `/v1/jobs/${accepted.jobId}`;
    const job = await (await stack.request(accepted.account, "GET", path)).json();
    expect(job).toMatchObject({ status: "completed", cost_eur: "0.05", error: null });
  });

  it("leaves what is staged to the one that took its place", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor, filesUnder } = subjectOf();
    const firstAnswer = holdNextAnswer(stack);
    const stalled = await startWorker({ PROVIDER_TIMEOUT_SECONDS: "120" });
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    stalled.signal("SIGSTOP");
    await deadlyAt("after-staging");
    const second = await startWorker({ FAILPOINT_FILE: failpointFile });
    await until(() => !isAlive(second));

    firstAnswer.release();
    // Told to stop, it takes no more when it wakes up, but makes its image to the end.
    const stopped = stalled.stop();
    stalled.signal("SIGCONT");
    expect(await stopped).toBe(0);
    expect(await filesUnder(`renders/${accepted.renderId}/1.`)).toHaveLength(3);
    await startWorker(patience);
    expect(await untilFinal(accepted)).toMatchObject({
      status: "completed",
      attempt: 3,
      outcomes: ["unknown", "image"],
    });
    expect(callsFor(accepted)).toBe(2);
  });

  it(
    "does not die of one image for ever: it fails, and the money is given back",
    inTurn,
    async () => {
      const { accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
      await deadlyAt("after-moderation");
      const startPoisoned = () => startWorker({ MAX_TRIES: "2", FAILPOINT_FILE: failpointFile });
      const accepted = await accept(lane);
      for (let death = 1; death <= 2; death++) {
        const worker = await startPoisoned();
        await until(() => !isAlive(worker));
      }
      const last = await startPoisoned();
      expect(await untilFinal(accepted)).toMatchObject({
        ...unpaid,
        error: "internal_error",
        attempt: 3,
        outcomes: [],
      });
      await untilIdle(lane);
      expect(callsFor(accepted)).toBe(0);
      expect(isAlive(last)).toBe(true);
    },
  );

  it("keeps an image that was paid for until it can be time-stamped", inTurn, async () => {
    const { storage, accept, startWorker, untilFinal, factsOf, callsFor, filesUnder } = subjectOf();
    const authority = await startTimeStampAuthority();
    authority.behave("break-down");
    await startWorker({ ...patience, TIME_STAMP_URL: authority.url, MAX_TRIES: "1" });
    const accepted = await accept(lane);
    // It comes back more often than it has tries.
    await until(async () => (await factsOf(accepted)).attempt > 2);
    authority.behave("stamp");
    expect(await untilFinal(accepted)).toMatchObject({ status: "completed", outcomes: ["image"] });
    expect(callsFor(accepted)).toBe(1);

    const keys = await filesUnder(`renders/${accepted.renderId}/`);
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      const file = await storage.get(key);
      const report = await verifyProvenance(file!.bytes, { trustAnchorsPem: authority.issuerPem });
      expect(report).toMatchObject({ state: "valid", timeStamp: { trusted: true } });
    }
    await authority.stop();
  });

  it("finishes what it works on when it is told to stop, and takes no more", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor, factsOf } = subjectOf();
    const answers = holdAnswers(stack);
    const stopping = await startWorker({
      // A job that had to wait for this lock would not be done within the test.
      WORKER_LOCK_SECONDS: "600",
      WORKER_CONCURRENCY: "2",
      WORKER_ADMIN_PORT: "0",
    });
    const probe = (path: string) => fetch(`http://127.0.0.1:${stopping.ports.admin}${path}`);
    expect(await (await probe("/readyz")).json()).toEqual({
      status: "ok",
      database: "ok",
      queue: "ok",
      lanes: "ok",
    });
    const jobs: Accepted[] = [];
    for (let job = 0; job < 4; job++) jobs.push(await accept(lane));
    const called = () => jobs.filter((job) => callsFor(job) > 0);
    await until(() => called().length === 2);
    const stopped = stopping.stop();
    await until(async () => (await stopping.log()).includes("worker stopping"));
    const unready = await probe("/readyz");
    expect([unready.status, (await probe("/healthz")).status]).toEqual([503, 200]);
    expect(await unready.json()).toEqual({ status: "unavailable", worker: "stopping" });
    answers.release();
    expect(await stopped).toBe(0);
    expect(called()).toHaveLength(2);
    for (const job of called()) {
      expect(await factsOf(job)).toMatchObject({ status: "completed", attempt: 1 });
    }
    await startWorker(patience);
    for (const job of jobs) {
      expect(await untilFinal(job)).toMatchObject({ status: "completed", attempt: 1 });
    }
    expect(jobs.map(callsFor)).toEqual([1, 1, 1, 1]);
  });

  it("hands back at once what it cannot finish in the time that it is given", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal, callsFor } = subjectOf();
    const firstAnswer = holdNextAnswer(stack);
    // A job that had to wait for this lock, or for recovery, would not be done within the test.
    const forever = { WORKER_LOCK_SECONDS: "600", RECOVERY_AFTER_SECONDS: "600" };
    const stopping = await startWorker({ ...forever, WORKER_DRAIN_SECONDS: "0.1" });
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    expect(await stopping.stop()).toBe(0);
    await startWorker({ ...forever, MAX_TRIES: "1" });
    expect(await untilFinal(accepted)).toMatchObject({
      status: "completed",
      attempt: 2,
      outcomes: ["unknown", "image"],
    });
    firstAnswer.release();
  });
});

describeQueues(
  "a deadline of three seconds",
  { environment: { IMAGE_DEADLINE_SECONDS: "3", PROVIDER_TIMEOUT_SECONDS: "60" } },
  (subjectOf) => {
    it("fails a job whose provider never answers", inTurn, async () => {
      const { stack, accept, startWorker, untilFinal, callsFor } = subjectOf();
      const answer = holdNextAnswer(stack);
      await startWorker(patience);
      const accepted = await accept(lane);
      expect(await untilFinal(accepted)).toMatchObject({ ...unpaid, outcomes: ["unknown"] });
      expect(await lifeMs(stack, accepted)).toBeLessThan(8_000);
      answer.release();
      expect(callsFor(accepted)).toBe(1);
    });

    it(
      "fails a job whose worker is stalled, and its late answer changes nothing",
      inTurn,
      async () => {
        const { stack, accept, startWorker, untilFinal, callsFor, filesUnder } = subjectOf();
        const answer = holdNextAnswer(stack);
        const stalled = await startWorker(patience);
        // It looks after all lanes, and serves another.
        await startWorker({ WORKER_LANES: "builtin" });
        const accepted = await accept(lane);
        await until(() => callsFor(accepted) === 1);
        stalled.signal("SIGSTOP");
        expect(await untilFinal(accepted)).toMatchObject({ ...unpaid, outcomes: ["unknown"] });
        expect(await lifeMs(stack, accepted)).toBeLessThan(8_000);
        const before = await everyRow(stack);
        answer.release();
        stalled.signal("SIGCONT");
        expect(await stalled.stop()).toBe(0);
        expect(await everyRow(stack)).toEqual(before);
        expect(await filesUnder(`renders/${accepted.renderId}/`)).toEqual([]);
      },
    );
  },
);

/** From acceptance to the end of a job, by the database's clock. */
async function lifeMs({ database }: Stack, { jobId }: Accepted): Promise<number> {
  const [row] = await database.query<{ ms: number }>(
    `SELECT (extract(epoch FROM completed_at - created_at) * 1000)::float AS ms
       FROM generation WHERE id = $1`,
    [jobId],
  );
  return row?.ms ?? Infinity;
}

/** Empty is absent: the locks and intervals of a service whose operator has set none. */
const asItComes = {
  WORKER_LOCK_SECONDS: "",
  RECOVERY_INTERVAL_SECONDS: "",
  RECOVERY_AFTER_SECONDS: "",
  PROVIDER_TIMEOUT_SECONDS: "",
};

describeQueues("a service as it comes", { environment: asItComes }, (subjectOf) => {
  it("completes the image of a worker that was killed in its call", inTurn, async () => {
    const { stack, accept, startWorker, untilFinal, untilIdle, callsFor } = subjectOf();
    const firstAnswer = holdNextAnswer(stack);
    const killed = await startWorker();
    const accepted = await accept(lane);
    await until(() => callsFor(accepted) === 1);
    await killed.kill();
    firstAnswer.release();
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
