import { isTransient } from "@atelier/database";
import { LimitError } from "@atelier/kit/limited-process";
import { postponeRender, type Claim } from "@atelier/generations/claims";
import { failGeneration } from "@atelier/generations/endings";
import type { RenderVerdict } from "@atelier/queue";
import { AppError, type GenerationError } from "@atelier/schemas";
import { StorageError } from "@atelier/storage";
import { backOffMs } from "./back-off.ts";
import { cancelIfRequested } from "./cancel-if-requested.ts";
import { decideEnding, type Ending, type LastingEnding } from "./decide-ending.ts";
import { fallBack } from "./fall-back.ts";
import type { RenderDependencies } from "../dependencies.ts";
import { TryFailed, StaleClaim, machineBusy } from "./failures.ts";
import { discardReferences } from "./kept-references.ts";
import type { RenderRecord } from "./record-render.ts";
import { discardStaged } from "./staging.ts";

/**
 * Ends an attempt that produced no image: switches the generation to another model when the provider
 * is unavailable, returns the render to the queue when the error is transient and attempts are left,
 * and otherwise fails the generation and releases the hold.
 *
 * @param isLeaving whether the worker is shutting down and has no time left for the render.
 */
export async function endFailedTry(
  claim: Claim,
  caught: unknown,
  record: RenderRecord,
  dependencies: RenderDependencies,
  isLeaving: boolean,
): Promise<RenderVerdict> {
  const { database, storage, logger, metrics, maxTries } = dependencies;
  const failed = caught instanceof TryFailed ? caught : null;
  const error = toAppError(failed?.error ?? caught);
  const failure = {
    error: describe(error),
    callOutcome: failed?.outcome ?? null,
    callCost: record.callCost(),
  };
  const reason = `${error.code}: ${error.message}`;

  function endStale(): RenderVerdict {
    record.ended({ outcome: "stale" });
    return { kind: "done" };
  }

  async function postpone(usedUp: boolean, verdict: RenderVerdict): Promise<RenderVerdict> {
    if (!(await postponeRender(database.repeatable, claim, { ...failure, usedUp }))) {
      return endStale();
    }
    record.ended({ outcome: "postponed", error });
    if (claim.rendersTotal > 1) await cancelIfRequested(claim.renderId, dependencies);
    return verdict;
  }

  async function fail(): Promise<RenderVerdict> {
    const { generationId } = claim;
    if (!(await failGeneration(database, { ...failure, generationId, claim }))) return endStale();
    await discardStaged(claim, storage, logger);
    await discardReferences(claim, dependencies);
    metrics.generationEnded("failed");
    record.ended({ outcome: "failed", error });
    return { kind: "failed", reason };
  }

  async function execute(ending: Ending): Promise<RenderVerdict> {
    switch (ending.kind) {
      case "stale":
        return endStale();
      case "hand-back":
        return postpone(false, {
          kind: "retry",
          reason: "handed back by a worker that was stopped",
          delayMs: 0,
        });
      case "fall-back": {
        const ifBusy = postponementOf(ending.ifBusy);
        const result = await fallBack(claim, { ...failure, ifBusy }, dependencies);
        if (result.kind === "busy") return execute(ending.ifBusy);
        if (result.kind === "kept") return execute(ending.ifKept);
        record.ended({ outcome: "postponed", error });
        return result.verdict;
      }
      case "pause-lane":
        return postpone(false, { kind: "pause-lane", reason, pauseMs: ending.pauseMs });
      case "retry": {
        const delayMs = backOffMs(ending.backOffTries, ending.retryAfterMs);
        return postpone(ending.countsTry, { kind: "retry", reason, delayMs });
      }
      case "fail":
        return fail();
    }
  }

  return execute(
    decideEnding({
      isStale: caught instanceof StaleClaim,
      isLeaving,
      isRetryable: error.retryable,
      isServiceUnavailable:
        isTransient(caught) ||
        caught instanceof StorageError ||
        (caught instanceof LimitError && caught.reason === "busy"),
      retryAfterMs: error.retryAfterMs,
      pauseLaneMs: failed?.pauseLaneMs ?? null,
      isUncounted: failed?.isUncounted ?? false,
      fallBack: failed?.fallBack ?? "never",
      attempt: claim.attempt,
      tries: claim.tries,
      maxTries,
    }),
  );
}

/** How an ending returns the render to the queue; null when it fails it. */
function postponementOf(ending: LastingEnding): { readonly usedUp: boolean } | null {
  switch (ending.kind) {
    case "pause-lane":
      return { usedUp: false };
    case "retry":
      return { usedUp: ending.countsTry };
    case "fail":
      return null;
  }
}

/**
 * Maps a busy machine to a retryable `overloaded`, and other unexpected errors to a retryable
 * `internal_error`: they may be outages or rare defects.
 */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof LimitError) return machineBusy(error);
  return new AppError(
    "internal_error",
    "The image could not be generated because of an internal error. Nothing was charged; please try again.",
    { retryable: true, cause: error },
  );
}

function describe(error: AppError): GenerationError {
  return { error: error.code, message: error.message, details: error.details };
}
