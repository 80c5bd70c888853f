import type { oas31 } from "zod-openapi";
import { jobId } from "./sample-answers.ts";

type Header = Omit<oas31.HeaderObject, "$ref">;

/** Headers of answers, by name. */
export const headers = {
  "X-Request-Id": {
    description:
      "Names this request in logs and errors: the client's own when it sent a sane token, a new one otherwise.",
    schema: { type: "string" },
    example: "019a9f3c-5f0e-7c31-9b7d-000000000001",
  },
  "X-Service-Job-Id": {
    description:
      "The job. It is on every answer, errors included, that came after the job existed.",
    schema: { type: "string", format: "uuid" },
    example: jobId,
  },
  "Idempotent-Replayed": {
    description: "`true` when this answers a repeated request.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  Location: {
    description: "Where to read the job.",
    schema: { type: "string", format: "uri" },
    example: `https://atelier.example/v1/jobs/${jobId}`,
  },
  "Retry-After": {
    description: "Wait so many seconds before the next request.",
    schema: { type: "integer", minimum: 1 },
    example: 2,
  },
  "X-Should-Retry": {
    description: "Tells OpenAI's clients whether to send the request again by themselves.",
    schema: { type: "string", enum: ["true", "false"] },
    example: "false",
  },
  "RateLimit-Policy": {
    description:
      "What the key may do: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-10).",
    schema: { type: "string" },
    example: '"generate";q=300;w=60',
  },
  RateLimit: {
    description: "What is left: `r` requests now, all of them again in `t` seconds.",
    schema: { type: "string" },
    example: '"generate";r=299;t=1',
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    schema: { type: "string" },
    example: 'Bearer realm="atelier"',
  },
  "Content-Disposition": {
    description: "Save the answer as a file of this name.",
    schema: { type: "string" },
    example: 'attachment; filename="image-generation.zip"',
  },
  ETag: {
    description:
      "Of this document: send it as `If-None-Match` to be answered 304 while it is the same.",
    schema: { type: "string" },
    example: '"Zk5mWq0nq2cM1v7d"',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

/** On answers to a key that was taken: what it may still send. */
export const rateHeaders = ["RateLimit-Policy", "RateLimit"] as const satisfies HeaderName[];

/** On answers that came after their job existed. */
export const jobHeaders = [
  "X-Service-Job-Id",
  "Idempotent-Replayed",
] as const satisfies HeaderName[];

/** References to the headers with these names. */
export function headerReferences(names: readonly HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
