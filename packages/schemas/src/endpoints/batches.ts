import * as z from "zod";
import {
  batch,
  batchArchiveQuery,
  batchId,
  batchList,
  listBatchesQuery,
  newBatch,
  newBatchQuery,
  type BatchResponse,
  type BatchResult,
} from "../batches.ts";
import { endpoint, json } from "./endpoint.ts";
import { createSamples, exampleUrl, jobId } from "./samples.ts";

const tag = "Batches";

const sample: BatchResponse = {
  id: "019a9f41-3c5e-7b20-a1d4-9e8f7c6b5a40",
  mode: "live",
  status: "processing",
  priority: "low",
  created_at: "2026-11-21T10:00:00.000Z",
  expires_at: "2026-11-22T10:00:00.000Z",
  completed_at: null,
  counts: { total: 3, waiting: 1, processing: 1, completed: 1, failed: 0, cancelled: 0 },
  cost_eur: "0.01",
  waiting_for: null,
  error: null,
};

const ended: BatchResponse = {
  ...sample,
  status: "completed",
  completed_at: "2026-11-21T10:00:20.000Z",
  counts: { total: 3, waiting: 0, processing: 0, completed: 2, failed: 1, cancelled: 0 },
  cost_eur: "0.02",
};

const waiting: BatchResponse = {
  ...sample,
  waiting_for: {
    error: "insufficient_credit",
    message: "This request costs 0.01 EUR, and the balance is 0.00 EUR. Top up the account.",
    details: { required_eur: "0.01", balance_eur: "0.00" },
  },
};

const cancelling: BatchResponse = {
  ...sample,
  status: "cancelling",
  counts: { total: 3, waiting: 0, processing: 1, completed: 1, failed: 0, cancelled: 1 },
};

const results: readonly BatchResult[] = [
  {
    line: 1,
    status: "completed",
    job_id: jobId,
    result: createSamples(exampleUrl).image,
    error: null,
  },
  {
    line: 2,
    status: "failed",
    job_id: null,
    result: null,
    error: {
      error: "model_not_found",
      message: 'There is no model "builtin-ilustrator".',
      details: null,
    },
  },
];

const params = { id: batchId.meta({ examples: [sample.id] }) };

export const createBatch = endpoint({
  id: "createBatch",
  route: "POST /v1/batches",
  tag,
  summary: "Create a batch",
  description:
    "Stores up to 1,000 requests in one body of at most 1 MB, or a file of JSON lines with up to 50,000 requests and 50 MB, sent as the body with `Content-Type: application/jsonl`. The first line of a file that is not a request refuses it, and `details` has its number `line`. Each MB of a file counts as a request against the rate limit. The requests are accepted in the background, in their order, within the limits of the account; their images are made after those of all other requests. Each becomes a job of its own, which is charged by itself, and which `GET /v1/jobs?request_id=<id of the batch>` lists. A request that would be refused is a failed line, and the others go on. Lines wait while the balance or the budget of the key is too low. An account may have 10 unfinished batches.",
  limit: "generate",
  scope: ["generate"],
  headers: ["BatchIdempotencyKey"],
  query: newBatchQuery,
  callbacks: "batch",
  body: {
    schema: newBatch,
    examples: {
      two: [
        "Two images",
        {
          requests: ["a lighthouse at dusk", "a lighthouse at dawn"].map((prompt) => ({
            operation: "image",
            body: { model: "builtin-illustrator", prompt },
          })),
        },
      ],
    },
  },
  results: {
    202: json(
      "The batch, of which no line is accepted yet.",
      batch,
      {
        accepted: [
          "An accepted batch",
          {
            ...sample,
            counts: { ...sample.counts, waiting: 3, processing: 0, completed: 0 },
            cost_eur: "0.00",
          },
        ],
      },
      ["Idempotent-Replayed", "Location"],
    ),
  },
  errors: [
    "idempotency_key_reused",
    "overloaded",
    "too_many_jobs",
    "too_many_webhooks",
    "webhook_secret_missing",
  ],
});

export const listBatches = endpoint({
  id: "listBatches",
  route: "GET /v1/batches",
  tag,
  summary: "List batches",
  description: "The account's batches, newest first. Pages do not shift when batches are added.",
  limit: "polled",
  scope: [],
  query: listBatchesQuery,
  results: {
    200: json("A page of batches.", batchList, {
      last: ["The last page", { batches: [sample], next_cursor: null }],
    }),
  },
});

export const readBatch = endpoint({
  id: "readBatch",
  route: "GET /v1/batches/{id}",
  tag,
  summary: "Read a batch",
  description:
    "Poll until `status` is `completed`, `failed` or `cancelled`, or receive the event `batch.completed`.",
  limit: "polled",
  scope: [],
  params,
  results: {
    200: json("The batch.", batch, {
      processing: ["An unfinished batch", sample],
      waiting: ["A batch that waits for credit", waiting],
      completed: ["A completed batch with a failed line", ended],
    }),
  },
  errors: ["batch_not_found"],
});

export const cancelBatch = endpoint({
  id: "cancelBatch",
  route: "DELETE /v1/batches/{id}",
  tag,
  summary: "Cancel a batch",
  description:
    "Accepts no further line, and cancels the jobs of earlier ones. Images that are being made are completed and charged; the batch is `cancelling` until then. A final batch is returned as it is.",
  scope: ["generate"],
  changes: "batch",
  params,
  results: {
    200: json("The batch, which had ended before.", batch, {
      completed: ["A completed batch", ended],
    }),
    202: json("The batch, which is cancelled in the background.", batch, {
      cancelling: ["Cancelling", cancelling],
    }),
  },
  errors: ["batch_not_found"],
});

export const readBatchResults = endpoint({
  id: "readBatchResults",
  route: "GET /v1/batches/{id}/results",
  tag,
  summary: "Read the results of a batch",
  description:
    "The lines that have ended, in their order, as JSON lines. Each has its position `line`, a `status`, and the `result` of its job with new signed URLs or the `error`. Lines that have not ended are left out. Each 100 lines count as a request against the rate limit.",
  scope: [],
  params,
  results: {
    200: {
      description: "The results, streamed.",
      headers: ["Content-Disposition"],
      content: {
        "application/x-ndjson": {
          schema: z.string(),
          examples: {
            lines: [
              "A completed and a refused line",
              results.map((line) => `${JSON.stringify(line)}\n`).join(""),
            ],
          },
        },
      },
    },
  },
  errors: ["batch_not_found"],
});

export const downloadBatchArchive = endpoint({
  id: "downloadBatchArchive",
  route: "GET /v1/batches/{id}/archive",
  tag,
  summary: "Download images of a batch",
  description:
    "A ZIP of the images of up to 500 lines whose jobs are completed, in one format. Each line has a folder with its position: `00001/image-1.png`. Request the next ones with `after_line`. Each 100 lines count as a request against the rate limit.",
  scope: [],
  params,
  query: batchArchiveQuery,
  results: {
    200: {
      description: "The archive.",
      headers: ["Content-Disposition"],
      content: { "application/zip": {} },
    },
  },
  errors: ["batch_not_found", "file_not_found", "overloaded"],
});

/** `/v1/batches` and what is below it. */
export const batchEndpoints = [
  createBatch,
  listBatches,
  readBatch,
  cancelBatch,
  readBatchResults,
  downloadBatchArchive,
] as const;
