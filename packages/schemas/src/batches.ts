import * as z from "zod";
import { eur, nextCursor, pageQuery, timestamp } from "./fields.ts";
import { archiveQuery } from "./jobs.ts";
import { keyMode } from "./keys.ts";
import { namesOf, type Operations } from "./operations.ts";
import { requestWebhook } from "./request-fields.ts";
import { jobError } from "./responses.ts";
import { generationResponse } from "./results.ts";

/** Requests of one body. */
export const maxBatchRequests = 1_000;

/** Limits of a file of JSON lines. */
export const maxBatchLines = 50_000;
export const maxBatchFileBytes = 50_000_000;

/** The form of a line of a batch. What it requests is validated when it is accepted. */
export const batchRequest = z
  .strictObject({
    operation: z
      .string()
      .min(1)
      .max(100)
      .meta({
        description:
          "As in the path of `POST /v1/generate/{operation}`. A line with another one fails.",
        examples: ["image"],
      }),
    body: z.record(z.string(), z.unknown()).meta({
      description: "The body of that request. It is validated when the line is accepted.",
    }),
  })
  .meta({ id: "BatchRequest" });

/** Creates the schema of a line that can be accepted, for a record of operations. */
export function createAcceptableLine(record: Operations) {
  return batchRequest.extend({ operation: z.enum(namesOf(record)) });
}

const batchWebhookUrl = requestWebhook.webhook_url.meta({
  description:
    "Where the event `batch.completed` of this batch is sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.",
  examples: ["https://example.com/atelier?batch=A-1027"],
});

/** Query of `POST /v1/batches`. */
export const newBatchQuery = z.strictObject({
  webhook_url: batchWebhookUrl.meta({
    description: "As in a JSON body, for a file of JSON lines.",
  }),
});

/** Body of `POST /v1/batches`. */
export const newBatch = z
  .strictObject({
    requests: z.array(batchRequest).min(1).max(maxBatchRequests).meta({
      description: "The lines of the batch. They are accepted in this order.",
    }),
    priority: z.literal("low").default("low").meta({
      description: "Images of the batch are made after those of all other requests.",
    }),
    webhook_url: batchWebhookUrl,
  })
  .meta({ id: "NewBatch" });

export const batchStatus = z
  .enum(["processing", "cancelling", "completed", "failed", "cancelled"])
  .meta({
    id: "BatchStatus",
    description:
      "`completed`: every line has ended, each with its own status. `failed`: the batch was stopped, and lines that were not accepted failed with its `error`. `completed`, `failed` and `cancelled` are final.",
  });
export type BatchStatus = z.infer<typeof batchStatus>;

const counted = z.int().min(0);

export const batch = z
  .strictObject({
    id: z.uuid(),
    mode: keyMode,
    status: batchStatus,
    priority: z.literal("low"),
    created_at: timestamp,
    expires_at: timestamp.meta({
      description: "When lines that are not accepted by then fail.",
    }),
    completed_at: timestamp.nullable(),
    counts: z
      .strictObject({
        total: counted,
        waiting: counted.meta({ description: "Lines that are not accepted yet." }),
        processing: counted.meta({ description: "Lines whose job is unfinished." }),
        completed: counted,
        failed: counted.meta({ description: "Lines that were refused, or whose job failed." }),
        cancelled: counted,
      })
      .meta({ id: "BatchCounts", description: "The number of lines in each state." }),
    cost_eur: eur.meta({ description: "The amount charged for its completed jobs so far." }),
    waiting_for: jobError.nullable().meta({
      description:
        "Why the next line is not accepted yet, such as `insufficient_credit`. Null while lines are accepted.",
    }),
    error: jobError.nullable().meta({
      description: "Why the batch was stopped, such as `unauthorized` for a revoked key.",
    }),
  })
  .meta({ id: "Batch", description: "Many requests that are accepted in the background." });
export type BatchResponse = z.infer<typeof batch>;

/** Query of `GET /v1/batches`. */
export const listBatchesQuery = pageQuery("batches");

/** 200 of `GET /v1/batches`. */
export const batchList = z
  .strictObject({
    batches: z.array(batch).meta({ description: "Newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "BatchList" });
export type BatchList = z.infer<typeof batchList>;

/** Lines of one archive, so that each has an end in time and size. */
const maxArchivedLines = 500;

/** Query of `GET /v1/batches/{id}/archive`. */
export const batchArchiveQuery = archiveQuery.extend({
  after_line: z.coerce.number().int().min(0).max(maxBatchLines).default(0).meta({
    description: "The line before the first one of this archive.",
  }),
  limit: z.coerce.number().int().min(1).max(maxArchivedLines).default(maxArchivedLines).meta({
    description: "Maximum number of lines in the archive.",
  }),
});

/** Lower case, as stored. */
export const batchId = z.uuid().toLowerCase().meta({ description: "The id of a batch." });

/** A line of `GET /v1/batches/{id}/results`. */
export const batchResult = z
  .strictObject({
    line: z.int().positive().meta({ description: "Position of the request in the batch, from 1." }),
    status: z.enum(["completed", "failed", "cancelled", "archived"]).meta({
      description:
        "`archived`: the job of an ended batch was archived by the operator; the export of the account has its record.",
    }),
    job_id: z
      .uuid()
      .nullable()
      .meta({ description: "Null for a line that was not accepted, or whose job was archived." }),
    result: generationResponse.nullable().meta({ description: "Only when completed." }),
    error: jobError.nullable().meta({
      description:
        "Only when failed: the error of the job, or the one that refused the line. `job_not_found` when archived.",
    }),
  })
  .meta({ id: "BatchResult", description: "The outcome of a line of a batch." });
export type BatchResult = z.infer<typeof batchResult>;
