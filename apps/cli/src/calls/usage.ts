import type { TransactionQuery, UsageQuery } from "@atelier/client";
import { table, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";

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

/** Lists top-ups, charges, withdrawals and refunds, newest first. */
export async function transactions(
  { atelier, follow }: Caller,
  query: TransactionQuery,
): Promise<Answer> {
  const page = await atelier.transactions.list(query, { signal: follow.signal });
  const headings = ["BOOKED", "KIND", "EUR", "FOR"];
  const rows = page.transactions.map(({ created_at, kind, amount_eur, job_id, reference }) => [
    created_at,
    kind,
    amount_eur,
    job_id ?? reference ?? "",
  ]);
  return {
    json: page,
    text: table(headings, rows),
    ...(page.next_cursor !== null && { note: `More transactions: --cursor ${page.next_cursor}` }),
  };
}
