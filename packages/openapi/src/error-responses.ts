import { STATUS_CODES } from "node:http";
import {
  adminErrors,
  errorBody,
  errorCodes,
  errorStatus,
  uncertainRefusal,
  type AdminError,
  type ErrorBody,
  type OperationError,
} from "@atelier/schemas";
import type { oas31, ZodOpenApiResponsesObject } from "zod-openapi";
import { headerReferences, headers, jobHeaders, rateHeaders, type HeaderName } from "./headers.ts";

const uncertainRefusalName = "content_policy_violation_uncertain";

type Status = (typeof errorStatus)[OperationError];

/** The code of an error that the documents describe. */
export type DescribedError = OperationError | AdminError;

/** Errors of all routes. */
export const commonErrors = ["internal_error", "overloaded", "shutting_down"] as const;

/** Errors of all routes under `/v1`. */
export const keyedErrors = [
  "invalid_request",
  "unauthorized",
  "account_suspended",
  "key_not_permitted",
  "rate_limited",
  ...commonErrors,
] as const;

/** Errors of all routes under `/admin/v1`. */
export const operatorErrors = [
  "invalid_request",
  "unauthorized",
  "not_permitted",
  "rate_limited",
  ...commonErrors,
] as const;

/** Errors of all routes that read a body. */
export const bodyErrors = ["request_too_large", "unsupported_media_type"] as const;

/** The kind of operation, which determines the headers of its errors. */
type ErrorSource = "open" | "limited" | "keyed" | "generation";

/** Headers of an error response in addition to the request id. */
export function errorHeaders(status: number, source: ErrorSource): HeaderName[] {
  const names: HeaderName[] = [];
  if (status === 401) names.push("WWW-Authenticate");
  if (status === 409 || status === 429 || status === 503) names.push("Retry-After");
  // A 401 has them when the key ended after the request was taken from its limit.
  if (source !== "open") names.push(...rateHeaders);
  // Only errors that occur after the job was created.
  if (source === "generation" && status >= 404 && status !== 429) names.push(...jobHeaders);
  return names;
}

/**
 * Examples of errors as components: one for every code, and further ones by their names. Those of the admin port are
 * left out of the document for account holders.
 */
export function errorComponents(withAdmin = false): Record<string, oas31.ExampleObject> {
  const named = [
    ...Object.entries(errorCodes).flatMap(([code, example]) =>
      "summary" in example && (withAdmin || !Object.hasOwn(adminErrors, code))
        ? [{ name: code, code, example }]
        : [],
    ),
    {
      name: uncertainRefusalName,
      code: "content_policy_violation",
      example: uncertainRefusal,
    },
  ];
  return Object.fromEntries(
    named.map(({ name, code, example: { summary, message, details } }) => {
      const value = {
        error: code,
        message,
        request_id: headers["X-Request-Id"].example,
        details: details as ErrorBody["details"],
      } satisfies ErrorBody;
      return [name, { summary, value }];
    }),
  );
}

/** References to the examples of these errors. */
export function exampleReferences(
  codes: readonly DescribedError[],
): Record<string, oas31.ReferenceObject> {
  const names = codes.flatMap((code) =>
    code === "content_policy_violation" ? [code, uncertainRefusalName] : [code],
  );
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
}

/**
 * Error responses with these codes, by status.
 *
 * @param source `open` without a key, `limited` when it has a rate limit, `keyed` with one, `generation` when a job may exist.
 */
export function errorResponses(
  codes: readonly DescribedError[],
  source: ErrorSource,
): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      String(status),
      {
        description: `${STATUS_CODES[status]}: ${codesOfStatus.map((code) => `\`${code}\``).join(", ")}`,
        headers: headerReferences(["X-Request-Id", ...errorHeaders(status, source)]),
        content: {
          "application/json": {
            schema: errorBody,
            examples: exampleReferences(codesOfStatus),
          },
        },
      },
    ]),
  );
}

/**
 * Statuses that the specification defines for an operation and that this version never returns.
 */
export function reservedResponses(statuses: readonly Status[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: `${STATUS_CODES[status]}: defined for this operation, but not returned by this version.`,
        headers: headerReferences(["X-Request-Id"]),
        content: { "application/json": { schema: errorBody } },
      },
    ]),
  );
}
