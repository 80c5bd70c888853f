import { endLeftovers } from "@atelier/accounts";
import {
  AccountBusyError,
  failGeneration,
  findOverdue,
  takeUnattended,
} from "@atelier/generations";
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
    start("ended keys", () => endLeftovers(dependencies.database)),
    startCleaning(dependencies),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/**
 * One round: fails unfinished generations past their deadline. An account whose row stays locked is left
 * to the next round, so that its jobs do not delay those of others.
 */
async function enforceDeadlines(dependencies: RenderDependencies): Promise<void> {
  const busyAccounts = new Set<string>();
  for (let batches = 0; batches < batchesPerRound; batches++) {
    const options = { limit: batch, exceptAccounts: [...busyAccounts] };
    const overdue = await findOverdue(dependencies.database, options);
    const busyBefore = busyAccounts.size;
    for (const generation of overdue) {
      if (busyAccounts.has(generation.accountId)) continue;
      if (await failOverdue(generation, dependencies)) continue;
      busyAccounts.add(generation.accountId);
    }
    if (overdue.length < batch || busyAccounts.size === busyBefore) break;
  }
}

/** @returns false when its account stays locked. */
async function failOverdue(
  { generationId, lastError }: { generationId: string; lastError: GenerationError | null },
  { database, logger, metrics }: RenderDependencies,
): Promise<boolean> {
  const error = lastError ?? passedDeadline;
  try {
    if (await failGeneration(database, { generationId, claim: null, error })) {
      metrics.generationEnded("failed");
      logger.error({ generationId, code: error.error }, "generation passed its deadline");
    }
  } catch (cause) {
    if (cause instanceof AccountBusyError) return false;
    // Continue with the other generations when one cannot be failed now.
    logger.error({ err: cause, generationId }, "overdue generation could not be failed");
  }
  return true;
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

const passedDeadline: GenerationError = {
  error: "overloaded",
  message:
    "The image was not made before its deadline. Nothing was charged; please try again later.",
  details: null,
};
