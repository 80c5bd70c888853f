import type { ZodOpenApiPathsObject } from "zod-openapi";
import * as z from "zod";
import { errorResponses, commonErrors } from "../error-responses.ts";
import { headerReferences } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonResponse } from "./responses.ts";

const health = z.strictObject({ status: z.literal("ok") }).meta({ id: "Health" });
const partState = z.enum(["ok", "unavailable"]);

const readiness = z
  .strictObject({
    status: z
      .enum(["ready", "degraded"])
      .describe("`degraded` while the queue or the storage does not respond: jobs can be read."),
    parts: z.strictObject({ database: z.literal("ok"), queue: partState, storage: partState }),
  })
  .meta({ id: "Readiness" });

/** Operations without a key. */
export function serviceOperations(): ZodOpenApiPathsObject {
  const open = { tags: ["Service"], security: [], parameters: parameterReferences(["RequestId"]) };
  return {
    "/healthz": {
      get: {
        ...open,
        operationId: "readHealth",
        summary: "Liveness",
        description: "Succeeds while the process runs, also during shutdown.",
        responses: {
          "200": jsonResponse("The process is alive.", {
            schema: health,
            examples: examples({ ok: ["Alive", { status: "ok" }] }),
          }),
          ...errorResponses(["internal_error"], "open"),
        },
      },
    },
    "/readyz": {
      get: {
        ...open,
        operationId: "readReadiness",
        summary: "Readiness",
        description:
          "200 while the database responds, 503 otherwise. The body also reports the queue and the storage.",
        responses: {
          "200": jsonResponse("The server accepts requests.", {
            schema: readiness,
            examples: examples({
              ready: [
                "Ready",
                { status: "ready", parts: { database: "ok", queue: "ok", storage: "ok" } },
              ],
              degraded: [
                "Without the queue",
                {
                  status: "degraded",
                  parts: { database: "ok", queue: "unavailable", storage: "ok" },
                },
              ],
            }),
          }),
          ...errorResponses(commonErrors, "open"),
        },
      },
    },
    "/openapi.json": {
      get: {
        ...open,
        operationId: "readOpenApi",
        summary: "This document",
        description: "The OpenAPI 3.1 document of the API.",
        responses: {
          "200": {
            description: "The document.",
            headers: headerReferences(["X-Request-Id", "ETag"]),
            content: {
              "application/json": {
                schema: z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" }),
                examples: examples({
                  document: ["Its beginning", { openapi: "3.1.0", info: {}, paths: {} }],
                }),
              },
            },
          },
          "304": {
            description: "The document is unchanged.",
            headers: headerReferences(["X-Request-Id", "ETag"]),
          },
          ...errorResponses(["internal_error", "shutting_down"], "open"),
        },
      },
    },
  };
}
