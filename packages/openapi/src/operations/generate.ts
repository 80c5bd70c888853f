import {
  jobAccepted,
  namesOf,
  results,
  type OperationDefinition,
  type OperationError,
  type Operations,
} from "@atelier/schemas";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors, reservedResponses } from "../error-responses.ts";
import { jobHeaders, rateHeaders, retirementHeaders, type HeaderName } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { jobCallbacks } from "../webhook-events.ts";
import type { Samples } from "@atelier/schemas/endpoints";
import { examples, jsonResponse } from "./responses.ts";

const successHeaders = [...jobHeaders, ...rateHeaders, ...retirementHeaders];
const acceptedHeaders: readonly HeaderName[] = [...successHeaders, "Location", "Retry-After"];

/** Errors of all generation requests before the job exists. */
const acceptErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
  "insufficient_credit",
  "keep_quota_exceeded",
  "key_budget_exhausted",
  "model_not_found",
  "model_not_capable",
  "idempotency_in_progress",
  "unsupported_aspect_ratio",
  "unsupported_image_size",
  "references_not_supported",
  "reference_unreachable",
  "idempotency_key_reused",
  "too_many_jobs",
  "too_many_webhooks",
  "webhook_secret_missing",
  "content_policy_violation",
  "content_illegal",
  "provider_unavailable",
] as const satisfies readonly OperationError[];

/** Further errors of requests that wait for their image. */
const renderErrors = [
  "job_cancelled",
  "file_not_found",
  "reference_invalid",
  "provider_error",
  "provider_refused",
] as const satisfies readonly OperationError[];

/** Errors of requests for one image. */
export const imageErrors: readonly OperationError[] = [...acceptErrors, ...renderErrors];

/** `POST /v1/generate/…`. */
export function generateOperations(
  samples: Samples,
  operations: Operations,
): ZodOpenApiPathsObject {
  return Object.fromEntries(
    namesOf(operations).map((name) => [
      `/v1/generate/${name}`,
      { post: describeOperation(operations[name], samples) },
    ]),
  );
}

function describeOperation(
  operation: OperationDefinition,
  samples: Samples,
): ZodOpenApiOperationObject {
  const { request, kind, errors = [] } = operation;
  const image = jsonResponse(
    "The image is done.",
    {
      schema: results[formOf(operation)],
      examples: examples({ image: ["An image", samples[formOf(operation)]] }),
    },
    successHeaders,
  );
  const accepted = jsonResponse(
    "The generation is accepted and unfinished: poll the job.",
    { schema: jobAccepted, examples: examples({ accepted: ["Accepted", samples.accepted] }) },
    acceptedHeaders,
  );
  return {
    operationId: operation.method,
    tags: ["Generate"],
    summary: operation.summary,
    description: operation.description,
    "x-required-scope": ["generate"],
    parameters: parameterReferences([
      "RequestId",
      "IdempotencyKey",
      ...(kind === "story" ? [] : (["Prefer"] as const)),
    ]),
    requestBody: {
      required: true,
      content: { "application/json": { schema: request, examples: examples(operation.examples) } },
    },
    callbacks: jobCallbacks,
    responses:
      kind === "story"
        ? {
            "202": accepted,
            ...errorResponses([...acceptErrors, ...errors], "generation"),
            ...reservedResponses([502]),
          }
        : {
            "200": image,
            "202": accepted,
            ...errorResponses([...imageErrors, ...errors], "generation"),
          },
  };
}

/** The form of a result: a combination always has that of several images, a diagram and a traced image an SVG. */
function formOf({ task }: OperationDefinition): keyof typeof results {
  return task === "combine" || task === "diagram" || task === "vectorize" ? task : "image";
}
