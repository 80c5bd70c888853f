import type { Claim, FinishResult, StoredImage } from "@atelier/generations";
import {
  addSpanFacts,
  currentTraceId,
  traceStep,
  type Logger,
  type RenderOutcome,
  type WorkerMetrics,
} from "@atelier/telemetry";
import type { AppError } from "@atelier/schemas";

/** How a try at a render ended, for those who look at it later. */
interface RenderEnd {
  readonly outcome: RenderOutcome;
  /** Why it was not done. */
  readonly error?: AppError;
  readonly images?: readonly StoredImage[];
  readonly finished?: FinishResult;
}

/** What is told of one try at a render: one line in the log, its metrics, and its spans. */
export interface RenderRecord {
  /** Does a step of the work, and adds its time under its name. */
  readonly step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** What came of the call to the provider. */
  readonly providerCalled: (outcome: string) => void;
  ended(end: RenderEnd): void;
}

const messages = {
  done: "render done",
  postponed: "render postponed",
  failed: "generation failed",
  stale: "render stale",
} as const satisfies Record<RenderOutcome, string>;

/** Begins the record of a claimed render. Ids, names and numbers: never what is drawn. */
export function recordRender(
  claim: Claim,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: WorkerMetrics },
): RenderRecord {
  const startedAt = performance.now();
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
      }
    },
    providerCalled: (outcome) => metrics.providerCalled(lane, outcome),
    ended({ outcome, error, images = [], finished }) {
      const code = error?.code ?? null;
      const durationMs = tenths(performance.now() - startedAt);
      const storedBytes = images.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      metrics.renderEnded({
        lane,
        outcome,
        code,
        durationMs,
        stepsMs: durationsMs,
        storedBytes,
      });
      if (finished?.kind === "completed") metrics.generationEnded("completed");
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
          storedBytes,
          chargedMicroEur: finished?.kind === "completed" ? Number(finished.chargedMicroEur) : 0,
          ...(error === undefined ? {} : { err: error.cause ?? error }),
        },
        messages[outcome],
      );
    },
  };
}

/** What is refused is no fault of the service. */
function levelOf(outcome: RenderOutcome, error?: AppError): "info" | "warn" | "error" {
  if (outcome === "postponed") return "warn";
  return outcome === "failed" && error !== undefined && error.status >= 500 ? "error" : "info";
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
