import { assertScope, findCallerOfKey, refusedKey, suspendedAccount } from "@atelier/accounts";
import type { Caller } from "@atelier/accounts";
import {
  forgetTakenParts,
  readPart,
  recordWait,
  refuseLine,
  stopBatch,
  type BatchLine,
  type BatchTurn,
} from "@atelier/generations/batches";
import { createAcceptableLine, parseRequest } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import {
  acceptRequest,
  dispatchAccepted,
  type AcceptDependencies,
} from "../generations/accept/accept-request.ts";
import { readJson } from "../http/body/read-body.ts";
import { outcomeOfError } from "./line-outcome.ts";
import { splitLines } from "./split-lines.ts";

export type LinesDependencies = AcceptDependencies & Needs<"queues">;

/** Lines of one turn. */
const maxLines = 16;

/** Time after which a turn takes no further line, in milliseconds. */
const maxTurnMs = 1_000;

/** Pause while the account has as many unfinished jobs as its batches may fill, in milliseconds. */
const fullPauseMs = 500;

/** Pause while the rate limit of a key is used up, in milliseconds. */
const ratePauseMs = 1_000;

/**
 * Takes the next lines of a batch: accepts each as a request of the batch's key, or refuses it.
 *
 * @returns the pause before the next turn, in milliseconds.
 */
export async function acceptLines(
  turn: BatchTurn,
  dependencies: LinesDependencies,
): Promise<number> {
  const { config, database } = dependencies;
  const caller = await findCallerOfKey(database, turn.keyId);
  const ended = caller === null ? refusedKey("revoked") : endOfRights(caller);
  if (caller === null || ended !== null) return stop(turn, ended, dependencies);
  // The other half is left to requests that are waited for.
  const maxUnfinishedJobs = Math.max(1, Math.floor(config.MAX_UNFINISHED_JOBS / 2));
  const room = maxUnfinishedJobs - turn.unfinishedJobs;
  if (room <= 0) return fullPauseMs;

  const first = turn.linesTaken + 1;
  const part = await readPart(database, { id: turn.id, line: first });
  const lines = splitLines(part.lines)
    .slice(first - part.firstLine)
    .slice(0, Math.min(room, maxLines));
  const startedAt = performance.now();
  for (const [index, bytes] of lines.entries()) {
    if (performance.now() - startedAt > maxTurnMs) break;
    const limit = { policy: "batch", perMinute: config.GENERATIONS_PER_MINUTE };
    const { allowed } = await dependencies.admissions.take(turn.keyId, limit);
    if (!allowed) return ratePauseMs;
    const line = { id: turn.id, line: first + index };
    try {
      await acceptLine(line, bytes, { caller, maxUnfinishedJobs }, dependencies);
    } catch (thrown) {
      const pauseMs = await recordError(turn, line, thrown, dependencies);
      if (pauseMs !== null) return pauseMs;
    }
  }
  await forgetTakenParts(database, turn.id);
  return 0;
}

/** The error for a key that may not generate any more; null while it may. */
function endOfRights(caller: Caller) {
  if (caller.refusal !== null) return refusedKey(caller.refusal);
  if (caller.suspended) return suspendedAccount();
  try {
    assertScope(caller, "generate");
    return null;
  } catch (error) {
    return error;
  }
}

/** Accepts a line as the request that it has, and dispatches its ready renders. */
async function acceptLine(
  batch: BatchLine,
  bytes: Buffer,
  { caller, maxUnfinishedJobs }: { readonly caller: Caller; readonly maxUnfinishedJobs: number },
  dependencies: LinesDependencies,
): Promise<void> {
  const { operations } = dependencies;
  const { operation, body } = parseRequest(createAcceptableLine(operations), readJson(bytes));
  const request = { operation, body: parseRequest(operations[operation].request, body) };
  // The jobs of a batch are found by its id.
  const requestId = batch.id;
  const acceptance = await acceptRequest(
    { requestId, caller, waitMs: 0, idempotency: null, batch, maxUnfinishedJobs },
    request,
    dependencies,
  );
  if (acceptance.kind === "accepted") await dispatchAccepted(acceptance, requestId, dependencies);
}

/** @returns the pause that ends the turn, in milliseconds; null when the next line follows. */
async function recordError(
  turn: BatchTurn,
  line: BatchLine,
  thrown: unknown,
  dependencies: Needs<"database" | "logger">,
): Promise<number | null> {
  const { database, logger } = dependencies;
  const isWaiting = line.line === turn.linesTaken + 1;
  const outcome = outcomeOfError(thrown, isWaiting ? turn.waitedMs : 0);
  if (outcome.kind === "lost") return 0;
  if (outcome.error.error === "internal_error") {
    logger.error(
      { err: thrown, batchId: line.id, line: line.line },
      "line of a batch not accepted",
    );
  }
  if (outcome.kind === "stopped") {
    await stopBatch(database, turn.id, outcome.error);
    return 0;
  }
  if (outcome.kind === "waits") {
    if (outcome.isShown) await recordWait(database, turn.id, outcome.error);
    return outcome.pauseMs;
  }
  try {
    await refuseLine(database, line, outcome.error);
    return null;
  } catch (error) {
    if (outcomeOfError(error, 0).kind === "lost") return 0;
    throw error;
  }
}

async function stop(
  turn: BatchTurn,
  ended: unknown,
  { database }: Needs<"database">,
): Promise<number> {
  const outcome = outcomeOfError(ended, 0);
  if (outcome.kind !== "lost") await stopBatch(database, turn.id, outcome.error);
  return 0;
}
