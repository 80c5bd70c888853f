import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RenderStep } from "../src/render/failpoint.ts";
import { describeQueues, sequential, isAlive, until, type Worker } from "./describe-queues.ts";

interface Case {
  readonly step: RenderStep;
  /** Number of workers that die at the step, one after the other, before one survives. */
  readonly deaths: number;
  readonly status: "completed" | "failed";
  /** Number of calls that the provider receives. */
  readonly calls: number;
  /** Recorded outcomes of the calls. */
  readonly outcomes: readonly string[];
  /** Steps after the image, with a price of 0.01 EUR. Default: none. */
  readonly after?: readonly string[];
}

/** Lost work is repeated without a second provider call. */
const completedOnce = { status: "completed", calls: 1, outcomes: ["image"] } as const;

/** Whether the provider received the call, or its response, is unknown: the call is repeated once. */
const repeated = { status: "completed", outcomes: ["unknown", "image"] } as const;
/** The call is never repeated a second time. */
const givenUp = { status: "failed", outcomes: ["unknown", "unknown"] } as const;

const aroundTheCall: readonly Case[] = [
  { step: "after-intent", deaths: 1, ...repeated, calls: 1 },
  { step: "after-intent", deaths: 2, ...givenUp, calls: 0 },
];

const cases: Readonly<Record<string, readonly Case[]>> = {
  "fake-blind": [
    { step: "after-claim", deaths: 1, ...completedOnce },
    { step: "after-claim", deaths: 2, ...completedOnce },
    { step: "after-moderation", deaths: 1, ...completedOnce },
    { step: "after-moderation", deaths: 2, ...completedOnce },
    ...aroundTheCall,
    { step: "after-provider-answer", deaths: 1, ...repeated, calls: 2 },
    { step: "after-provider-answer", deaths: 2, ...givenUp, calls: 2 },
    { step: "after-staging", deaths: 1, ...completedOnce },
    { step: "after-staging", deaths: 2, ...completedOnce },
    { step: "after-marking", deaths: 1, ...completedOnce },
    { step: "after-marking", deaths: 2, ...completedOnce },
    { step: "after-marking", deaths: 1, ...completedOnce, after: ["upscale:2"] },
    { step: "in-upload", deaths: 1, ...completedOnce },
    { step: "in-upload", deaths: 2, ...completedOnce },
    { step: "before-finish", deaths: 1, ...completedOnce },
    { step: "before-finish", deaths: 2, ...completedOnce },
    // The render is already finished for a second worker, which does not reach this step.
    { step: "after-finish", deaths: 1, ...completedOnce },
  ],
  // The response can be requested again by the request id.
  "fake-resumable": [
    ...aroundTheCall,
    { step: "after-provider-answer", deaths: 1, ...completedOnce },
    { step: "after-provider-answer", deaths: 2, ...completedOnce },
  ],
};

describeQueues(
  "a worker killed during a render",
  { environment: { WORKER_LOCK_SECONDS: "1.5" } },
  (subjectOf) => {
    describe.concurrent.each(Object.keys(cases))("model %s", (model) => {
      let directory: string;
      let worker: Worker;

      const failpointFile = () => join(directory, "failpoint");
      const crashAt = (step: RenderStep | "no step") => writeFile(failpointFile(), step);
      const startWorker = () =>
        subjectOf().stack.startWorker({ WORKER_LANES: model, FAILPOINT_FILE: failpointFile() });

      beforeAll(async () => {
        directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
        await crashAt("no step");
        worker = await startWorker();
      });

      afterAll(() => rm(directory, { recursive: true, force: true }));

      it.each(cases[model] ?? [])(
        "$step, $deaths time(s): $status, $calls call(s), recorded as $outcomes",
        sequential,
        async ({ step, deaths, status, calls, outcomes, after }) => {
          const { accept, untilFinal, untilIdle, callsFor } = subjectOf();
          await crashAt(step);
          const accepted = await accept(model, undefined, { after });
          for (let crash = 1; crash <= deaths; crash++) {
            await until(() => !isAlive(worker));
            if (crash === deaths) await crashAt("no step");
            worker = await startWorker();
          }
          const facts = await untilFinal(accepted);
          // Jobs that the dead workers left in the queue have no second effect.
          await untilIdle(model);
          expect(callsFor(accepted)).toBe(calls);
          const price = after === undefined ? 50_000n : 60_000n;
          expect(facts).toMatchObject({
            status,
            outcomes,
            chargedMicroEur: status === "completed" ? price : null,
            balanceMicroEur: status === "completed" ? 10_000_000n - price : 10_000_000n,
            heldMicroEur: 0n,
          });
          expect(facts.files).toHaveLength(status === "completed" ? 4 : 0);
          expect(isAlive(worker)).toBe(true);
        },
      );
    });
  },
);
