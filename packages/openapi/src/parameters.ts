import type { oas31 } from "zod-openapi";

const idempotencyKey = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[\\x21-\\x7e]{1,255}$",
} as const;

/**
 * Request headers, by their component names. They have no examples, because the reference page would
 * send those with every request.
 */
export const parameters = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "The client's id for this request: up to 128 letters, digits and `._:-`.",
    schema: { type: "string", maxLength: 128, pattern: "^[A-Za-z0-9._:-]{1,128}$" },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description:
      "The id of the last event that the client received. The stream begins with the events after it, up to 24 hours back.",
    schema: { type: "string", pattern: "^\\d{1,19}$" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "For 24 hours, the same key with the same body returns the first request's job without another charge. Use a new UUID for each new request.",
    schema: idempotencyKey,
  },
  BatchIdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "For 24 hours, the same key with the same requests returns the first request's batch. Use a new UUID for each new batch.",
    schema: idempotencyKey,
  },
  UploadIdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "While the upload is kept, the same key with the same image returns it again. Use a new UUID for each new image.",
    schema: idempotencyKey,
  },
  MemberIdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "For 24 hours, the same key with the same body returns what the first request created. Use a new UUID for each new request.",
    schema: idempotencyKey,
  },
  Strict: {
    name: "Atelier-Strict",
    in: "header",
    description:
      "`true` refuses a request with parameters that `Atelier-Ignored` would name, before anything is charged.",
    schema: { type: "string", enum: ["true", "false"] },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "`wait=N` waits up to N seconds for the end of the job; `respond-async` returns 202 at once (RFC 7240).",
    schema: { type: "string" },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

export type ParameterName = keyof typeof parameters;

/** References to the parameters with these names. */
export function parameterReferences(names: readonly ParameterName[]): oas31.ReferenceObject[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
