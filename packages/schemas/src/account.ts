import * as z from "zod";
import { batch } from "./batches.ts";
import { keptCharacter, keptLocation } from "./cast.ts";
import { budget } from "./endpoints/budgets.ts";
import { collection } from "./endpoints/collections.ts";
import { jobEventType } from "./events.ts";
import { eurAmount, timestamp } from "./fields.ts";
import { apiKey } from "./keys.ts";
import { strictness } from "./request-fields.ts";
import { account, job } from "./responses.ts";
import { studioLanguage } from "./texts/studio-language.ts";
import { upload } from "./uploads.ts";
import { webhook } from "./webhooks.ts";

/** Body of `PATCH /v1/account`: omitted properties stay unchanged. */
export const updateAccountRequest = z
  .strictObject({
    strictness: strictness.optional().meta({
      description: "The level of moderation of requests that do not set one.",
    }),
    retention_hours: z.int().min(1).max(1_000_000).nullable().optional().meta({
      description:
        "Retention of the images of a final job in hours, at most `max_retention_hours`. Null selects the maximum. Also applies to existing images: a shorter one deletes those that are older.",
    }),
    low_balance_eur: eurAmount.nullable().optional().meta({
      description:
        "Send the event `account.balance_low` when `balance_eur` falls below this amount. Null disables the event.",
    }),
    language: studioLanguage.nullable().optional().meta({
      description: "The language of Studio for this account. Null selects that of the browser.",
    }),
    keep_starred: z.boolean().optional().meta({
      description:
        "Whether starring a job also keeps its images, as `POST /v1/jobs/{id}/keep` does. Those that have a star already are not changed, and neither does removing a star change what is kept.",
    }),
    makers_read_all: z.boolean().optional().meta({
      description:
        "Whether members with the role `maker` read all jobs, usage and transactions of the account, not only their own jobs. They still change only their own.",
    }),
  })
  .meta({ id: "UpdateAccountRequest" });
export type UpdateAccountRequest = z.infer<typeof updateAccountRequest>;

const signedEur = z.string().regex(/^-?\d+\.\d{2,6}$/);

/** Lines of `GET /v1/account/export`, without those of plain resources. */
export const accountLines = [
  z.strictObject({ type: z.literal("account"), account }),
  z.strictObject({ type: z.literal("key"), key: apiKey }),
  z.strictObject({ type: z.literal("budget"), budget }),
  z.strictObject({ type: z.literal("webhook"), webhook }),
  z.strictObject({ type: z.literal("upload"), upload }),
  z.strictObject({ type: z.literal("character"), character: keptCharacter }),
  z.strictObject({ type: z.literal("location"), location: keptLocation }),
  z.strictObject({
    type: z.literal("batch"),
    batch,
    webhook_url: z
      .string()
      .optional()
      .meta({ description: "Where its event is sent, as its request says." }),
  }),
  z.strictObject({
    type: z.literal("collection"),
    collection: collection.extend({ jobs: z.array(z.uuid()) }).meta({ id: "ExportedCollection" }),
  }),
  z.strictObject({
    type: z.literal("job"),
    job,
    webhook: z
      .strictObject({ url: z.string(), events: z.array(jobEventType) })
      .optional()
      .meta({ description: "Where its events are sent, as its request says. Kept for ten days." }),
  }),
  z.strictObject({
    type: z.literal("archived_job"),
    job: z
      .strictObject({
        id: z.uuid(),
        operation: z.string(),
        status: z.string(),
        model: z.string(),
        title: z.string().nullable(),
        request: z.record(z.string(), z.unknown()),
        metadata: z.record(z.string(), z.unknown()),
        charged_eur: signedEur,
        created_at: timestamp,
        completed_at: timestamp,
      })
      .meta({ description: "A job that the operator moved to the archive, without its images." }),
  }),
  z.strictObject({
    type: z.literal("operator_action"),
    action: z
      .strictObject({
        created_at: timestamp,
        action: z.string().meta({ description: "The command of the operator." }),
        fields: z.array(z.string()).meta({ description: "What it changes." }),
        values: z.record(z.string(), z.string()).nullable(),
      })
      .meta({ description: "A line of the operator log about the account." }),
  }),
  z.strictObject({
    type: z.literal("transfer"),
    transfer: z.strictObject({
      id: z.uuid(),
      kind: z.enum(["top_up", "withdrawal", "hold", "settle", "release", "refund"]),
      created_at: timestamp,
      available_eur: signedEur.meta({ description: "Change of `balance_eur`." }),
      held_eur: signedEur.meta({ description: "Change of `held_eur`." }),
      charged_eur: signedEur,
      job_id: z.uuid().nullable(),
      reference: z.string().nullable(),
    }),
  }),
  z.strictObject({
    type: z.literal("end"),
    lines: z.int().meta({ description: "The number of lines before this one." }),
  }),
] as const;
