import * as z from "zod";
import { batch } from "./batches.ts";
import { sharedBudgetPeriod } from "./endpoints/budgets.ts";
import { eur, timestamp } from "./fields.ts";
import type { EventType } from "./events.ts";
import { jobError, jobFields, renderState } from "./responses.ts";
import { generationResponse, reference, scene } from "./results.ts";

const eventReference = reference.omit({ name: true }).meta({ id: "EventReference" });

/** The result of a job in a delivery: no titles of scenes, no names of characters and locations. */
const eventResult = generationResponse
  .extend({
    title: z.string().optional().meta({ description: "Only a title that the request gave." }),
    scenes: z
      .array(scene.omit({ title: true }).meta({ id: "EventScene" }))
      .optional()
      .meta({ description: "Stories only." }),
    characters: z
      .array(eventReference)
      .optional()
      .meta({ description: "Stories only, in the order of the request." }),
    locations: z
      .array(eventReference)
      .optional()
      .meta({ description: "Stories only, in the order of the request." }),
  })
  .meta({ id: "EventResult" });

const eventJob = z
  .strictObject({
    ...jobFields,
    renders: z.array(renderState.extend({ name: z.null() }).meta({ id: "EventRender" })).optional(),
    result: eventResult.nullable().meta({ description: "Only when completed." }),
    error: jobError.nullable().meta({
      description: "Only when failed: the code, without the message and details of the job.",
    }),
  })
  .meta({
    id: "EventJob",
    description: "A job as of the delivery, without text of its request.",
  });

const balanceLow = z
  .strictObject({ balance_eur: eur, low_balance_eur: eur })
  .meta({ id: "BalanceLow" });

const budgetLow = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    eur,
    period: sharedBudgetPeriod,
    spent_eur: eur,
    resets_at: timestamp.nullable(),
  })
  .meta({ id: "BudgetLow" });

/** The data of each type of event. */
const eventData = {
  "job.updated": eventJob,
  "job.image_completed": eventJob,
  "job.completed": eventJob,
  "job.failed": eventJob,
  "job.cancelled": eventJob,
  "account.balance_low": balanceLow,
  "batch.completed": batch,
  "budget.low": budgetLow,
} as const satisfies Readonly<Record<EventType, z.ZodType>>;

/** The bodies of deliveries to webhooks, by type. */
export const webhookPayloads = Object.fromEntries(
  Object.entries({ ...eventData, "webhook.test": z.strictObject({}) }).map(([type, data]) => [
    type,
    z
      .strictObject({
        type: z.literal(type),
        timestamp: timestamp.meta({ description: "When the event was recorded." }),
        data,
      })
      .meta({ id: nameOf(type) }),
  ]),
);

/** The name of the schema of an event, such as `JobCompletedEvent`. */
function nameOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}
