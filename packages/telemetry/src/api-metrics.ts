import { errorStatus, jobKind, type ServiceTotals } from "@atelier/schemas";
import { Counter, Gauge, Histogram } from "prom-client";
import { createRefusalCounter } from "./refusal-counter.ts";
import { createRegistry, scrape, type Scraped } from "./scrape.ts";
import { createStarvedCounter } from "./starved-counter.ts";

/** The metrics of an API process. Labels are route templates and known error codes, never ids. */
export interface ApiMetrics {
  requestEnded(request: {
    readonly method: string;
    /** Template of the route, or a placeholder for requests that match no route. */
    readonly route: string;
    /** Null when no response was sent. */
    readonly status: number | null;
    /** Null for event streams, which last as long as clients like. */
    readonly durationMs: number | null;
    /** The error code of the response; null without an error. */
    readonly code: string | null;
  }): void;
  jobAccepted(kind: "image" | "story"): void;
  jobCancelled(): void;
  /** Records that moderation refused a request before it became a job. */
  requestRefused(category: string, certainty: "certain" | "uncertain"): void;
  /** Records the number of open event streams. */
  eventStreamsOpen(count: number): void;
  /** Records the result of a health check of the queue or the storage. */
  partChecked(part: "queue" | "storage", isUp: boolean): void;
  /**
   * All metrics of this process, and the given totals. Null totals mean that they could not be
   * read, which is exported as a metric as well.
   */
  scrape(totals: ServiceTotals | null): Promise<Scraped>;
}

/** In seconds, from reads (milliseconds) to requests that wait for an image (minutes). */
const requestBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

/**
 * Creates the metrics of one API process, all at zero.
 *
 * @param facts.refusalCategories the categories of moderation.
 */
export function createApiMetrics(facts: {
  readonly refusalCategories: readonly string[];
}): ApiMetrics {
  const registry = createRegistry();
  const registers = [registry];
  createStarvedCounter(registers);
  const requests = new Counter({
    name: "atelier_http_requests_total",
    help: "Requests by route template and status; the status is `none` when the client disconnected before the response.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "atelier_http_request_duration_seconds",
    help: "Duration of requests, waiting for images included.",
    labelNames: ["method", "route"],
    buckets: requestBuckets,
    registers,
  });
  const errors = new Counter({
    name: "atelier_errors_total",
    help: "Answers that were errors, by their code.",
    labelNames: ["code"],
    registers,
  });
  const accepted = new Counter({
    name: "atelier_jobs_accepted_total",
    help: "Jobs that this process accepted, by kind.",
    labelNames: ["kind"],
    registers,
  });
  const ended = new Counter({
    name: "atelier_jobs_ended_total",
    help: "Jobs that this process brought to their final state.",
    labelNames: ["status"],
    registers,
  });
  const refusals = createRefusalCounter(registers, facts.refusalCategories);
  const streams = new Gauge({
    name: "atelier_event_streams",
    help: "Open event streams of this process.",
    registers,
  });
  const partUp = new Gauge({
    name: "atelier_part_up",
    help: "1 while the queue or the storage answers this process.",
    labelNames: ["part"],
    registers,
  });
  for (const part of ["queue", "storage"]) partUp.set({ part }, 1);
  for (const code of Object.keys(errorStatus)) errors.inc({ code }, 0);
  for (const kind of jobKind.options) accepted.inc({ kind }, 0);
  ended.inc({ status: "cancelled" }, 0);
  const totals = createTotals(registers);

  return {
    requestEnded({ method, route, status, durationMs, code }) {
      requests.inc({ method, route, status: status ?? "none" });
      if (durationMs !== null) seconds.observe({ method, route }, durationMs / 1_000);
      if (code !== null) errors.inc({ code });
    },
    jobAccepted: (kind) => accepted.inc({ kind }),
    jobCancelled: () => ended.inc({ status: "cancelled" }),
    requestRefused: (category, certainty) => refusals.inc({ category, certainty }),
    eventStreamsOpen: (count) => streams.set(count),
    partChecked: (part, isUp) => partUp.set({ part }, isUp ? 1 : 0),
    scrape(read) {
      totals.set(read);
      return scrape(registry);
    },
  };
}

