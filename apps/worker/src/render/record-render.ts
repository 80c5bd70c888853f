import type { CallCost, Claim } from "@atelier/generations/claims";
import type { FinishResult, StoredImage } from "@atelier/generations/endings";
import {
  addSpanFacts,
  currentTraceId,
  traceStep,
  type Logger,
  type RenderOutcome,
  type WorkerMetrics,
} from "@atelier/telemetry";
import type { AppError } from "@atelier/schemas";
import type { Meter, RenderCost } from "./meter.ts";

/** The outcome of an attempt at a render, for logs, metrics and traces. */
interface RenderEnd {
  readonly outcome: RenderOutcome;
  /** Why the render is not done. */
  readonly error?: AppError;
  readonly images?: readonly StoredImage[];
  readonly finished?: FinishResult;
}

/** Telemetry of one attempt at a render: one log line, its metrics and its spans. */
export interface RenderRecord {
  /** Runs a step and records its duration under its name. */
  readonly step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Records the outcome and the cost of the provider call.
   *
   * @param isCounted whether the cost belongs to the metrics, where a resumed call counts once.
   */
  readonly providerCalled: (outcome: string, cost: CallCost, isCounted: boolean) => void;
  /** Sets the cost of an earlier call whose result this attempt uses. */
  readonly callPriced: (cost: CallCost) => void;
  /** The cost of this attempt's call; null without a call. */
  readonly callCost: () => CallCost | null;
  /** Adds the cost of another process that worked for the render. */
  readonly spent: (cost: RenderCost) => void;
  ended(end: RenderEnd): void;
}

const messages = {
  done: "render done",
  postponed: "render postponed",
  failed: "generation failed",
  stale: "render stale",
} as const satisfies Record<RenderOutcome, string>;

/** Starts the record of a claimed render. It contains ids, names and numbers, never prompts. */
export function recordRender(
  claim: Claim,
  {
    logger,
    metrics,
    meter,
  }: { readonly logger: Logger; readonly metrics: WorkerMetrics; readonly meter: Meter },
): RenderRecord {
  const measured = meter.begin();
  const startedAt = performance.now();
  let callCost: CallCost | null = null;
  const durationsMs: Record<string, number> = {};
  const { accountId, generationId, renderId, attempt, role, lane, model } = claim;
  const traceId = currentTraceId();
  addSpanFacts({
    "atelier.generation_id": generationId,
    "atelier.render_id": renderId,
    "atelier.attempt": attempt,
    "atelier.role": role,
    "atelier.lane": lane,
    "atelier.model": model,
  });

  return {
    async step(name, work) {
      const stepStartedAt = performance.now();
      try {
        return await traceStep(name, work);
      } finally {
        durationsMs[name] = tenths(performance.now() - stepStartedAt);
        meter.sample();
      }
    },
    spent: (cost) => measured.add(cost),
    providerCalled(outcome, cost, isCounted) {
      callCost = cost;
      metrics.providerCalled(lane, outcome);
      if (isCounted) metrics.callPriced({ model, ...cost });
    },
    callPriced(cost) {
      callCost = cost;
    },
    callCost: () => callCost,
    ended({ outcome, error, images = [], finished }) {
      const code = error?.code ?? null;
      const durationMs = tenths(performance.now() - startedAt);
      const storedBytes = images.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const { cpuMs, peakBytes } = measured.end();
      metrics.renderEnded({
        lane,
        outcome,
        code,
        durationMs,
        stepsMs: durationsMs,
        storedBytes,
        cpuMs,
        peakBytes,
      });
      if (finished?.kind === "completed") {
        metrics.generationEnded("completed");
        metrics.earned(model, finished.chargedMicroEur);
      }
      addSpanFacts({ "atelier.outcome": outcome, "atelier.code": error?.code });
      logger[levelOf(outcome, error)](
        {
          ...(traceId === null ? {} : { traceId }),
          accountId,
          generationId,
          renderId,
          attempt,
          role,
          lane,
          model,
          outcome,
          code,
          durationMs,
          durationsMs,
          cpuMs: tenths(cpuMs),
          peakMemoryBytes: peakBytes,
          storedBytes,
          chargedMicroEur: finished?.kind === "completed" ? Number(finished.chargedMicroEur) : 0,
          ...(error === undefined ? {} : { err: error.cause ?? error }),
        },
        messages[outcome],
      );
    },
  };
}

/** Refusals are not service errors and are logged at info. */
function levelOf(outcome: RenderOutcome, error?: AppError): "info" | "warn" | "error" {
  if (outcome === "postponed") return "warn";
  return outcome === "failed" && error !== undefined && error.status >= 500 ? "error" : "info";
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
