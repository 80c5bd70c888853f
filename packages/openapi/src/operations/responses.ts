import type { oas31, ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject } from "zod-openapi";
import { headerReferences, type HeaderName } from "../headers.ts";

/** Named examples, written as `name: [summary, value]`. */
export function examples(
  named: Readonly<Record<string, readonly [summary: string, value: unknown]>>,
): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(
    Object.entries(named).map(([name, [summary, value]]) => [name, { summary, value }]),
  );
}

/** A JSON response. */
export function jsonResponse(
  description: string,
  content: ZodOpenApiMediaTypeObject,
  headers: readonly HeaderName[] = [],
): ZodOpenApiResponseObject {
  return {
    description,
    headers: headerReferences(["X-Request-Id", ...headers]),
    content: { "application/json": content },
  };
}
