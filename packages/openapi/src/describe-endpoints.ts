import {
  createSamples,
  exampleUrl,
  splitRoute,
  type Endpoint,
  type Examples,
  type FileResult,
  type JsonResult,
} from "@atelier/schemas/endpoints";
import * as z from "zod";
import type {
  ZodOpenApiCallbacksObject,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import {
  bodyErrors,
  errorResponses,
  keyedErrors,
  reservedResponses,
  type DescribedError,
} from "./error-responses.ts";
import { headerReferences, rateHeaders, type HeaderName } from "./headers.ts";
import { imageErrorResponses, readErrorResponses } from "./operations/openai-responses.ts";
import { examples } from "./operations/responses.ts";
import { batchCallbacks, jobCallbacks } from "./webhook-events.ts";
import { parameterReferences, type ParameterName } from "./parameters.ts";

const callbacksOf: Readonly<Record<NonNullable<Endpoint["callbacks"]>, ZodOpenApiCallbacksObject>> =
  { batch: batchCallbacks, job: jobCallbacks };

/** The conventions that all operations of a document follow. */
interface Conventions {
  /** The address of the server in the examples. */
  readonly publicUrl: string;
  /** Errors of every operation. */
  readonly errors: readonly DescribedError[];
  /** Headers of every response besides the request id. */
  readonly headers: readonly HeaderName[];
}

/** The conventions of operations with a key. */
export const keyedConventions = { errors: keyedErrors, headers: rateHeaders };

/** Describes the operations of these records. */
export function describeEndpoints(
  endpoints: readonly Endpoint[],
  conventions: Conventions,
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const { method, path } = splitRoute(endpoint);
    (paths[path] ??= {})[method.toLowerCase()] = describe(endpoint, conventions);
  }
  return paths;
}

function describe(endpoint: Endpoint, conventions: Conventions): ZodOpenApiOperationObject {
  const { publicUrl, headers } = conventions;
  const { id, tag, summary, description, scope, params, query, body, results } = endpoint;
  const { headers: requestHeaders = [], errors = [], callbacks } = endpoint;
  const { ignoredQuery, reserved = [] } = endpoint;
  const show = (named: Examples) => showExamples(named, publicUrl);
  const codes = [...conventions.errors, ...(body === undefined ? [] : bodyErrors), ...errors];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    // OpenAPI 3.0 allows no scopes in the `security` of keys, and its linters refuse them.
    ...(scope.length > 0 && { "x-required-scope": [...scope] }),
    requestParams: {
      ...(params && { path: z.strictObject(params) }),
      // Sent as any number of `metadata.<name>`, which the description explains.
      ...(query && { query: "metadata" in query.shape ? query.omit({ metadata: true }) : query }),
      ...(ignoredQuery && { query: ignoredQuery }),
    },
    parameters: parameterReferences(["RequestId", ...(requestHeaders as ParameterName[])]),
    ...(body && {
      requestBody: {
        ...(body.isOptional !== true && { required: true }),
        content: describeContent(
          { [body.mediaType ?? "application/json"]: body, ...body.otherTypes },
          show,
        ),
      },
    }),
    ...(callbacks && { callbacks: callbacksOf[callbacks] }),
    responses: {
      ...Object.fromEntries(
        Object.entries(results).map(([status, result]) => [
          status,
          describeResult(result, show, headers),
        ]),
      ),
      ...describeErrors(endpoint, codes, conventions),
      ...reservedResponses(reserved),
    },
  };
}

function describeErrors(
  { createsJob = false, errorFormat }: Endpoint,
  codes: readonly DescribedError[],
  { publicUrl, headers }: Conventions,
): ReturnType<typeof errorResponses> {
  if (errorFormat === undefined) {
    const limited = headers.length === 0 ? "open" : "keyed";
    return errorResponses(codes, createsJob ? "generation" : limited);
  }
  return createsJob
    ? imageErrorResponses(codes, createSamples(publicUrl))
    : readErrorResponses(codes);
}

function describeResult(
  result: Endpoint["results"][number],
  show: (named: Examples) => ReturnType<typeof examples>,
  common: readonly HeaderName[],
): ZodOpenApiResponseObject {
  const described: JsonResult | FileResult =
    typeof result === "string" ? { description: result, content: {} } : result;
  const { description, headers = [] } = described;
  const content =
    "schema" in described
      ? { "application/json": described, ...described.otherTypes }
      : described.content;
  return {
    description,
    headers: headerReferences(["X-Request-Id", ...common, ...(headers as HeaderName[])]),
    ...("events" in described && described.events && { "x-events": showEvents(described.events) }),
    ...(Object.keys(content).length > 0 && {
      content: describeContent(content, show),
    }),
  };
}

function describeContent(
  content: FileResult["content"],
  show: (named: Examples) => ReturnType<typeof examples>,
): Record<string, ZodOpenApiMediaTypeObject> {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, examples: named = {}, example }]) => [
      type,
      {
        ...(schema && { schema }),
        ...(Object.keys(named).length > 0 && { examples: show(named) }),
        ...(example !== undefined && { example }),
      },
    ]),
  );
}

function showEvents(events: Readonly<Record<string, z.ZodType>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(events).map(([type, schema]) => [
      type,
      { $ref: `#/components/schemas/${schema.meta()?.id}` },
    ]),
  );
}

function showExamples(named: Examples, publicUrl: string): ReturnType<typeof examples> {
  const text = JSON.stringify(examples(named)).replaceAll(exampleUrl, publicUrl);
  return JSON.parse(text) as ReturnType<typeof examples>;
}
