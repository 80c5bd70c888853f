import { endLeftovers } from "@atelier/accounts";
import { readOutlook, takeUnattended } from "@atelier/generations/claims";
import { startLoop, type Loop } from "@atelier/process";
import { withTraceParent } from "@atelier/telemetry";
import type { RenderDependencies } from "../dependencies.ts";
import { batch, batchesPerRound, enforceDeadlines } from "./enforce-deadlines.ts";
import { startCleaning } from "./start-cleaning.ts";

/** Longest delay between two looks for due work, in milliseconds, however long renders may be unattended. */
const longestLookMs = 10_000;

/** Longest delay between two rounds of a part that nothing has woken, in milliseconds. */
const longestIntervalMs = 600_000;

interface Recovery extends Pick<Loop, "stop"> {
  /** Whether renders were ready or in progress at the last look that succeeded. */
  isBusy(): boolean;
}

/**
 * Reconciles the queue, which may lose entries, with the rows, which are the source of truth. Every
 * worker runs this; each row is handled by one of them at a time.
 *
 * One statement reads when something is due next, so that an idle installation is not searched. New work
 * is not due for `unattendedAfterMs`, unless its deadline is shorter: that is enforced at the next look.
 *
 * Deadlines, the queue and the deletion of old rows have separate loops, so that a queue that hangs
 * does not stop deadlines from being enforced.
 */
export function startRecovery(
  options: { readonly intervalMs: number; readonly unattendedAfterMs: number },
  dependencies: RenderDependencies,
): Recovery {
  const { database, lanes, logger } = dependencies;
  const { intervalMs, unattendedAfterMs } = options;
  const start = (
    part: string,
    round: () => Promise<unknown>,
    delays: Pick<Parameters<typeof startLoop>[1], "firstDelayMs" | "delayMs">,
  ) =>
    startLoop(round, {
      ...delays,
      onError: (error) => logger.warn({ err: error, part }, "recovery failed, will retry"),
    });
  const whenWoken = { firstDelayMs: longestIntervalMs, delayMs: () => longestIntervalMs };
  const deadlines = start("deadlines", () => enforceDeadlines(dependencies), whenWoken);
  const queue = start("queue", () => queueUnattended(unattendedAfterMs, dependencies), whenWoken);
  const endedKeys = start("ended keys", () => endLeftovers(database), whenWoken);

  let isBusy = true;
  let nextInMs = 0;
  /** After an outage of the database, workers first attend to their renders again. */
  let queueFrom = 0;
  async function look(): Promise<void> {
    nextInMs = 0;
    const outlook = await readOutlook(database, {
      olderThanMs: unattendedAfterMs,
      lanes: [...lanes.keys()],
    }).catch((error: unknown) => {
      queueFrom = performance.now() + unattendedAfterMs;
      throw error;
    });
    const { deadlineInMs, unattendedForMs } = outlook;
    isBusy = unattendedForMs !== null;
    const untilDeadline = deadlineInMs ?? Infinity;
    const untilUnattended = isBusy ? unattendedAfterMs - (unattendedForMs ?? 0) : Infinity;
    if (untilDeadline <= 0) deadlines.wake();
    if (outlook.hasUnattended && performance.now() >= queueFrom) queue.wake();
    if (outlook.hasWebhookToEnd) endedKeys.wake();
    nextInMs = Math.min(untilDeadline, untilUnattended, unattendedAfterMs, longestLookMs);
  }
  const looking = start("outlook", look, {
    // Jitter keeps workers that started together from polling at the same time.
    firstDelayMs: intervalMs * (0.75 + Math.random() / 2),
    delayMs: () => Math.max(nextInMs, intervalMs * (0.75 + Math.random() / 2)),
  });

  const loops = [looking, deadlines, queue, endedKeys, startCleaning(dependencies)];
  return {
    isBusy: () => isBusy,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** One round: queues renders again that are missing from the queue or have an outdated priority. */
async function queueUnattended(
  unattendedAfterMs: number,
  { database, queues, logger, lanes }: RenderDependencies,
): Promise<void> {
  for (let looked = 0; looked < batchesPerRound; looked++) {
    const options = { olderThanMs: unattendedAfterMs, limit: batch, lanes: [...lanes.keys()] };
    const unattended = await takeUnattended(database, options);
    const added = await Promise.allSettled(
      unattended.map((render) =>
        withTraceParent(render.traceParent, () => queues.ensureDispatched(render)),
      ),
    );
    const count = added.filter((one) => one.status === "fulfilled" && one.value).length;
    if (count > 0) logger.warn({ count }, "renders that the queue had lost were added again");
    const failures = added.filter((one) => one.status === "rejected");
    if (failures.length > 0) {
      const err: unknown = failures[0]?.reason;
      logger.warn({ err, count: failures.length }, "renders were not added to the queue");
      // The queue is not available; renders are looked at again once they are unattended for as long.
      if (failures.length === added.length) break;
    }
    if (unattended.length < batch) break;
  }
}
