import * as z from "zod";
import { isUsualTime, usualTime } from "./fields.ts";

/** The group that a line of the report of costs stands for. */
export const costGroups = ["model", "day", "account", "provider"] as const;
export type CostGroup = (typeof costGroups)[number];

const day = z.iso.date().refine(isUsualTime, usualTime);

/** Query of the report of costs at the admin port. */
export const costsQuery = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  group_by: z.enum(costGroups).default("model"),
});
