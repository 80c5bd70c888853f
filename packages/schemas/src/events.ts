import * as z from "zod";
import { keyMode } from "./keys.ts";

/** Query of `GET /v1/events`. */
export const eventsQuery = z.strictObject({
  mode: keyMode.optional().meta({
    description:
      "Only events of jobs and batches of this mode; those of the account are live. Default: the mode of the key.",
  }),
});
export type EventsQuery = z.infer<typeof eventsQuery>;

/** Types of events, in the order in which one change of state records them. */
export const eventTypes = [
  "job.updated",
  "job.image_completed",
  "job.completed",
  "job.failed",
  "job.cancelled",
  "account.balance_low",
  "batch.completed",
  "budget.low",
] as const;

export const eventType = z.enum(eventTypes).meta({
  id: "EventType",
  description:
    "`job.updated`: the job was accepted or started. `job.image_completed`: one of its images is done. `job.completed`, `job.failed`, `job.cancelled`: the job is final. `account.balance_low`: the balance fell below the account's `low_balance_eur`. `batch.completed`: every line of a batch has ended. `budget.low`: the jobs of a shared budget reached 80 % of it, once in each of its periods.",
});
export type EventType = z.infer<typeof eventType>;

/** Types of events of jobs. */
export const jobEventType = eventType.exclude([
  "account.balance_low",
  "batch.completed",
  "budget.low",
]);
export type JobEventType = z.infer<typeof jobEventType>;
