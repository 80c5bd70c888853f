import type { oas31 } from "zod-openapi";

/**
 * Headers that a request may have, by their names in the document. Without examples: the reference
 * page would send them with every request that is tried.
 */
export const parameters = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "A name of yours for this request: up to 128 letters, digits and `._:-`.",
    schema: { type: "string", maxLength: 128, pattern: "^[A-Za-z0-9._:-]{1,128}$" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "The same key with the same body is answered like the first request, for 24 hours, and makes and costs nothing again. A new UUID for each new request is a good key.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]{1,255}$" },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "`respond-async` answers 202 at once; `wait=N` waits N seconds for the image before it answers 202 (RFC 7240).",
    schema: { type: "string" },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

export type ParameterName = keyof typeof parameters;

/** References to the parameters with these names. */
export function parameterReferences(names: readonly ParameterName[]): oas31.ReferenceObject[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
