import type * as z from "zod";
import type { OperationError } from "../errors.ts";
import { namesOf, type Operation, type Operations } from "../operations.ts";
import type { OperationDefinition } from "../operations/definition.ts";
import { jobAccepted } from "../responses.ts";
import { results } from "../results.ts";
import { endpoint, json } from "./endpoint.ts";
import { createSamples, exampleUrl } from "./samples.ts";

const samples = createSamples(exampleUrl);

const resultHeaders = ["X-Service-Job-Id", "Idempotent-Replayed", "Deprecation", "Sunset"];

/** Errors of all generation requests before the job exists. */
const acceptErrors = [
  "insufficient_credit",
  "keep_quota_exceeded",
  "key_budget_exhausted",
  "budget_exhausted",
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

/** Errors of requests that wait for their image, besides those of every operation with a key and a body. */
export const imageErrors = [
  ...acceptErrors,
  "job_cancelled",
  "file_not_found",
  "reference_invalid",
  "provider_error",
  "provider_refused",
] as const satisfies readonly OperationError[];

/** Creates `POST /v1/generate/{name}` of each operation of a record. */
export function createGenerateEndpoints(operations: Operations) {
  return namesOf(operations).map((name) => createGenerateEndpoint(name, operations[name]));
}

/** Operations on one image, whose generated clients send JSON. */
const asForm =
  "The body may also be a form (`multipart/form-data`) of at most 20 MB, with the images `image`, `mask` and `markup` as files and the other properties as texts, lists and objects as JSON.";

/** Creates `POST /v1/generate/{name}` of an operation. */
export function createGenerateEndpoint(name: Operation, operation: OperationDefinition) {
  const { method, summary, description, request, kind, errors = [] } = operation;
  const schema: z.ZodType<object, object> = request;
  const isStory = kind === "story";
  const form = formOf(operation);
  const image = json(
    "The image is done.",
    results[form],
    { image: ["An image", samples[form]] },
    resultHeaders,
  );
  const accepted = json(
    "The generation is accepted and unfinished: poll the job.",
    jobAccepted,
    { accepted: ["Accepted", samples.accepted] },
    [...resultHeaders, "Location", "Retry-After"],
  );
  return endpoint({
    id: method,
    route: `POST /v1/generate/${name}`,
    tag: "Generate",
    summary,
    description: "image" in request.shape ? `${description} ${asForm}` : description,
    limit: "generate",
    scope: ["generate"],
    headers: ["IdempotencyKey", ...(isStory ? [] : ["Prefer"])],
    body: { schema, examples: operation.examples },
    createsJob: true,
    callbacks: "job",
    results: isStory ? { 202: accepted } : { 200: image, 202: accepted },
    errors: [...(isStory ? acceptErrors : imageErrors), ...errors],
    ...(isStory && { reserved: [502] }),
  });
}

/** The form of a result: a combination always has that of several images, a diagram and a traced image an SVG. */
function formOf({ task }: OperationDefinition): keyof typeof results {
  return task === "combine" || task === "diagram" || task === "vectorize" ? task : "image";
}
