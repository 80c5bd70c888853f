import { failGeneration, findOverdue, takeUnattended } from "@atelier/generations";
import { startLoop, type Loop } from "@atelier/process";
import type { GenerationError } from "@atelier/schemas";
import { withTraceParent } from "@atelier/telemetry";
import type { RenderDependencies } from "../dependencies.ts";
import { startCleaning } from "./start-cleaning.ts";

const batch = 200;

/** Bounds a round when the queue is long. */
const batchesPerRound = 5;

/**
 * Reconciles the queue, which may lose jobs, with the rows, which are the source of truth. Every
 * worker runs this; each row is handled by one of them at a time.
 *
 * Deadlines, the queue and the deletion of old rows have separate loops, so that a queue that hangs
 * does not stop deadlines from being enforced.
 */
export function startRecovery(
  options: { readonly intervalMs: number; readonly unattendedAfterMs: number },
  dependencies: RenderDependencies,
): Loop {
  const { logger } = dependencies;
  // Jitter keeps workers that started together from polling at the same time.
  const delayMs = () => options.intervalMs * (0.75 + Math.random() / 2);
  const start = (part: string, round: () => Promise<unknown>) =>
    startLoop(round, {
      firstDelayMs: delayMs(),
      delayMs,
      onError: (error) => logger.warn({ err: error, part }, "recovery failed, will retry"),
    });
  const loops = [
    start("deadlines", () => enforceDeadlines(dependencies)),
    start("queue", () => queueUnattended(options.unattendedAfterMs, dependencies)),
    startCleaning(dependencies),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** One round: fails unfinished generations past their deadline. */
async function enforceDeadlines({ database, logger, metrics }: RenderDependencies): Promise<void> {
  for (const { generationId, lastError } of await findOverdue(database, batch)) {
    const error = lastError ?? overdue;
    try {
      if (await failGeneration(database, { generationId, claim: null, error })) {
        metrics.generationEnded("failed");
        logger.error({ generationId, code: error.error }, "generation passed its deadline");
      }
    } catch (cause) {
      // Continue with the other generations when one cannot be failed now.
      logger.error({ err: cause, generationId }, "overdue generation could not be failed");
    }
  }
}

/** One round: queues renders again that are missing from the queue or have an outdated priority. */
async function queueUnattended(
  unattendedAfterMs: number,
  { database, queues, logger, lanes }: RenderDependencies,
): Promise<void> {
  for (let looked = 0; looked < batchesPerRound; looked++) {
    const options = { olderThanMs: unattendedAfterMs, limit: batch, lanes: [...lanes.keys()] };
    const unattended = await takeUnattended(database, options);
    const added = await Promise.all(
      unattended.map((render) =>
        withTraceParent(render.traceParent, () => queues.ensureDispatched(render)),
      ),
    );
    const count = added.filter(Boolean).length;
    if (count > 0) logger.warn({ count }, "renders that the queue had lost were added again");
    if (unattended.length < batch) break;
  }
}

const overdue: GenerationError = {
  error: "overloaded",
  message:
    "The image was not made before its deadline. Nothing was charged; please try again later.",
  details: null,
};
