import type { UsageQuery } from "@atelier/client";
import { table, type Answer } from "../../answer.ts";
import type { Caller } from "../call.ts";

/** Shows jobs, images and cost in a range of days. */
export async function usage({ atelier, follow }: Caller, query: UsageQuery): Promise<Answer> {
  const report = await atelier.usage(query, { signal: follow.signal });
  const group = query.group_by ?? "day";
  const headings = [group.toUpperCase(), "JOBS", "IMAGES", "FAILED", "EUR"];
  const numbers = ({ jobs, images, failed }: (typeof report)["total"]) =>
    [jobs, images, failed].map(String);
  const nameOf = (row: (typeof report)["rows"][number]) =>
    [row.key_name, row[group]].filter((part) => part != null).join(" ") || "unknown";
  const rows = report.rows.map((row) => [nameOf(row), ...numbers(row), row.cost_eur]);
  const total = ["total", ...numbers(report.total), report.total.cost_eur];
  return {
    json: report,
    text: table(headings, [...rows, total]),
    note: `${report.from} to ${report.to} (UTC).`,
  };
}
