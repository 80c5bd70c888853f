import type { Usage, UsageGroup, UsageRow } from "@atelier/schemas";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { formatDate } from "../../format.ts";
import { texts } from "../../texts/usage.ts";
import { daysOf, type Period } from "./period.ts";

/** Groupings of the rows. */
export const groups = [
  "day",
  "model",
  "key",
  "budget",
  "kind",
] as const satisfies readonly UsageGroup[];

/** Values that the bars can show. */
export const measures = ["cost", "images", "jobs"] as const;
export type Measure = (typeof measures)[number];

/** A row with the name that people know. */
export interface NamedRow extends UsageRow {
  readonly id: string;
  readonly name: string;
}

/** Usage in a period. Needs the scope `read`. */
export function usageQuery({ from, to }: Period, group: UsageGroup) {
  return queryOptions({
    queryKey: ["usage", from, to, group],
    queryFn: ({ signal }) =>
      call("GET /v1/usage", { query: { from, to, group_by: group }, signal }),
  });
}

const nothing = { jobs: 0, images: 0, failed: 0, cost_eur: "0.00" };

/**
 * The rows of a response with their names; of days, also those without usage.
 *
 * @param names names of keys or models by id.
 */
export function nameRows(
  { from, to, rows }: Usage,
  group: UsageGroup,
  names: ReadonlyMap<string, string>,
): readonly NamedRow[] {
  if (group !== "day") {
    return rows.map((row) => {
      const id = row[group] ?? "";
      return { ...row, id, name: row.budget_name ?? nameOf(id, group, names) };
    });
  }
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return daysOf({ from, to }).map((day) => ({
    ...(byDay.get(day) ?? { ...nothing, day }),
    id: day,
    name: formatDate(day),
  }));
}

function nameOf(id: string, group: UsageGroup, names: ReadonlyMap<string, string>): string {
  if (group === "kind") return texts.usage.kinds[id as keyof typeof texts.usage.kinds] ?? id;
  if (group === "budget" && id === "") return texts.usage.noBudget;
  if (group !== "key") return names.get(id) ?? id;
  if (id === "") return texts.usage.unknownKey;
  return names.get(id) ?? texts.usage.keyWithId(id.slice(-8));
}

/** The value of a bar. */
export function measureOf(row: UsageRow, measure: Measure): number {
  return measure === "cost" ? Number(row.cost_eur) : row[measure];
}
