import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createApiMetrics } from "./api-metrics.ts";
import { createWorkerMetrics } from "./worker-metrics.ts";

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** From Prometheus itself, from its node_exporter, and from kube-state-metrics. */
const foreign = [
  "up",
  "node_filesystem_avail_bytes",
  "node_filesystem_size_bytes",
  "kube_job_status_failed",
  "kube_job_created",
  "kube_cronjob_status_last_successful_time",
  "kube_cronjob_created",
];

const read = (path: string) =>
  readFile(new URL(`../../../deploy/${path}`, import.meta.url), "utf8");

/** Every name under which the metrics of our processes can be asked for. */
async function knownNames(): Promise<ReadonlySet<string>> {
  const scraped = await Promise.all([
    createApiMetrics().scrape(null),
    createWorkerMetrics({ certificateExpiresAt: new Date(), lanes: ["builtin"] }).scrape(),
  ]);
  const types = scraped.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]);
  const names = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...names, ...foreign]);
}

/** The metrics that a query asks for: what is no label, function, word or number. */
function metricsIn(query: string): string[] {
  const bare = query
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, " ");
  const names = bare.match(/[a-zA-Z_:][\w:]*(?!\w|\s*\()/g) ?? [];
  return names.filter((name) => !["and", "or", "unless", "e6", "e9"].includes(name));
}

it("finds the metrics of a query", () => {
  expect(
    metricsIn('sum by (lane) (rate(a_total{x="b"}[5m])) / max(c) > 1e6 and on (lane) up'),
  ).toEqual(["a_total", "c", "up"]);
});

describe("every query names metrics that exist", async () => {
  const known = await knownNames();
  const rules = (parse(await read("prometheus/alerts.yml")) as Rules).groups.flatMap(
    (group) => group.rules,
  );
  const { panels } = JSON.parse(await read("grafana/dashboard.json")) as Dashboard;
  const queries = [
    ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [`panel ${title}`, expr] as const),
    ),
  ];

  it.each(queries)("%s: %s", (_name, query) => {
    const asked = metricsIn(query);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it("and every metric of our own is shown or watched", () => {
    const asked = new Set(queries.flatMap(([, query]) => metricsIn(query)));
    const shown = [...known]
      .filter((name) => name.startsWith("atelier_"))
      .filter((name) => !/_(?:sum|count)$/.test(name));
    expect(shown.filter((name) => !asked.has(name))).toEqual([]);
  });
});
