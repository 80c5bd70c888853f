import { Counter, Gauge, Histogram } from "prom-client";
import { createRegistry, scrape, type Scraped } from "./scrape.ts";

/** How one try at a render ended. */
export type RenderOutcome =
  /** Its images are recorded. */
  | "done"
  /** Given back to the queue: it is tried again. */
  | "postponed"
  /** For good, and its generation with it. */
  | "failed"
  /** Another worker had taken it over, or its generation was final. */
  | "stale";

/** What a worker counts. Lanes, models' lanes, steps and codes are known lists: never an id. */
export interface WorkerMetrics {
  renderEnded(render: {
    readonly lane: string;
    readonly outcome: RenderOutcome;
    /** The error code of what was not done; null for what was. */
    readonly code: string | null;
    readonly durationMs: number;
    readonly stepsMs: Readonly<Record<string, number>>;
    /** Of the files stored, all formats together. */
    readonly storedBytes: number;
  }): void;
  providerCalled(lane: string, outcome: string): void;
  /** A generation became final by this worker's doing. */
  generationEnded(status: "completed" | "failed" | "cancelled"): void;
  /** Files that the sweep removed. */
  swept(kind: "image" | "orphan" | "staged", count: number): void;
  sweepEnded(ok: boolean): void;
  scrape(): Promise<Scraped>;
}

/** Seconds: from a moderation by rules to the slowest provider. */
const stepBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * The metrics of one worker process, all that is counted at zero.
 *
 * @param facts.certificateExpiresAt when the signing certificate ends: nothing can be marked after it.
 * @param facts.lanes that it serves.
 */
export function createWorkerMetrics(facts: {
  readonly certificateExpiresAt: Date;
  readonly lanes: readonly string[];
}): WorkerMetrics {
  const registry = createRegistry();
  const registers = [registry];
  new Gauge({
    name: "atelier_signing_certificate_expires_timestamp_seconds",
    help: "When the signing certificate ends, in seconds since 1970.",
    registers,
  }).set(Math.floor(facts.certificateExpiresAt.getTime() / 1_000));
  const renders = new Counter({
    name: "atelier_renders_total",
    help: "Tries at a render that ended, by lane, outcome and error code.",
    labelNames: ["lane", "outcome", "code"],
    registers,
  });
  const renderSeconds = new Histogram({
    name: "atelier_render_duration_seconds",
    help: "From claim to end of a try at a render.",
    labelNames: ["lane", "outcome"],
    buckets: stepBuckets,
    registers,
  });
  const stepSeconds = new Histogram({
    name: "atelier_render_step_duration_seconds",
    help: "Duration of one step of a render.",
    labelNames: ["lane", "step"],
    buckets: stepBuckets,
    registers,
  });
  const storedBytes = new Counter({
    name: "atelier_stored_bytes_total",
    help: "Bytes of finished images that were stored, all formats together.",
    registers,
  });
  const providerCalls = new Counter({
    name: "atelier_provider_calls_total",
    help: "Calls to providers, by lane and what came of them.",
    labelNames: ["lane", "outcome"],
    registers,
  });
  const generations = new Counter({
    name: "atelier_jobs_ended_total",
    help: "Jobs that this process brought to their final state.",
    labelNames: ["status"],
    registers,
  });
  const sweptFiles = new Counter({
    name: "atelier_swept_files_total",
    help: "Files removed because their retention was over or nothing pointed to them.",
    labelNames: ["kind"],
    registers,
  });
  const sweeps = new Counter({
    name: "atelier_sweeps_total",
    help: "Rounds of the retention sweep, by result.",
    labelNames: ["result"],
    registers,
  });
  for (const status of ["completed", "failed", "cancelled"]) generations.inc({ status }, 0);
  // The first one is told of at once: a series that begins with it shows no increase.
  for (const lane of facts.lanes) providerCalls.inc({ lane, outcome: "out-of-quota" }, 0);
  for (const kind of ["image", "orphan", "staged"]) sweptFiles.inc({ kind }, 0);
  for (const result of ["ok", "failed"]) sweeps.inc({ result }, 0);

  return {
    renderEnded({ lane, outcome, code, durationMs, stepsMs, storedBytes: bytes }) {
      renders.inc({ lane, outcome, code: code ?? "none" });
      renderSeconds.observe({ lane, outcome }, durationMs / 1_000);
      for (const [step, ms] of Object.entries(stepsMs)) {
        stepSeconds.observe({ lane, step }, ms / 1_000);
      }
      storedBytes.inc(bytes);
    },
    providerCalled: (lane, outcome) => providerCalls.inc({ lane, outcome }),
    generationEnded: (status) => generations.inc({ status }),
    swept: (kind, count) => sweptFiles.inc({ kind }, count),
    sweepEnded: (ok) => sweeps.inc({ result: ok ? "ok" : "failed" }),
    scrape: () => scrape(registry),
  };
}
