import { errorStatus, jobKind, type ServiceTotals } from "@atelier/schemas";
import { createMeter, type Meter } from "./meter.ts";
import { createRefusalCounter } from "./refusal-counter.ts";
import { remoteOutcomes, type RemoteOutcome } from "./remote-outcomes.ts";
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
  /** Records a request to the assistant's server. */
  assistantRequested(outcome: RemoteOutcome): void;
  /** Records the tokens that the assistant's server counted for one request. */
  assistantTokens(kind: "input" | "output", count: number): void;
  /** Records the result of one call of the assistant for a client. */
  assistantAnswered(result: AssistantResult): void;
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

/**
 * - `used`: the client received the first answer, `repaired` the second one.
 * - `declined`: the assistant refused.
 * - `unusable`: both answers had a wrong form.
 * - `withheld`: moderation refused what the assistant wrote.
 */
const assistantResults = ["used", "repaired", "declined", "unusable", "withheld"] as const;
export type AssistantResult = (typeof assistantResults)[number];

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
  const meter = createMeter([registry]);
  createStarvedCounter(meter);
  const requests = meter.counter(
    "atelier_http_requests_total",
    "Requests by route template and status; the status is `none` when the client disconnected before the response.",
    { method: [], route: [], status: [] },
  );
  const seconds = meter.histogram(
    "atelier_http_request_duration_seconds",
    "Duration of requests, waiting for images included.",
    requestBuckets,
    { method: [], route: [] },
  );
  const errors = meter.counter("atelier_errors_total", "Answers that were errors, by their code.", {
    code: Object.keys(errorStatus),
  });
  const accepted = meter.counter(
    "atelier_jobs_accepted_total",
    "Jobs that this process accepted, by kind.",
    { kind: jobKind.options },
  );
  const ended = meter.counter(
    "atelier_jobs_ended_total",
    "Jobs that this process brought to their final state.",
    { status: ["cancelled"] },
  );
  const refusals = createRefusalCounter(meter, facts.refusalCategories);
  const assistantRequests = meter.counter(
    "atelier_assistant_requests_total",
    "Requests to the assistant's server, by their outcome.",
    { outcome: remoteOutcomes },
  );
  const assistantTokens = meter.counter(
    "atelier_assistant_tokens_total",
    "Tokens that the assistant's server counted.",
    { kind: ["input", "output"] },
  );
  const assistantAnswers = meter.counter(
    "atelier_assistant_answers_total",
    "Calls of the assistant for a client, by their result.",
    { result: assistantResults },
  );
  const streams = meter.gauge("atelier_event_streams", "Open event streams of this process.");
  const partUp = meter.gauge(
    "atelier_part_up",
    "1 while the queue or the storage answers this process.",
    { part: [] },
  );
  for (const part of ["queue", "storage"]) partUp.set({ part }, 1);
  const totals = createTotals(meter);

  return {
    requestEnded({ method, route, status, durationMs, code }) {
      requests.inc({ method, route, status: status ?? "none" });
      if (durationMs !== null) seconds.observe({ method, route }, durationMs / 1_000);
      if (code !== null) errors.inc({ code });
    },
    jobAccepted: (kind) => accepted.inc({ kind }),
    jobCancelled: () => ended.inc({ status: "cancelled" }),
    requestRefused: (category, certainty) => refusals.inc({ category, certainty }),
    assistantRequested: (outcome) => assistantRequests.inc({ outcome }),
    assistantTokens: (kind, count) => assistantTokens.inc({ kind }, count),
    assistantAnswered: (result) => assistantAnswers.inc({ result }),
    eventStreamsOpen: (count) => streams.set(count),
    partChecked: (part, isUp) => partUp.set({ part }, isUp ? 1 : 0),
    scrape(read) {
      totals.set(read);
      return scrape(registry);
    },
  };
}

/** Identical in every API process, because they are read from the database instead of counted. */
function createTotals(meter: Meter) {
  const databaseUp = meter.gauge(
    "atelier_database_up",
    "1 when the database responded to this scrape, or to one a few seconds ago.",
  );
  const jobs = meter.gauge("atelier_jobs_unfinished", "Jobs that are not final, by status.", {
    status: [],
  });
  const oldestJob = meter.gauge(
    "atelier_oldest_job_age_seconds",
    "Since the oldest job that is not final was accepted, or begun if it is of a batch, by status; 0 without any.",
    { status: [] },
  );
  const depth = meter.gauge(
    "atelier_queue_depth",
    "Renders that are ready and wait for a worker, by lane.",
    { lane: [] },
  );
  const running = meter.gauge(
    "atelier_renders_running",
    "Renders that a worker has claimed, by lane.",
    { lane: [] },
  );
  const oldestRender = meter.gauge(
    "atelier_queue_oldest_age_seconds",
    "Since the render that waits longest became ready, by lane; 0 without any.",
    { lane: [] },
  );
  const circuit = meter.gauge(
    "atelier_lane_circuit_open",
    "1 while a lane is paused because its provider failed repeatedly.",
    { lane: [] },
  );
  const overdue = meter.gauge(
    "atelier_jobs_overdue",
    "Jobs that should have been final for a minute, and are not. Never above 0.",
  );
  const deliveries = meter.gauge(
    "atelier_webhook_deliveries_pending",
    "Events that were not delivered to a webhook yet, without disabled webhooks.",
  );
  const mismatch = meter.gauge(
    "atelier_held_mismatch_micro_eur",
    "What is held beyond the holds of all jobs that are not final. Never other than 0.",
  );
  const held = meter.gauge(
    "atelier_held_micro_eur",
    "Money set aside for jobs that are not final, in millionths of a euro.",
  );
  const charged = meter.counter(
    "atelier_charged_micro_eur_total",
    "Money charged since the beginning, by the ledger, in millionths of a euro.",
  );
  const lastAudit = meter.gauge(
    "atelier_audit_last_success_timestamp_seconds",
    "Time of the last audit without a violation; before the first, that of the installation.",
  );
  const auditViolations = meter.gauge(
    "atelier_audit_violations",
    "Violated invariants that the last audit found. Never above 0.",
  );
  const lastBackup = meter.gauge(
    "atelier_backup_last_success_timestamp_seconds",
    "Time of the last complete backup; before the first, that of the installation.",
  );
  const labelled = [jobs, oldestJob, depth, running, oldestRender, circuit];
  const single = [
    overdue,
    deliveries,
    mismatch,
    held,
    charged,
    lastAudit,
    auditViolations,
    lastBackup,
  ];

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
      lastAudit.set(read.lastAuditSeconds);
      auditViolations.set(read.auditViolations);
      lastBackup.set(read.lastBackupSeconds);
      held.set(Number(read.heldMicroEur));
      charged.inc(Number(read.chargedMicroEur));
    },
  };
}
