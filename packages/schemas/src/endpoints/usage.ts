import * as z from "zod";
import type { OperationError } from "../errors.ts";
import type { Operations } from "../operations.ts";
import { createQuoteRequest, quote, type Quote } from "../quotes.ts";
import { listTransactionsQuery, transactionList } from "../transactions.ts";
import { usage, usageQuery, type Usage } from "../usage.ts";
import { endpoint, json } from "./endpoint.ts";
import { jobId } from "./samples.ts";

const tag = "Usage";

const byModel: Usage = {
  from: "2026-11-01",
  to: "2026-11-30",
  rows: [
    { model: "gpt-image-2", jobs: 12, images: 11, failed: 1, cost_eur: "0.55" },
    { model: "builtin-illustrator", jobs: 3, images: 14, failed: 0, cost_eur: "0.14" },
  ],
  total: { jobs: 15, images: 25, failed: 1, cost_eur: "0.69" },
};

const quoted: Quote = {
  price_eur: "0.01",
  balance_eur: "9.99",
  affordable: true,
  price: {
    model: "builtin-illustrator",
    operation: "image",
    image_size: "1K",
    images: 1,
    eur_per_image: "0.01",
    steps: null,
    after: [],
  },
  renders: 1,
  estimated_wait_seconds: 4,
};

/** Errors of the quoted operations before a job exists. */
const quoteErrors = [
  "model_not_found",
  "model_not_capable",
  "unsupported_aspect_ratio",
  "unsupported_image_size",
  "references_not_supported",
  "reference_unreachable",
  "unknown_character",
  "unknown_state",
  "unknown_location",
  "duplicate_name",
  "diagram_invalid",
  "provider_unavailable",
] as const satisfies readonly OperationError[];

export const readUsage = endpoint({
  id: "readUsage",
  route: "GET /v1/usage",
  tag,
  summary: "Read the usage",
  description:
    "Jobs, images and cost by day, model, key, shared budget or kind. A job counts on the day (UTC) on which it ended. The sums are those of the ledger. A request over many jobs counts as several against the rate limit: one for every 500 jobs. Needs the scope `read`.",
  scope: ["read"],
  query: usageQuery,
  results: {
    200: {
      ...json("The usage.", usage, { models: ["By model", byModel] }, ["Content-Disposition"]),
      otherTypes: {
        "text/csv": {
          schema: z.string(),
          examples: {
            days: ["By day", 'day,jobs,images,failed,cost_eur\r\n"2026-11-21",15,25,1,0.69\r\n'],
          },
        },
      },
    },
  },
});

/** `POST /v1/quotes` for a record of operations. */
export function createQuoteEndpoint(operations: Operations) {
  return endpoint({
    id: "createQuote",
    route: "POST /v1/quotes",
    tag,
    summary: "Quote a request",
    description:
      "The price of a request and the time that it would wait. Validates it as its operation does, but does not moderate it, and holds nothing. A large body counts as several requests against the rate limit: one for every 64 kB. Needs the scope `generate`.",
    scope: ["generate"],
    body: {
      schema: createQuoteRequest(operations),
      examples: {
        image: [
          "An image",
          {
            operation: "image",
            request: { model: "builtin-illustrator", prompt: "a lighthouse at dusk" },
          },
        ],
      },
    },
    results: { 200: json("The quote.", quote, { quote: ["An affordable image", quoted] }) },
    errors: quoteErrors,
  });
}

export const listTransactions = endpoint({
  id: "listTransactions",
  route: "GET /v1/transactions",
  tag,
  summary: "List transactions",
  description:
    "The account's top-ups, charges, withdrawals and refunds, newest first. They add up to `balance_eur` and `held_eur`. Needs the scope `read`.",
  scope: ["read"],
  query: listTransactionsQuery,
  results: {
    200: json("A page of transactions.", transactionList, {
      page: [
        "The last page",
        {
          transactions: [
            {
              id: "019a9f3c-66a1-7b52-9c3e-8f1d2a4b6c70",
              kind: "charge",
              created_at: "2026-11-21T10:00:04.000Z",
              amount_eur: "-0.01",
              job_id: jobId,
              key_id: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41",
              reference: null,
            },
            {
              id: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f42",
              kind: "top_up",
              created_at: "2026-11-21T09:47:00.000Z",
              amount_eur: "10.00",
              job_id: null,
              key_id: null,
              reference: "invoice-17",
            },
          ],
          next_cursor: null,
        },
      ],
    }),
  },
});

/** `/v1/usage`, `/v1/quotes` and `/v1/transactions` for a record of operations. */
export function createUsageEndpoints(operations: Operations) {
  return [readUsage, createQuoteEndpoint(operations), listTransactions] as const;
}
