import { isTransient } from "@atelier/database";
import {
  failGeneration,
  postponeRender,
  type Claim,
  type ProviderOutcome,
} from "@atelier/generations";
import type { RenderVerdict } from "@atelier/queue";
import { AppError, type GenerationError } from "@atelier/schemas";
import type { RenderDependencies } from "./dependencies.ts";
import { backOffMs } from "./back-off.ts";
import { changeModel } from "./change-model.ts";
import type { RenderRecord } from "./record-render.ts";
import { discardStaged } from "./staging.ts";

/** Another worker has taken the render over: nothing that this one does counts any more. */
export class StaleClaim extends Error {
  override readonly name = "StaleClaim";
}

/** A call to the provider that did not give an image, or none that may be used yet. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly error: AppError;
  /** What is recorded of the call; null leaves it open, to be resumed. */
  readonly outcome: ProviderOutcome | null;
  /** The provider asked everybody to wait that long. */
  readonly pauseLaneMs: number | null;
  /** The try does not count: no call was made, or what it gave is kept. */
  readonly givesTryBack: boolean;
  /** Whether the model's fallback may make the image: never what was refused, or perhaps made. */
  readonly otherModel: "never" | "after-tries" | "at-once";

  constructor(
    error: AppError,
    outcome: ProviderOutcome | null,
    facts: Partial<Pick<CallFailed, "pauseLaneMs" | "givesTryBack" | "otherModel">> = {},
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.outcome = outcome;
    this.pauseLaneMs = facts.pauseLaneMs ?? null;
    this.givesTryBack = facts.givesTryBack ?? false;
    this.otherModel = facts.otherModel ?? "never";
  }
}

/** A provider that fails twice is not likely to answer the third time. */
const triesBeforeOtherModel = 2;

/** A failure of the provider that may pass; the last try ends with it. */
export function providerFailure(
  message: string,
  retryAfterMs: number | null,
  cause?: Error,
): AppError {
  return new AppError("provider_error", `${message} Nothing was charged; please try again later.`, {
    retryable: true,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Ends a try that did not make its image: gives the generation to another model where the provider is
 * unavailable, the render back to the queue when that may help and tries are left, and otherwise fails
 * the generation and releases the hold.
 *
 * @param isLeaving whether the worker has no more time for it.
 */
export async function giveBack(
  claim: Claim,
  caught: unknown,
  record: RenderRecord,
  dependencies: RenderDependencies,
  isLeaving: boolean,
): Promise<RenderVerdict> {
  const { database, metrics, limits } = dependencies;
  const stale = (): RenderVerdict => {
    record.ended({ outcome: "stale" });
    return { kind: "done" };
  };
  if (caught instanceof StaleClaim) return stale();
  const call = caught instanceof CallFailed ? caught : null;
  const error = toAppError(call?.error ?? caught);
  const callOutcome = call?.outcome ?? null;
  const pauseLaneMs = call?.pauseLaneMs ?? null;
  const reason = `${error.code}: ${error.message}`;

  // Interrupted by the end of its worker, not by anything of its own: the next one begins at once.
  if (isLeaving && error.retryable) {
    const handedBack = { error: describe(error), usedUp: false, callOutcome };
    if (!(await postponeRender(database.repeatable, claim, handedBack))) return stale();
    record.ended({ outcome: "postponed", error });
    return { kind: "retry", reason: "handed back by a worker that was stopped", delayMs: 0 };
  }

  const wanted =
    call?.otherModel === "at-once" ||
    (call?.otherModel === "after-tries" &&
      claim.tries >= Math.min(triesBeforeOtherModel, limits.maxTries));
  const failed = { error: describe(error), callOutcome };
  const changed = wanted ? await changeModel(claim, failed, dependencies) : null;
  if (changed !== null && changed !== "later") {
    record.ended({ outcome: "postponed", error });
    return changed;
  }

  // A provider that asks to wait, or a database that is away, says nothing about this render: the
  // try does not count, and only the deadline ends it.
  const usedUp = pauseLaneMs === null && call?.givesTryBack !== true && !isTransient(caught);
  if ((error.retryable || changed === "later") && (!usedUp || claim.tries < limits.maxTries)) {
    const stored = describe(error);
    if (
      !(await postponeRender(database.repeatable, claim, { error: stored, usedUp, callOutcome }))
    ) {
      return stale();
    }
    record.ended({ outcome: "postponed", error });
    if (pauseLaneMs !== null) return { kind: "pause-lane", reason, pauseMs: pauseLaneMs };
    // Tries that do not count stay as few as they were: whoever is away, and does not say for how
    // long, would be asked all the time.
    const before = usedUp || error.retryAfterMs !== undefined ? claim.tries : claim.attempt;
    return { kind: "retry", reason, delayMs: backOffMs(before, error.retryAfterMs) };
  }

  const { generationId } = claim;
  const failure = { generationId, claim, error: describe(error), callOutcome };
  if (!(await failGeneration(database, failure))) return stale();
  await discardStaged(claim, dependencies);
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
