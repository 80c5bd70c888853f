import type { OperationError } from "@atelier/schemas";
import type { Endpoint, JsonResult } from "@atelier/schemas/endpoints";
import * as z from "zod";
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import { errorResponses, keyedErrors } from "./error-responses.ts";
import { headerReferences, rateHeaders } from "./headers.ts";
import { examples, jsonResponse } from "./operations/responses.ts";
import { parameterReferences } from "./parameters.ts";

const bodyErrors = [
  "request_too_large",
  "unsupported_media_type",
] as const satisfies readonly OperationError[];

/** Describes the operations of these records. */
export function describeEndpoints(endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return Object.fromEntries(
    Array.from(byPath, ([path, ofPath]) => [
      path,
      Object.fromEntries(ofPath.map((one) => [one.method.toLowerCase(), describe(one)])),
    ]),
  );
}

function describe(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { id, tag, summary, description, scope, params, query, body, results, errors } = endpoint;
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
      ...(query && { query }),
    },
    parameters: parameterReferences(["RequestId"]),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: body.schema, examples: examples(body.examples) },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(results).map(([status, result]) => [status, describeResult(result)]),
      ),
      ...errorResponses(codes, "keyed"),
    },
  };
}

function describeResult(result: JsonResult | string): ZodOpenApiResponseObject {
  if (typeof result === "string") {
    return { description: result, headers: headerReferences(["X-Request-Id", ...rateHeaders]) };
  }
  const { description, schema, examples: named } = result;
  return jsonResponse(description, { schema, examples: examples(named) }, rateHeaders);
}
