import type { UsageGroup } from "@atelier/schemas";
import { toCsv } from "@atelier/schemas/csv";
import type { NamedRow } from "./usage-query.ts";

/** The rows of the table as they are shown, with amounts as the service sends them, as CSV. */
export function writeCsv(rows: readonly NamedRow[], group: UsageGroup): string {
  const isNamed = group === "key" || group === "budget";
  const shown = rows.filter(({ jobs }) => jobs > 0);
  return toCsv(
    [group, ...(isNamed ? [`${group}_name`] : []), "jobs", "failed", "images", "cost_eur"],
    shown.map(({ id, name, jobs, failed, images, cost_eur }) => [
      id,
      ...(isNamed ? [name] : []),
      jobs,
      failed,
      images,
      cost_eur,
    ]),
  );
}
