import { createMeter } from "./meter.ts";
import { remoteOutcomes, type RemoteOutcome } from "./remote-outcomes.ts";
import { createRefusalCounter } from "./refusal-counter.ts";
import { createServerMetrics, type ServerMetrics } from "./server-metrics.ts";
import { createRegistry, scrape, type Scraped } from "./scrape.ts";
import { createStarvedCounter } from "./starved-counter.ts";

/** The outcome of one attempt at a render. */
export type RenderOutcome =
  /** The images are recorded. */
  | "done"
  /** Returned to the queue for another attempt. */
  | "postponed"
  /** Failed permanently, together with its generation. */
  | "failed"
  /** Another worker had taken over the render, or its generation was already final. */
  | "stale";

/** The metrics of a worker. Labels are known lists of lanes, steps and codes, never ids. */
export interface WorkerMetrics extends Omit<ServerMetrics, "readServers"> {
  renderEnded(render: {
    readonly lane: string;
    readonly outcome: RenderOutcome;
    /** The error code of a failed step; null on success. */
    readonly code: string | null;
    readonly durationMs: number;
    readonly stepsMs: Readonly<Record<string, number>>;
    /** Total size of the stored files in all formats. */
    readonly storedBytes: number;
    readonly cpuMs: number;
    /** Peak memory of the worker during the render. */
    readonly peakBytes: number;
  }): void;
  providerCalled(lane: string, outcome: string): void;
  /** Records the cost of a provider call. An unknown cost is counted as unknown instead of 0. */
  callPriced(call: {
    readonly model: string;
    readonly basis: string;
    readonly microEur: bigint | null;
  }): void;
  /** Records the charge of a generation. */
  earned(model: string, chargedMicroEur: bigint): void;
  /** Records that moderation refused a render: its texts or an image. */
  renderRefused(category: string, certainty: "certain" | "uncertain"): void;
  /** Records an image whose files the C2PA library signed, because their layout was not the expected one. */
  signedByLibrary(): void;
  /** Records that this worker completed, failed or cancelled a generation. */
  generationEnded(status: "completed" | "failed" | "cancelled"): void;
  /** Records files deleted by the sweep. */
  swept(kind: SweptKind, count: number): void;
  /** Records files that the sweep could not delete; the next sweep retries them. */
  notSwept(kind: SweptKind, count: number): void;
  sweepEnded(ok: boolean): void;
  /** Records an attempt to deliver an event to a webhook. */
  webhookSent(result: "delivered" | "postponed" | "failed"): void;
  /** Records an operation on stored objects, with its duration including the wait for a slot. */
  storageUsed(
    operation: "put" | "get" | "copy" | "delete",
    isOk: boolean,
    durationMs: number,
  ): void;
  /** Records a request to the remote moderation model. */
  moderationRequested(outcome: RemoteOutcome, durationMs: number): void;
  /** Exports the state of remote moderation from now on. */
  watchModeration(read: () => ModerationState): void;
  /** Exports the state of the storage from now on. */
  watchStorage(read: () => StorageState): void;
  scrape(): Promise<Scraped>;
}

const sweptKinds = ["dossier", "image", "orphan", "staged", "upload"] as const;
type SweptKind = (typeof sweptKinds)[number];

/** State of a worker's connection to the remote moderation model. */
interface ModerationState {
  /** Whether the circuit is open: the model is not called. */
  readonly isOpen: boolean;
  /** Whether the operator has to correct a setting. */
  readonly isMisconfigured: boolean;
}

