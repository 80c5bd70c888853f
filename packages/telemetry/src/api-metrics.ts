import { errorStatus, jobKind, type ServiceTotals } from "@atelier/schemas";
import { Counter, Gauge, Histogram } from "prom-client";
import { createRegistry, scrape, type Scraped } from "./scrape.ts";

/** What an API process counts. Routes are templates, codes a known list: never an id. */
export interface ApiMetrics {
  requestEnded(request: {
    readonly method: string;
    /** Template of the route, or what stands for all that have none. */
    readonly route: string;
    /** Null when there was no answer. */
    readonly status: number | null;
    readonly durationMs: number;
    /** The error code of the answer; null without an error. */
    readonly code: string | null;
  }): void;
  jobAccepted(kind: "image" | "story"): void;
  jobCancelled(): void;
  /**
   * Everything that this process counted, and the totals as they were read; null where they could
   * not be, which is a metric as well.
   */
  scrape(totals: ServiceTotals | null): Promise<Scraped>;
}

/** Seconds: a read takes milliseconds, and an image may be waited for up to minutes. */
const requestBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

/** The metrics of one API process, all of them at zero. */
export function createApiMetrics(): ApiMetrics {
  const registry = createRegistry();
  const registers = [registry];
  const requests = new Counter({
    name: "atelier_http_requests_total",
    help: "Requests that were answered, or whose client went away, by route template and status; none without an answer.",
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
  for (const code of Object.keys(errorStatus)) errors.inc({ code }, 0);
  for (const kind of jobKind.options) accepted.inc({ kind }, 0);
  ended.inc({ status: "cancelled" }, 0);
  const totals = createTotals(registers);

  return {
    requestEnded({ method, route, status, durationMs, code }) {
      requests.inc({ method, route, status: status ?? "none" });
      seconds.observe({ method, route }, durationMs / 1_000);
      if (code !== null) errors.inc({ code });
    },
    jobAccepted: (kind) => accepted.inc({ kind }),
    jobCancelled: () => ended.inc({ status: "cancelled" }),
    scrape(read) {
      totals.set(read);
      return scrape(registry);
    },
  };
}

/** The same in every API process: they are read from the database, not counted. */
function createTotals(registers: ConstructorParameters<typeof Gauge>[0]["registers"] & object) {
  const answered = new Gauge({
    name: "atelier_database_up",
    help: "1 when the database answered this scrape, or one a few seconds ago.",
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
    help: "1 while a lane's provider is left alone because it failed too often.",
    labelNames: ["lane"],
    registers,
  });
  const overdue = new Gauge({
    name: "atelier_jobs_overdue",
    help: "Jobs that should have been final for a minute, and are not. Never above 0.",
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
  const single = [overdue, mismatch, held, charged];

  return {
    set(read: ServiceTotals | null): void {
      // What is not known is left out, rather than repeated or shown as zero.
      for (const metric of [...labelled, ...single]) metric.reset();
      answered.set(read === null ? 0 : 1);
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
      mismatch.set(Number(read.heldMismatchMicroEur));
      held.set(Number(read.heldMicroEur));
      charged.inc(Number(read.chargedMicroEur));
    },
  };
}