/** Identical in every API process, because they are read from the database instead of counted. */
function createTotals(registers: ConstructorParameters<typeof Gauge>[0]["registers"] & object) {
  const databaseUp = new Gauge({
    name: "atelier_database_up",
    help: "1 when the database responded to this scrape, or to one a few seconds ago.",
    registers,
  });
  const jobs = new Gauge({
    name: "atelier_jobs_unfinished",
    help: "Jobs that are not final, by status.",
    labelNames: ["status"],
    registers,
  });
  const oldestJob = new Gauge({
    name: "atelier_oldest_job_age_seconds",
    help: "Since the oldest job that is not final was accepted, by status; 0 without any.",
    labelNames: ["status"],
    registers,
  });
  const depth = new Gauge({
    name: "atelier_queue_depth",
    help: "Renders that are ready and wait for a worker, by lane.",
    labelNames: ["lane"],
    registers,
  });
  const running = new Gauge({
    name: "atelier_renders_running",
    help: "Renders that a worker has claimed, by lane.",
    labelNames: ["lane"],
    registers,
  });
  const oldestRender = new Gauge({
    name: "atelier_queue_oldest_age_seconds",
    help: "Since the render that waits longest became ready, by lane; 0 without any.",
    labelNames: ["lane"],
    registers,
  });
  const circuit = new Gauge({
    name: "atelier_lane_circuit_open",
    help: "1 while a lane is paused because its provider failed repeatedly.",
    labelNames: ["lane"],
    registers,
  });
  const overdue = new Gauge({
    name: "atelier_jobs_overdue",
    help: "Jobs that should have been final for a minute, and are not. Never above 0.",
    registers,
  });
  const deliveries = new Gauge({
    name: "atelier_webhook_deliveries_pending",
    help: "Events that were not delivered to a webhook yet, without disabled webhooks.",
    registers,
  });
  const mismatch = new Gauge({
    name: "atelier_held_mismatch_micro_eur",
    help: "What is held beyond the holds of all jobs that are not final. Never other than 0.",
    registers,
  });
  const held = new Gauge({
    name: "atelier_held_micro_eur",
    help: "Money set aside for jobs that are not final, in millionths of a euro.",
    registers,
  });
  const charged = new Counter({
    name: "atelier_charged_micro_eur_total",
    help: "Money charged since the beginning, by the ledger, in millionths of a euro.",
    registers,
  });
  const labelled = [jobs, oldestJob, depth, running, oldestRender, circuit];
  const single = [overdue, deliveries, mismatch, held, charged];

  return {
    set(read: ServiceTotals | null): void {
      // Unknown values are omitted instead of exported as stale or zero.
      for (const metric of [...labelled, ...single]) metric.reset();
      databaseUp.set(read === null ? 0 : 1);
      if (read === null) {
        for (const metric of single) metric.remove();
        return;
      }
      for (const { status, count, oldestSeconds } of read.jobs) {
        jobs.set({ status }, count);
        oldestJob.set({ status }, oldestSeconds);
      }
      for (const { lane, waiting, running: claimed, oldestSeconds } of read.lanes) {
        depth.set({ lane }, waiting);
        running.set({ lane }, claimed);
        oldestRender.set({ lane }, oldestSeconds);
        circuit.set({ lane }, read.openCircuits.includes(lane) ? 1 : 0);
      }
      overdue.set(read.overdueJobs);
      deliveries.set(read.pendingDeliveries);
      mismatch.set(Number(read.heldMismatchMicroEur));
      held.set(Number(read.heldMicroEur));
      charged.inc(Number(read.chargedMicroEur));
    },
  };
}
