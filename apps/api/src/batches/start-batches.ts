import {
  endBatch,
  endTurn,
  hasUnfinishedBatch,
  listUnfinishedJobs,
  stopBatch,
  takeTurn,
  type BatchTurn,
} from "@atelier/generations/batches";
import { settleEach } from "@atelier/kit";
import { startLoop, type Loop } from "@atelier/process";
import { AppError } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import {
  cancelAndRemove,
  type CancelDependencies,
} from "../generations/answer/cancel-and-remove.ts";
import { acceptLines, type LinesDependencies } from "./accept-lines.ts";
import { presentBatch } from "./present-batch.ts";

type Dependencies = LinesDependencies & Needs<"accountGate">;

/** Interval between two looks for a batch while none is due, in milliseconds. */
const waitingMs = 1_000;

/** Longest delay between two looks while no batch is unfinished, since notifications may be lost. */
const idleMs = 10_000;

/** Shortest time between a look and one that a notification causes, in milliseconds. */
const gapMs = 200;

/** Pause while the last jobs of a batch are unfinished, in milliseconds. */
const endingPauseMs = 500;

/** Jobs that one turn cancels. */
const maxCancellations = 50;

/**
 * Starts working on the unfinished batches of all accounts, in turns: every API process takes the batch that
 * is due longest, accepts some of its lines, and pauses for at least as long as that took. If the process
 * dies, another one continues with the next line. While no batch is unfinished, a notification on `batchChannel`
 * wakes it.
 */
export function startBatches(dependencies: Dependencies): Loop {
  const { logger } = dependencies;
  let pauseMs = waitingMs;
  const round = async () => {
    pauseMs = waitingMs;
    const startedAt = performance.now();
    const wasDue = await takeOneTurn(dependencies);
    if (wasDue) pauseMs = performance.now() - startedAt;
    else if (!(await hasUnfinishedBatch(dependencies.database))) pauseMs = idleMs;
  };
  return startLoop(round, {
    firstDelayMs: waitingMs * Math.random(),
    delayMs: () => pauseMs,
    gapMs,
    onError: (error) => logger.warn({ err: error }, "batches not continued, will retry"),
  });
}

async function takeOneTurn(dependencies: Dependencies): Promise<boolean> {
  const { database } = dependencies;
  const turn = await takeTurn(database);
  if (turn === null) return false;
  const pauseMs = await continueBatch(turn, dependencies);
  await endTurn(database, turn.id, pauseMs);
  return true;
}

/** @returns the pause before the next turn of the batch, in milliseconds. */
async function continueBatch(turn: BatchTurn, dependencies: Dependencies): Promise<number> {
  const { database } = dependencies;
  const { id, linesTaken, linesTotal, status } = turn;
  if (status === "cancelling") await cancelJobs(turn, dependencies);
  if (status === "cancelling" || turn.error !== null || linesTaken === linesTotal) {
    await endBatch(database, id, presentBatch);
    return endingPauseMs;
  }
  if (turn.isExpired) {
    await stopBatch(database, id, turn.waitsFor ?? tooSlow);
    return 0;
  }
  return acceptLines(turn, dependencies);
}

/** The error of lines that were not accepted in time, although nothing but load delayed them. */
const tooSlow = {
  error: "overloaded",
  message: "The line was not accepted before the batch expired. Send it again in another batch.",
  details: null,
} as const;

/**
 * Cancels the jobs of a batch that are not being made; those that are complete and are charged.
 *
 * @throws AggregateError after all others are cancelled, with the errors of those that could not be.
 */
async function cancelJobs(
  { id, accountId }: BatchTurn,
  dependencies: CancelDependencies,
): Promise<void> {
  const { database } = dependencies;
  const unfinished = await listUnfinishedJobs(database, id, maxCancellations);
  await settleEach(unfinished, async (generationId) => {
    try {
      await cancelAndRemove({ accountId, generationId }, id, dependencies);
    } catch (error) {
      const isBeingMade = error instanceof AppError && error.code === "job_not_cancellable";
      if (!isBeingMade) throw error;
    }
  });
}
