import { errorBody, errorStatus, type ErrorBody } from "@atelier/schemas";
import type { oas31, ZodOpenApiResponsesObject } from "zod-openapi";
import { errorExamples, type OperationError } from "./error-examples.ts";
import { headerReferences, headers, type HeaderName } from "./headers.ts";

type Status = (typeof errorStatus)[OperationError];

const statusNames: Record<Status, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** What any request may meet, once it has reached a route. */
export const commonErrors = ["internal_error", "overloaded", "shutting_down"] as const;

/** What any request under `/v1` may meet. */
export const keyedErrors = [
  "invalid_request",
  "unauthorized",
  "account_suspended",
  "rate_limited",
  ...commonErrors,
] as const;

const statusHeaders: Partial<Record<Status, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  409: ["Retry-After"],
  429: ["Retry-After", "RateLimit-Policy", "RateLimit"],
  503: ["Retry-After"],
};

/** Every error as an example, to be referred to by its code. */
export function errorComponents(): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(
    Object.entries(errorExamples).map(([code, { summary, message, details }]) => {
      const value = {
        error: code,
        message,
        request_id: headers["X-Request-Id"].example,
        details: details as ErrorBody["details"],
      } satisfies ErrorBody;
      return [code, { summary, value }];
    }),
  );
}

/** References to the examples of these errors. */
export function exampleReferences(
  codes: readonly OperationError[],
): Record<string, oas31.ReferenceObject> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/**
 * The answers with these codes, by status.
 *
 * @param extraHeaders names of further headers that these answers have.
 */
export function errorAnswers(
  codes: readonly OperationError[],
  extraHeaders: readonly HeaderName[] = [],
): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      String(status),
      {
        description: `${statusNames[status]}: ${codesOfStatus.map((code) => `\`${code}\``).join(", ")}`,
        headers: headerReferences([
          "X-Request-Id",
          ...(statusHeaders[status] ?? []),
          ...extraHeaders,
        ]),
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
 * The statuses that the contract defines for an operation and that this version never sends: a
 * client is to be ready for them.
 */
export function reservedAnswers(statuses: readonly Status[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: `${statusNames[status]}: defined for this operation, and not sent by this version.`,
        headers: headerReferences(["X-Request-Id"]),
        content: { "application/json": { schema: errorBody } },
      },
    ]),
  );
}
