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
  type OperationError,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { jobId, type Samples } from "@atelier/schemas/endpoints";
import { batchCallbacks } from "../webhook-events.ts";
import { examples, jsonResponse } from "./responses.ts";

const tags = ["Batches"];

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

const batchErrors = [
  ...keyedErrors,
  "batch_not_found",
] as const satisfies readonly OperationError[];

/** `/v1/batches` and what is below it. */
export function batchOperations(samples: Samples): ZodOpenApiPathsObject {
  const path = z.strictObject({ id: batchId.meta({ examples: [sample.id] }) });
  const results: readonly BatchResult[] = [
    { line: 1, status: "completed", job_id: jobId, result: samples.image, error: null },
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
  return {
    "/v1/batches": {
      post: {
        operationId: "createBatch",
        tags,
        summary: "Create a batch",
        description:
          "Stores up to 1,000 requests in one body of at most 1 MB, or a file of JSON lines with up to 50,000 requests and 50 MB, sent as the body with `Content-Type: application/jsonl`. The first line of a file that is not a request refuses it, and `details` has its number `line`. Each MB of a file counts as a request against the rate limit. The requests are accepted in the background, in their order, within the limits of the account; their images are made after those of all other requests. Each becomes a job of its own, which is charged by itself, and which `GET /v1/jobs?request_id=<id of the batch>` lists. A request that would be refused is a failed line, and the others go on. Lines wait while the balance or the budget of the key is too low. An account may have 10 unfinished batches.",
        requestParams: { query: newBatchQuery },
        parameters: parameterReferences(["RequestId", "BatchIdempotencyKey"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: newBatch,
              examples: examples({
                two: [
                  "Two images",
                  {
                    requests: ["a lighthouse at dusk", "a lighthouse at dawn"].map((prompt) => ({
                      operation: "image",
                      body: { model: "builtin-illustrator", prompt },
                    })),
                  },
                ],
              }),
            },
          },
        },
        callbacks: batchCallbacks,
        responses: {
          "202": jsonResponse(
            "The batch, of which no line is accepted yet.",
            {
              schema: batch,
              examples: examples({
                accepted: [
                  "An accepted batch",
                  {
                    ...sample,
                    counts: { ...sample.counts, waiting: 3, processing: 0, completed: 0 },
                    cost_eur: "0.00",
                  },
                ],
              }),
            },
            [...rateHeaders, "Idempotent-Replayed", "Location"],
          ),
          ...errorResponses(
            [
              ...keyedErrors,
              "idempotency_key_reused",
              "overloaded",
              "request_too_large",
              "too_many_jobs",
              "too_many_webhooks",
              "unsupported_media_type",
              "webhook_secret_missing",
            ],
            "keyed",
          ),
        },
      },
      get: {
        operationId: "listBatches",
        tags,
        summary: "List batches",
        description:
          "The account's batches, newest first. Pages do not shift when batches are added.",
        requestParams: { query: listBatchesQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "A page of batches.",
            {
              schema: batchList,
              examples: examples({
                last: ["The last page", { batches: [sample], next_cursor: null }],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/batches/{id}": {
      get: {
        operationId: "readBatch",
        tags,
        summary: "Read a batch",
        description:
          "Poll until `status` is `completed`, `failed` or `cancelled`, or receive the event `batch.completed`.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The batch.",
            {
              schema: batch,
              examples: examples({
                processing: ["An unfinished batch", sample],
                waiting: ["A batch that waits for credit", waiting],
                completed: ["A completed batch with a failed line", ended],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(batchErrors, "keyed"),
        },
      },
      delete: {
        operationId: "cancelBatch",
        tags,
        summary: "Cancel a batch",
        description:
          "Accepts no further line, and cancels the jobs of earlier ones. Images that are being made are completed and charged; the batch is `cancelling` until then. A final batch is returned as it is.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The batch, which had ended before.",
            { schema: batch, examples: examples({ completed: ["A completed batch", ended] }) },
            rateHeaders,
          ),
          "202": jsonResponse(
            "The batch, which is cancelled in the background.",
            { schema: batch, examples: examples({ cancelling: ["Cancelling", cancelling] }) },
            rateHeaders,
          ),
          ...errorResponses(batchErrors, "keyed"),
        },
      },
    },
    "/v1/batches/{id}/results": {
      get: {
        operationId: "readBatchResults",
        tags,
        summary: "Read the results of a batch",
        description:
          "The lines that have ended, in their order, as JSON lines. Each has its position `line`, a `status`, and the `result` of its job with new signed URLs or the `error`. Lines that have not ended are left out. Each 100 lines count as a request against the rate limit.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": {
            description: "The results, streamed.",
            headers: headerReferences(["X-Request-Id", "Content-Disposition", ...rateHeaders]),
            content: {
              "application/x-ndjson": {
                schema: { type: "string" },
                examples: examples({
                  lines: [
                    "A completed and a refused line",
                    results.map((line) => `${JSON.stringify(line)}\n`).join(""),
                  ],
                }),
              },
            },
          },
          ...errorResponses(batchErrors, "keyed"),
        },
      },
    },
    "/v1/batches/{id}/archive": {
      get: {
        operationId: "downloadBatchArchive",
        tags,
        summary: "Download images of a batch",
        description:
          "A ZIP of the images of up to 500 lines whose jobs are completed, in one format. Each line has a folder with its position: `00001/image-1.png`. Request the next ones with `after_line`. Each 100 lines count as a request against the rate limit.",
        requestParams: { path, query: batchArchiveQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": {
            description: "The archive.",
            headers: headerReferences(["X-Request-Id", "Content-Disposition", ...rateHeaders]),
            content: { "application/zip": {} },
          },
          ...errorResponses([...batchErrors, "file_not_found", "overloaded"], "keyed"),
        },
      },
    },
  };
}
