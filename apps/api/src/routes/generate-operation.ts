import { namesOf, parseRequest, type Operation } from "@atelier/schemas";
import { createGenerateEndpoint } from "@atelier/schemas/endpoints";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { respond } from "../generations/answer/respond.ts";
import type { RequestImages } from "../generations/plan/operations.ts";
import { withReceivedRequest } from "../generations/uploads/receive-request.ts";
import { leaveBody } from "../http/body/read-body.ts";
import { readPrefer } from "../http/prefer.ts";
import type { Routes } from "../http/routes.ts";
import type { EditDependencies } from "./openai-edits.ts";

type Dependencies = EditDependencies & Needs<"operations">;

/** `POST /v1/generate/{operation}` of each operation. */
export function serveGenerate(routes: Routes, dependencies: Dependencies): void {
  const { operations } = dependencies;
  for (const name of namesOf(operations)) {
    const endpoint = createGenerateEndpoint(name, operations[name]);
    routes.send(endpoint, generateOperation(name, dependencies), { body: leaveBody });
  }
}

/**
 * Generates the images of a request, and responds when they are done. The response to a request for a
 * story is always its job.
 */
function generateOperation(operation: Operation, dependencies: Dependencies) {
  const { config } = dependencies;
  const { request: schema, kind } = dependencies.operations[operation];
  return async (request: Request, response: Response): Promise<void> => {
    const work = async (sent: unknown, images: RequestImages) => {
      const body = parseRequest(schema, sent);
      const waitMs =
        kind === "story"
          ? 0
          : readPrefer(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000).waitMs;
      await respond(request, response, { operation, body, images, waitMs }, dependencies);
    };
    await withReceivedRequest(request, response, { operation, schema, work }, dependencies);
  };
}
