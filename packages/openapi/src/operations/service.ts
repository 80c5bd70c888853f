import type { ZodOpenApiPathsObject } from "zod-openapi";
import * as z from "zod";
import { errorAnswers, commonErrors } from "../error-answers.ts";
import { headerReferences } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonAnswer } from "./answers.ts";

const health = z.strictObject({ status: z.literal("ok") }).meta({ id: "Health" });
const readiness = z
  .strictObject({
    status: z.literal("ok"),
    database: z.literal("ok"),
    queue: z.literal("ok"),
    storage: z.literal("ok"),
  })
  .meta({ id: "Readiness" });

/** What is served without a key. */
export function serviceOperations(): ZodOpenApiPathsObject {
  const open = { tags: ["Service"], security: [], parameters: parameterReferences(["RequestId"]) };
  return {
    "/healthz": {
      get: {
        ...open,
        operationId: "readHealth",
        summary: "Is the process up?",
        description: "Answers as long as the process runs, also while it is being stopped.",
        responses: {
          "200": jsonAnswer("It is.", {
            schema: health,
            examples: examples({ ok: ["Up", { status: "ok" }] }),
          }),
          ...errorAnswers(["internal_error"], "open"),
        },
      },
    },
    "/readyz": {
      get: {
        ...open,
        operationId: "readReadiness",
        summary: "Can it take requests?",
        description: "Asks the database, the queue and the storage.",
        responses: {
          "200": jsonAnswer("It can.", {
            schema: readiness,
            examples: examples({
              ok: ["Ready", { status: "ok", database: "ok", queue: "ok", storage: "ok" }],
            }),
          }),
          ...errorAnswers(commonErrors, "open"),
        },
      },
    },
    "/openapi.json": {
      get: {
        ...open,
        operationId: "readOpenApi",
        summary: "This document",
        description: "The contract as an OpenAPI 3.1 document.",
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
            description: "It is the one that the client has.",
            headers: headerReferences(["X-Request-Id", "ETag"]),
          },
          ...errorAnswers(["internal_error", "shutting_down"], "open"),
        },
      },
    },
  };
}
