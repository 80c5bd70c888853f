import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RenderStep } from "../src/failpoint.ts";
import { describeQueues, inTurn, isAlive, until, type Worker } from "./describe-queues.ts";

interface Case {
  readonly step: RenderStep;
  /** How many workers die there, one after the other, before one may go on. */
  readonly deaths: number;
  readonly status: "completed" | "failed";
  /** Calls that arrive at the provider. */
  readonly calls: number;
  /** What we know of our calls. */
  readonly outcomes: readonly string[];
}

/** What is lost with the worker is made again: nobody notices, and nobody pays for it. */
const unnoticed = { status: "completed", calls: 1, outcomes: ["image"] } as const;

/** Whether the provider was called, or what it answered, is not known: it is asked once more. */
const repeated = { status: "completed", outcomes: ["unknown", "image"] } as const;
/** And never a third time. */
const givenUp = { status: "failed", outcomes: ["unknown", "unknown"] } as const;

const aroundTheCall: readonly Case[] = [
  { step: "after-intent", deaths: 1, ...repeated, calls: 1 },
  { step: "after-intent", deaths: 2, ...givenUp, calls: 0 },
];

const cases: Readonly<Record<string, readonly Case[]>> = {
  "fake-blind": [
    { step: "after-claim", deaths: 1, ...unnoticed },
    { step: "after-claim", deaths: 2, ...unnoticed },
    { step: "after-moderation", deaths: 1, ...unnoticed },
    { step: "after-moderation", deaths: 2, ...unnoticed },
    ...aroundTheCall,
    { step: "after-provider-answer", deaths: 1, ...repeated, calls: 2 },
    { step: "after-provider-answer", deaths: 2, ...givenUp, calls: 2 },
    { step: "after-staging", deaths: 1, ...unnoticed },
    { step: "after-staging", deaths: 2, ...unnoticed },
    { step: "after-marking", deaths: 1, ...unnoticed },
    { step: "after-marking", deaths: 2, ...unnoticed },
    { step: "in-upload", deaths: 1, ...unnoticed },
    { step: "in-upload", deaths: 2, ...unnoticed },
    { step: "before-finish", deaths: 1, ...unnoticed },
    { step: "before-finish", deaths: 2, ...unnoticed },
    // A second worker finds it finished, and does not come to this step.
    { step: "after-finish", deaths: 1, ...unnoticed },
  ],
  // Its answer can be asked for again, by the id that came with it.
  "fake-resumable": [
    ...aroundTheCall,
    { step: "after-provider-answer", deaths: 1, ...unnoticed },
    { step: "after-provider-answer", deaths: 2, ...unnoticed },
  ],
};

describeQueues(
  "a worker killed at a step of a render",
  { environment: { WORKER_LOCK_SECONDS: "1.5" } },
  (subjectOf) => {
    describe.concurrent.each(Object.keys(cases))("model %s", (model) => {
      let directory: string;
      let worker: Worker;

      const failpointFile = () => join(directory, "failpoint");
      const dieAt = (step: RenderStep | "no step") => writeFile(failpointFile(), step);
      const startWorker = () =>
        subjectOf().stack.startWorker({ WORKER_LANES: model, FAILPOINT_FILE: failpointFile() });

      beforeAll(async () => {
        directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
        await dieAt("no step");
        worker = await startWorker();
      });

      afterAll(() => rm(directory, { recursive: true, force: true }));

      it.each(cases[model] ?? [])(
        "$step, $deaths time(s): $status, $calls call(s), recorded as $outcomes",
        inTurn,
        async ({ step, deaths, status, calls, outcomes }) => {
          const { accept, untilFinal, untilIdle, callsFor } = subjectOf();
          await dieAt(step);
          const accepted = await accept(model);
          for (let death = 1; death <= deaths; death++) {
            await until(() => !isAlive(worker));
            if (death === deaths) await dieAt("no step");
            worker = await startWorker();
          }
          const facts = await untilFinal(accepted);
          // What the dead workers left in the queue has no second effect.
          await untilIdle(model);
          expect(callsFor(accepted)).toBe(calls);
          expect(facts).toMatchObject({
            status,
            outcomes,
            chargedMicroEur: status === "completed" ? 50_000n : null,
            balanceMicroEur: status === "completed" ? 9_950_000n : 10_000_000n,
            heldMicroEur: 0n,
          });
          expect(facts.files).toHaveLength(status === "completed" ? 3 : 0);
          expect(isAlive(worker)).toBe(true);
        },
      );
    });
  },
);
