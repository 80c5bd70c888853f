import type { oas31 } from "zod-openapi";
import { jobId } from "@atelier/schemas/endpoints";

type Header = Omit<oas31.HeaderObject, "$ref">;

/** Response headers, by name. */
export const headers = {
  "X-Request-Id": {
    description:
      "Identifies this request in logs and errors: the client's value if it is valid, a new one otherwise.",
    schema: { type: "string" },
    example: "019a9f3c-5f0e-7c31-9b7d-000000000001",
  },
  "X-Service-Job-Id": {
    description:
      "The job id. Every response after the creation of the job has it, including errors.",
    schema: { type: "string", format: "uuid" },
    example: jobId,
  },
  "Idempotent-Replayed": {
    description: "`true` for the response to a repeated request.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  Location: {
    description: "The URL of the job.",
    schema: { type: "string", format: "uri" },
    example: `https://atelier.example/v1/jobs/${jobId}`,
  },
  "Retry-After": {
    description: "Seconds to wait before the next request.",
    schema: { type: "integer", minimum: 1 },
    example: 2,
  },
  "Preference-Applied": {
    description: "The wait of `Prefer: wait=N` that the server applied (RFC 7240), if it was sent.",
    schema: { type: "string" },
    example: "wait=20",
  },
  Deprecation: {
    description:
      "Since when the model of the request is deprecated, as `@` and seconds since 1970 (RFC 9745). Only for such a model.",
    schema: { type: "string" },
    example: "@1798761600",
  },
  Sunset: {
    description:
      "When the model of the request is retired (RFC 8594). Only for a model with such a date.",
    schema: { type: "string" },
    example: "Fri, 01 Jan 2027 00:00:00 GMT",
  },
  "X-Should-Retry": {
    description: "Whether OpenAI's clients should retry automatically.",
    schema: { type: "string", enum: ["true", "false"] },
    example: "false",
  },
  "Atelier-Ignored": {
    description: "The parameters of the request that have no effect, separated by commas.",
    schema: { type: "string" },
    example: "style, quality",
  },
  "Atelier-Adjusted": {
    description: "The parameters of the request that were changed, with the values that were used.",
    schema: { type: "string" },
    example: "size=1504x1000",
  },
  "RateLimit-Policy": {
    description:
      "The limit of the key or client address: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-10).",
    schema: { type: "string" },
    example: '"generate";q=300;w=60',
  },
  RateLimit: {
    description:
      "The remaining allowance: `r` requests now, the full limit in `t` seconds. With `r=0`, the next request in `t` seconds, as in `Retry-After`.",
    schema: { type: "string" },
    example: '"generate";r=299;t=1',
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    schema: { type: "string" },
    example: 'Bearer realm="atelier"',
  },
  "Content-Disposition": {
    description: "The file name of the response.",
    schema: { type: "string" },
    example: 'attachment; filename="image-generation.zip"',
  },
  ETag: {
    description: "Send it as `If-None-Match` to receive 304 while the document is unchanged.",
    schema: { type: "string" },
    example: '"Zk5mWq0nq2cM1v7d"',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** Headers of responses to a valid key. */
export const rateHeaders = ["RateLimit-Policy", "RateLimit"] as const satisfies HeaderName[];

/** Headers of responses after the creation of the job. */
export const jobHeaders = [
  "X-Service-Job-Id",
  "Idempotent-Replayed",
] as const satisfies HeaderName[];

/** References to the headers with these names. */
export function headerReferences(names: readonly HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
