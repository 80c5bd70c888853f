import * as z from "zod";
import { eur, isUsualTime, usualTime } from "./fields.ts";
import { jobKind } from "./jobs.ts";
import { keyMode } from "./keys.ts";

/** Maximum number of days in one request for usage. */
export const maxUsageDays = 366;

const usageGroup = z.enum(["day", "model", "key", "budget", "kind"]);
export type UsageGroup = z.infer<typeof usageGroup>;

const day = z.iso.date().refine(isUsualTime, usualTime);

/** Query of `GET /v1/usage`. */
export const usageQuery = z.strictObject({
  from: day.optional().meta({
    description: "The first day (UTC). Default: 29 days before `to`.",
    examples: ["2026-11-01"],
  }),
  to: day.optional().meta({
    description: `The last day (UTC), included. Default: today. At most ${maxUsageDays} days in total.`,
    examples: ["2026-11-30"],
  }),
  group_by: usageGroup.default("day").meta({ description: "What each row stands for." }),
  mode: keyMode.optional().meta({ description: "Only jobs of this mode. Default: the key's." }),
  format: z.enum(["json", "csv"]).default("json").meta({
    description: "`csv`: the rows without the total (RFC 4180).",
  }),
});
export type UsageQuery = z.infer<typeof usageQuery>;

const usageSums = {
  jobs: z.int().meta({ description: "Jobs that ended: completed, failed or cancelled." }),
  images: z.int().meta({ description: "Images of the completed jobs." }),
  failed: z.int().meta({ description: "Jobs that failed." }),
  cost_eur: eur.meta({ description: "The amount charged, refunded or not." }),
  refunded_eur: eur.optional().meta({
    description: "Refunds that were booked on these days. Omitted when no refund was booked.",
  }),
};

const usageRow = z
  .strictObject({
    day: z.iso.date().optional().meta({ description: "The day (UTC) on which the jobs ended." }),
    model: z.string().optional().meta({ description: "The model that was requested." }),
    key: z.uuid().nullable().optional().meta({
      description: "The id of the key; null for jobs from before keys were recorded.",
    }),
    budget: z.uuid().nullable().optional().meta({
      description: "The id of the shared budget; null for jobs without one.",
    }),
    kind: jobKind.optional(),
    ...usageSums,
    key_name: z.string().nullable().optional().meta({
      description: "The name of the key, in rows by key; null when `key` is null.",
    }),
    budget_name: z.string().nullable().optional().meta({
      description:
        "The name of the budget, in rows by budget; null without one, and once it is deleted.",
    }),
  })
  .meta({ id: "UsageRow", description: "The property that rows are grouped by, and its sums." });
export type UsageRow = z.infer<typeof usageRow>;

/** 200 of `GET /v1/usage`. */
export const usage = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    rows: z.array(usageRow).meta({
      description: "In the order of days, or by cost, highest first. Without empty rows.",
    }),
    total: z.strictObject(usageSums),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usage>;
