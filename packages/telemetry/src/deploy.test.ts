import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createApiMetrics } from "./api-metrics.ts";
import { createWorkerMetrics } from "./worker-metrics.ts";

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

interface RuleTests {
  readonly tests: readonly {
    readonly name: string;
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Metrics of Prometheus itself, and its node_exporter. */
const externalMetrics = ["up", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"];

const read = (path: string) =>
  readFile(new URL(`../../../deploy/${path}`, import.meta.url), "utf8");

/** The names of all metrics that our processes export. */
async function knownNames(): Promise<ReadonlySet<string>> {
  const scraped = await Promise.all([
    createApiMetrics({ refusalCategories: [] }).scrape(null),
    createWorkerMetrics({
      certificateExpiresAt: new Date(),
      refusalCategories: [],
      lanes: ["builtin"],
    }).scrape(),
  ]);
  const types = scraped.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]);
  const names = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...names, ...externalMetrics]);
}

/** The metrics in a query: identifiers that are not labels, functions, keywords or numbers. */
function metricsIn(query: string): string[] {
  const bare = query
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, " ");
  const names = bare.match(/[a-zA-Z_:][\w:]*(?!\w|\s*\()/g) ?? [];
  return names.filter((name) => !["and", "or", "unless", "e6", "e9"].includes(name));
}

it("extracts the metrics of a query", () => {
  expect(
    metricsIn('sum by (lane) (rate(a_total{x="b"}[5m])) / max(c) > 1e6 and on (lane) up'),
  ).toEqual(["a_total", "c", "up"]);
});

describe("every query uses existing metrics", async () => {
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
    const metricNames = metricsIn(query);
    expect(metricNames.length).toBeGreaterThan(0);
    expect(metricNames.filter((name) => !known.has(name))).toEqual([]);
  });

  it("and every metric of ours appears in a dashboard or an alert", () => {
    const usedMetrics = new Set(queries.flatMap(([, query]) => metricsIn(query)));
    const shown = [...known]
      .filter((name) => name.startsWith("atelier_"))
      .filter((name) => !/_(?:sum|count)$/.test(name));
    expect(shown.filter((name) => !usedMetrics.has(name))).toEqual([]);
  });
});

describe("every alert", async () => {
  const { groups } = parse(await read("prometheus/alerts.yml")) as Rules;
  const { tests } = parse(await read("prometheus/alerts.test.yml")) as RuleTests;
  const runbook = await readFile(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
  const cases = tests.flatMap(({ name, alert_rule_test: steps }) =>
    steps.map((step) => ({ name, ...step })),
  );

  it.each(groups.flatMap(({ rules }) => rules))(
    "$alert has an entry in the run book, and tests that it fires and that it stays quiet",
    ({ alert, annotations }) => {
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(runbook).toContain(`\n## ${alert}\n\n**Meaning.** `);
      const own = cases.filter(({ alertname }) => alertname === alert);
      const fires = own.filter(({ exp_alerts: expected }) => expected.length > 0);
      expect(fires.map(({ name }) => name)).toContain(`${alert} fires`);
      expect(own.map(({ name }) => name)).toContain(`${alert} stays quiet`);
    },
  );

  it("and nothing else has an entry in the run book", () => {
    const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  });
});
