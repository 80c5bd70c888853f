import type { OperationError } from "@atelier/schemas";
import { exampleUrl, splitRoute, type Endpoint, type Examples } from "@atelier/schemas/endpoints";
import * as z from "zod";
import type {
  ZodOpenApiCallbacksObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import { errorResponses, keyedErrors } from "./error-responses.ts";
import { headerReferences, rateHeaders, type HeaderName } from "./headers.ts";
import { examples } from "./operations/responses.ts";
import { batchCallbacks } from "./webhook-events.ts";
import { parameterReferences, type ParameterName } from "./parameters.ts";

const bodyErrors = [
  "request_too_large",
  "unsupported_media_type",
] as const satisfies readonly OperationError[];

/** The requests that a server of the caller receives, by the operation that asks for them. */
const callbacks: Readonly<Record<string, ZodOpenApiCallbacksObject>> = {
  createBatch: batchCallbacks,
};

/**
 * Describes the operations of these records.
 *
 * @param publicUrl the address of the server in their examples.
 */
export function describeEndpoints(
  endpoints: readonly Endpoint[],
  publicUrl: string,
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const { method, path } = splitRoute(endpoint);
    (paths[path] ??= {})[method.toLowerCase()] = describe(endpoint, publicUrl);
  }
  return paths;
}

function describe(endpoint: Endpoint, publicUrl: string): ZodOpenApiOperationObject {
  const { id, tag, summary, description, scope, params, query, body, results } = endpoint;
  const { headers: requestHeaders = [], errors = [], createsJob = false } = endpoint;
  const show = (named: Examples) => showExamples(named, publicUrl);
  const codes = [...keyedErrors, ...(body === undefined ? [] : bodyErrors), ...errors];
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
    },
    parameters: parameterReferences(["RequestId", ...(requestHeaders as ParameterName[])]),
    ...(body && {
      requestBody: {
        ...(body.isOptional !== true && { required: true }),
        content: {
          [body.mediaType ?? "application/json"]: {
            schema: body.schema,
            ...(Object.keys(body.examples).length > 0 && { examples: show(body.examples) }),
          },
        },
      },
    }),
    ...(id in callbacks && { callbacks: callbacks[id] }),
    responses: {
      ...Object.fromEntries(
        Object.entries(results).map(([status, result]) => [status, describeResult(result, show)]),
      ),
      ...errorResponses(codes, createsJob ? "generation" : "keyed"),
    },
  };
}

function describeResult(
  result: Endpoint["results"][number],
  show: (named: Examples) => ReturnType<typeof examples>,
): ZodOpenApiResponseObject {
  const {
    description,
    headers = [],
    ...body
  } = typeof result === "string" ? { description: result, content: undefined } : result;
  const content = "schema" in body ? { "application/json": body } : body.content;
  return {
    description,
    headers: headerReferences(["X-Request-Id", ...rateHeaders, ...(headers as HeaderName[])]),
    ...(content && {
      content: Object.fromEntries(
        Object.entries(content).map(([type, { schema, examples: named }]) => [
          type,
          { ...(schema && { schema }), ...(named && { examples: show(named) }) },
        ]),
      ),
    }),
  };
}

function showExamples(named: Examples, publicUrl: string): ReturnType<typeof examples> {
  const text = JSON.stringify(examples(named)).replaceAll(exampleUrl, publicUrl);
  return JSON.parse(text) as ReturnType<typeof examples>;
}
