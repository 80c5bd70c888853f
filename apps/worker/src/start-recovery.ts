import {
  failGeneration,
  findOverdue,
  forgetExpired,
  startLoop,
  takeUnattended,
  type Loop,
} from "@atelier/generations";
import type { GenerationError } from "@atelier/schemas";
import { withTraceParent } from "@atelier/telemetry";
import type { RenderDependencies } from "./dependencies.ts";

const batch = 200;

/** So that a round ends, and deadlines are looked at again, however long the queue is. */
const batchesPerRound = 5;

/**
 * Closes the gap between the rows, which are true, and the queue, which may have lost anything:
 * every worker does it, each row is looked after by one of them at a time.
 */
export function startRecovery(
  options: { readonly intervalMs: number; readonly unattendedAfterMs: number },
  dependencies: RenderDependencies,
): Loop {
  const { logger } = dependencies;
  // Jitter: workers that started together do not ask together for ever.
  const delayMs = () => options.intervalMs * (0.75 + Math.random() / 2);
  return startLoop(() => recover(options.unattendedAfterMs, dependencies), {
    firstDelayMs: delayMs(),
    delayMs,
    onError: (error) => logger.warn({ err: error }, "recovery failed, will try again"),
  });
}

/** One round: unfinished generations past their deadline fail, forgotten renders are queued again. */
async function recover(unattendedAfterMs: number, dependencies: RenderDependencies): Promise<void> {
  // Apart, so that a queue that is away does not keep deadlines from being enforced.
  const results = await Promise.allSettled([
    enforceDeadlines(dependencies),
    queueUnattended(unattendedAfterMs, dependencies),
    forgetExpired(dependencies.database),
  ]);
  const reasons = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as unknown] : [],
  );
  if (reasons.length > 1) throw new AggregateError(reasons, "several parts of recovery failed");
  if (reasons.length === 1) throw reasons[0];
}

async function enforceDeadlines({ database, logger, metrics }: RenderDependencies): Promise<void> {
  for (const { generationId, lastError } of await findOverdue(database, batch)) {
    const error = lastError ?? overdue;
    try {
      if (await failGeneration(database, { generationId, claim: null, error })) {
        metrics.generationEnded("failed");
        logger.error({ generationId, code: error.error }, "generation passed its deadline");
      }
    } catch (cause) {
      // One that cannot be ended now must not keep the others open.
      logger.error({ err: cause, generationId }, "overdue generation could not be failed");
    }
  }
}

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
