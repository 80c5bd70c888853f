import { isTransient } from "@atelier/database";
import { failGeneration, postponeRender, type Claim } from "@atelier/generations";
import type { RenderVerdict } from "@atelier/queue";
import { AppError, type GenerationError } from "@atelier/schemas";
import { StorageError } from "@atelier/storage";
import { backOffMs } from "./back-off.ts";
import { cancelIfRequested } from "./cancel-if-requested.ts";
import { fallBack } from "./fall-back.ts";
import type { RenderDependencies } from "./dependencies.ts";
import { TryFailed, StaleClaim } from "./failures.ts";
import { discardReferences } from "./kept-references.ts";
import type { RenderRecord } from "./record-render.ts";
import { discardStaged } from "./staging.ts";

/** A provider that fails twice is not likely to answer the third time. */
const triesBeforeFallback = 2;

/**
 * Ends a try that did not make its image: gives the generation to another model where the provider is
 * unavailable, the render back to the queue when that may help and tries are left, and otherwise fails
 * the generation and releases the hold.
 *
 * @param isLeaving whether the worker has no more time for it.
 */
export async function endFailedTry(
  claim: Claim,
  caught: unknown,
  record: RenderRecord,
  dependencies: RenderDependencies,
  isLeaving: boolean,
): Promise<RenderVerdict> {
  const { database, storage, logger, metrics, maxTries } = dependencies;
  const stale = (): RenderVerdict => {
    record.ended({ outcome: "stale" });
    return { kind: "done" };
  };
  if (caught instanceof StaleClaim) return stale();
  const failed = caught instanceof TryFailed ? caught : null;
  const error = toAppError(failed?.error ?? caught);
  const failure = { error: describe(error), callOutcome: failed?.outcome ?? null };
  const postpone = async (usedUp: boolean, verdict: RenderVerdict): Promise<RenderVerdict> => {
    if (!(await postponeRender(database.repeatable, claim, { ...failure, usedUp }))) return stale();
    record.ended({ outcome: "postponed", error });
    if (claim.kind === "story") await cancelIfRequested(claim.renderId, dependencies);
    return verdict;
  };
  const pauseLaneMs = failed?.pauseLaneMs ?? null;
  const reason = `${error.code}: ${error.message}`;

  // Interrupted by the end of its worker, not by anything of its own: the next one begins at once.
  if (isLeaving && error.retryable) {
    const handedBack = "handed back by a worker that was stopped";
    return postpone(false, { kind: "retry", reason: handedBack, delayMs: 0 });
  }

  const wanted =
    failed?.fallBack === "at-once" ||
    (failed?.fallBack === "after-tries" && claim.tries >= Math.min(triesBeforeFallback, maxTries));
  const changed = wanted ? await fallBack(claim, failure, dependencies) : null;
  if (changed !== null && changed !== "later") {
    record.ended({ outcome: "postponed", error });
    return changed;
  }

  // A provider that asks to wait, a database or a storage that is away, say nothing about this render:
  // the try does not count, and only the deadline ends it.
  const isAway = isTransient(caught) || caught instanceof StorageError;
  const usedUp = pauseLaneMs === null && failed?.givesTryBack !== true && !isAway;
  if ((error.retryable || changed === "later") && (!usedUp || claim.tries < maxTries)) {
    if (pauseLaneMs !== null) {
      return postpone(usedUp, { kind: "pause-lane", reason, pauseMs: pauseLaneMs });
    }
    // Tries that do not count stay as few as they were: whoever is away, and does not say for how
    // long, would be asked all the time.
    const before = usedUp || error.retryAfterMs !== undefined ? claim.tries : claim.attempt;
    const delayMs = backOffMs(before, error.retryAfterMs);
    return postpone(usedUp, { kind: "retry", reason, delayMs });
  }

  const { generationId } = claim;
  if (!(await failGeneration(database, { ...failure, generationId, claim }))) return stale();
  await discardStaged(claim, storage, logger);
  await discardReferences(claim, dependencies);
  metrics.generationEnded("failed");
  record.ended({ outcome: "failed", error });
  return { kind: "failed", reason };
}

/** Everything unexpected is ours, and may pass: a store that was away, a defect that shows rarely. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(
    "internal_error",
    "The image could not be made because of a fault of the service. Nothing was charged; please try again.",
    { retryable: true, cause: error },
  );
}

function describe(error: AppError): GenerationError {
  return { error: error.code, message: error.message, details: error.details };
}
