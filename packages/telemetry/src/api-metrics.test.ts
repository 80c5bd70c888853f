import { expect, it } from "vitest";
import type { ServiceTotals } from "@atelier/schemas";
import { createApiMetrics } from "./api-metrics.ts";

const totals: ServiceTotals = {
  jobs: [
    { status: "pending", count: 2, oldestSeconds: 12.5 },
    { status: "processing", count: 1, oldestSeconds: 3 },
  ],
  lanes: [{ lane: "builtin", waiting: 2, running: 1, oldestSeconds: 9 }],
  openCircuits: ["builtin"],
  lastAuditSeconds: 1_790_000_000,
  lastBackupSeconds: 1_790_000_100,
  auditViolations: 2,
  heldMicroEur: 120_000n,
  chargedMicroEur: 9_007_199_254n,
  heldMismatchMicroEur: -1n,
  overdueJobs: 3,
  pendingDeliveries: 4,
};

async function samples(
  read: ServiceTotals | null,
  metrics = createApiMetrics({ refusalCategories: [] }),
) {
  const { text } = await metrics.scrape(read);
  return text.split("\n").filter((line) => line.startsWith("atelier_"));
}

it("counts requests by route template and status, and errors by code", async () => {
  const metrics = createApiMetrics({ refusalCategories: [] });
  const request = { method: "GET", route: "/v1/jobs/:id", durationMs: 20, code: null };
  metrics.requestEnded({ ...request, status: 200 });
  metrics.requestEnded({ ...request, status: 200 });
  metrics.requestEnded({ ...request, status: 404, code: "job_not_found" });
  const lines = await samples(null, metrics);
  const labels = 'method="GET",route="/v1/jobs/:id"';
  expect(lines).toContain(`atelier_http_requests_total{${labels},status="200"} 2`);
  expect(lines).toContain(`atelier_http_requests_total{${labels},status="404"} 1`);
  expect(lines).toContain('atelier_errors_total{code="job_not_found"} 1');
  expect(lines).toContain(`atelier_http_request_duration_seconds_count{${labels}} 3`);
  expect(lines).toContain(`atelier_http_request_duration_seconds_bucket{le="0.01",${labels}} 0`);
  expect(lines).toContain(`atelier_http_request_duration_seconds_bucket{le="0.025",${labels}} 3`);
});

it("exports the current totals at each scrape", async () => {
  const metrics = createApiMetrics({ refusalCategories: [] });
  await samples({ ...totals, lanes: [{ ...totals.lanes[0]!, lane: "gone" }] }, metrics);
  const lines = await samples(totals, metrics);
  expect(lines).toEqual(
    expect.arrayContaining([
      "atelier_database_up 1",
      'atelier_jobs_unfinished{status="pending"} 2',
      'atelier_oldest_job_age_seconds{status="pending"} 12.5',
      'atelier_queue_depth{lane="builtin"} 2',
      'atelier_renders_running{lane="builtin"} 1',
      "atelier_webhook_deliveries_pending 4",
      'atelier_queue_oldest_age_seconds{lane="builtin"} 9',
      'atelier_lane_circuit_open{lane="builtin"} 1',
      "atelier_jobs_overdue 3",
      "atelier_held_mismatch_micro_eur -1",
      "atelier_held_micro_eur 120000",
      "atelier_charged_micro_eur_total 9007199254",
    ]),
  );
  expect(lines.filter((line) => line.includes("gone"))).toEqual([]);
});

it("exports only the metrics of the process itself while the database is down", async () => {
  const metrics = createApiMetrics({ refusalCategories: [] });
  await samples(totals, metrics);
  const lines = await samples(null, metrics);
  expect(lines.filter((line) => !/_total{.*} 0$/.test(line))).toEqual([
    "atelier_event_streams 0",
    'atelier_part_up{part="queue"} 1',
    'atelier_part_up{part="storage"} 1',
    "atelier_database_up 0",
  ]);
});