/** State of a worker's storage. */
interface StorageState {
  /** Whether the circuit is open: the storage is not called. */
  readonly isOpen: boolean;
  /** Concurrency limit. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

/** In seconds: from rule-based moderation to the slowest provider. */
const stepBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** In bytes: from an idle worker to more than the memory limit of the manifests. */
const memoryBuckets = [0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4].map((gigabytes) => gigabytes * 1e9);

/**
 * Creates the metrics of one worker process, with all counters at zero.
 *
 * @param facts.certificateExpiresAt expiry of the signing certificate; marking fails after it.
 * @param facts.lanes the lanes that it serves.
 * @param facts.refusalCategories the categories of moderation.
 */
export function createWorkerMetrics(facts: {
  readonly certificateExpiresAt: Date;
  readonly refusalCategories: readonly string[];
  readonly lanes: readonly string[];
}): WorkerMetrics {
  const registry = createRegistry();
  const meter = createMeter([registry]);
  createStarvedCounter(meter);
  meter
    .gauge(
      "atelier_signing_certificate_expires_timestamp_seconds",
      "When the signing certificate ends, in seconds since 1970.",
    )
    .set(Math.floor(facts.certificateExpiresAt.getTime() / 1_000));
  const renders = meter.counter(
    "atelier_renders_total",
    "Tries at a render that ended, by lane, outcome and error code.",
    { lane: [], outcome: [], code: [] },
  );
  const renderSeconds = meter.histogram(
    "atelier_render_duration_seconds",
    "From claim to end of a try at a render.",
    stepBuckets,
    { lane: [], outcome: [] },
  );
  const stepSeconds = meter.histogram(
    "atelier_render_step_duration_seconds",
    "Duration of one step of a render.",
    stepBuckets,
    { lane: [], step: [] },
  );
  const renderCpuSeconds = meter.histogram(
    "atelier_render_cpu_seconds",
    "CPU time of a try at a render, as far as it can be measured.",
    stepBuckets,
    { lane: [] },
  );
  const renderPeakBytes = meter.histogram(
    "atelier_render_peak_memory_bytes",
    "The most memory that the worker had during a try at a render.",
    memoryBuckets,
    { lane: [] },
  );
  const signingFallbacks = meter.counter(
    "atelier_signing_fallbacks_total",
    "Images that the C2PA library signed because their layout was not the expected one.",
  );
  const storedBytes = meter.counter(
    "atelier_stored_bytes_total",
    "Bytes of finished images that were stored, all formats together.",
  );
  const providerCalls = meter.counter(
    "atelier_provider_calls_total",
    "Calls to providers, by lane and what came of them.",
    { lane: facts.lanes, outcome: ["out-of-quota"] },
  );
  const pricedCalls = meter.counter(
    "atelier_priced_calls_total",
    "Calls to providers, by model and how their cost is known.",
    { model: [], basis: [] },
  );
  const vendorCost = meter.counter(
    "atelier_vendor_cost_eur_total",
    "Costs of calls to providers, by model, without those that are unknown.",
    { model: [] },
  );
  const revenue = meter.counter(
    "atelier_revenue_eur_total",
    "Charges of completed jobs, by model.",
    { model: [] },
  );
  const refusals = createRefusalCounter(meter, facts.refusalCategories);
  const generations = meter.counter(
    "atelier_jobs_ended_total",
    "Jobs that this process brought to their final state.",
    { status: ["completed", "failed", "cancelled"] },
  );
  const sweptFiles = meter.counter(
    "atelier_swept_files_total",
    "Files removed because their retention was over or nothing pointed to them.",
    { kind: sweptKinds },
  );
  const unsweptFiles = meter.counter(
    "atelier_unswept_files_total",
    "Files that a sweep could not remove, in each sweep that tried.",
    { kind: sweptKinds },
  );
  const sweeps = meter.counter(
    "atelier_sweeps_total",
    "Rounds of the retention sweep, by result.",
    { result: ["ok", "failed"] },
  );
  const deliveries = meter.counter(
    "atelier_webhook_attempts_total",
    "Attempts to deliver an event to a webhook, by result; failed was the last attempt.",
    { result: ["delivered", "postponed", "failed"] },
  );
  const storageSeconds = meter.histogram(
    "atelier_storage_operation_duration_seconds",
    "Duration of an operation on stored objects, with the wait for a slot.",
    stepBuckets,
    { operation: [], result: [] },
  );
  const moderationSeconds = meter.histogram(
    "atelier_moderation_request_duration_seconds",
    "Duration of a request to the remote moderation model.",
    stepBuckets,
    { outcome: remoteOutcomes },
  );
  let readModeration: () => ModerationState = () => ({ isOpen: false, isMisconfigured: false });
  const moderationCircuit = meter.gauge(
    "atelier_moderation_circuit_open",
    "1 while this worker does not call the remote moderation model because it failed too often.",
  );
  const moderationMisconfigured = meter.gauge(
    "atelier_moderation_misconfigured",
    "1 while the remote moderation model refuses the key, the address or a harmless text.",
  );
  function readModerationState(): void {
    const { isOpen, isMisconfigured } = readModeration();
    moderationCircuit.set(Number(isOpen));
    moderationMisconfigured.set(Number(isMisconfigured));
  }
  let readStorage: () => StorageState = () => ({ isOpen: false, limit: 0, running: 0, waiting: 0 });
  const storageCircuit = meter.gauge(
    "atelier_storage_circuit_open",
    "1 while this worker does not call the storage because it failed too often.",
  );
  const storageOperations = meter.gauge(
    "atelier_storage_operations",
    "Operations on stored objects that run, or wait for a slot, and the limit of those that run.",
    { state: [] },
  );
  function readStorageState(): void {
    const { isOpen, limit, running, waiting } = readStorage();
    storageCircuit.set(Number(isOpen));
    storageOperations.set({ state: "limit" }, limit);
    storageOperations.set({ state: "running" }, running);
    storageOperations.set({ state: "waiting" }, waiting);
  }
  const { readServers, ...servers } = createServerMetrics(meter);

  return {
    ...servers,
    renderEnded({
      lane,
      outcome,
      code,
      durationMs,
      stepsMs,
      storedBytes: bytes,
      cpuMs,
      peakBytes,
    }) {
      renders.inc({ lane, outcome, code: code ?? "none" });
      renderSeconds.observe({ lane, outcome }, durationMs / 1_000);
      for (const [step, ms] of Object.entries(stepsMs)) {
        stepSeconds.observe({ lane, step }, ms / 1_000);
      }
      storedBytes.inc(bytes);
      renderCpuSeconds.observe({ lane }, cpuMs / 1_000);
      renderPeakBytes.observe({ lane }, peakBytes);
    },
    providerCalled: (lane, outcome) => providerCalls.inc({ lane, outcome }),
    callPriced({ basis, microEur, model }) {
      const isKnown = basis !== "unknown" && microEur !== null;
      pricedCalls.inc({ model, basis: isKnown ? basis : "unknown" });
      if (isKnown) vendorCost.inc({ model }, Number(microEur) / 1e6);
      // So that a model with costs and no revenue has both.
      revenue.inc({ model }, 0);
    },
    earned: (model, microEur) => revenue.inc({ model }, Number(microEur) / 1e6),
    renderRefused: (category, certainty) => refusals.inc({ category, certainty }),
    generationEnded: (status) => generations.inc({ status }),
    swept: (kind, count) => sweptFiles.inc({ kind }, count),
    notSwept: (kind, count) => unsweptFiles.inc({ kind }, count),
    sweepEnded: (ok) => sweeps.inc({ result: ok ? "ok" : "failed" }),
    signedByLibrary: () => signingFallbacks.inc(),
    webhookSent: (result) => deliveries.inc({ result }),
    storageUsed(operation, isOk, durationMs) {
      const result = isOk ? "ok" : "failed";
      storageSeconds.observe({ operation, result }, durationMs / 1_000);
    },
    moderationRequested(outcome, durationMs) {
      moderationSeconds.observe({ outcome }, durationMs / 1_000);
    },
    watchModeration(read) {
      readModeration = read;
    },
    watchStorage(read) {
      readStorage = read;
    },
    scrape() {
      readStorageState();
      readModerationState();
      readServers();
      return scrape(registry);
    },
  };
}
