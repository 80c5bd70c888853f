import type { Database } from "@atelier/database";
import { reportCosts } from "@atelier/generations/jobs";
import type { CostGroup } from "@atelier/schemas";
import { table, type Answer } from "./answer.ts";

/** Reports revenue, the costs of providers and the margin over some days; 30 up to today by default. */
export async function costs(
  database: Database,
  options: { readonly groupBy: CostGroup; readonly from?: string; readonly to?: string },
): Promise<Answer> {
  const report = await reportCosts(database, options);
  const headings = [
    options.groupBy.toUpperCase(),
    "CALLS",
    "IMAGES",
    "REVENUE",
    "COST",
    "MARGIN",
    "UNKNOWN",
    "PAID REFUSALS",
    "LOSSES",
  ];
  const rows = [...report.groups, report.total].map((sums) => [
    sums.group,
    String(sums.calls),
    String(sums.images),
    sums.revenue_eur,
    sums.known_cost_eur,
    sums.margin_eur ?? `at most ${sums.margin_at_most_eur}`,
    String(sums.unknown_costs),
    `${sums.paid_refusals} (${sums.refusals_eur})`,
    `${sums.losses} (${sums.losses_eur})`,
  ]);
  return {
    json: report,
    text: `From ${report.from} to ${report.to}, in EUR\n\n${table(headings, rows)}`,
    ...(report.total.unknown_costs > 0 && {
      note: `The cost of ${report.total.unknown_costs} calls is unknown and not in the sums. See docs/providers.md, "Costs".`,
    }),
  };
}
