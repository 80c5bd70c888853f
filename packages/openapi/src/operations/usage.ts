import {
  createQuoteRequest,
  quote,
  usage,
  usageQuery,
  type Operations,
  type Quote,
  type Usage,
} from "@atelier/schemas";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonResponse } from "./responses.ts";

const tags = ["Usage"];

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

/** Errors of the quoted operations before a job exists, and of reading the body. */
const quoteErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
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
] as const;

/** `GET /v1/usage` and `POST /v1/quotes`. */
export function usageOperations(operations: Operations): ZodOpenApiPathsObject {
  return {
    "/v1/usage": {
      get: {
        operationId: "readUsage",
        "x-required-scope": ["read"],
        tags,
        summary: "Read the usage",
        description:
          "Jobs, images and cost by day, model, key or kind. A job counts on the day (UTC) on which it ended. The sums are those of the ledger. A request over many jobs counts as several against the rate limit: one for every 500 jobs. Needs the scope `read`.",
        requestParams: { query: usageQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": {
            description: "The usage.",
            headers: headerReferences(["X-Request-Id", "Content-Disposition", ...rateHeaders]),
            content: {
              "application/json": {
                schema: usage,
                examples: examples({ models: ["By model", byModel] }),
              },
              "text/csv": {
                schema: { type: "string" },
                examples: examples({
                  days: [
                    "By day",
                    'day,jobs,images,failed,cost_eur\r\n"2026-11-21",15,25,1,0.69\r\n',
                  ],
                }),
              },
            },
          },
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/quotes": {
      post: {
        operationId: "createQuote",
        "x-required-scope": ["generate"],
        tags,
        summary: "Quote a request",
        description:
          "The price of a request and the time that it would wait. Validates it as its operation does, but does not moderate it, and holds nothing. A large body counts as several requests against the rate limit: one for every 64 kB. Needs the scope `generate`.",
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: createQuoteRequest(operations),
              examples: examples({
                image: [
                  "An image",
                  {
                    operation: "image",
                    request: { model: "builtin-illustrator", prompt: "a lighthouse at dusk" },
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": jsonResponse(
            "The quote.",
            { schema: quote, examples: examples({ quote: ["An affordable image", quoted] }) },
            rateHeaders,
          ),
          ...errorResponses(quoteErrors, "keyed"),
        },
      },
    },
  };
}
