import { parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import type { Planner } from "../generations/planner.ts";
import { respond } from "../generations/respond.ts";
import { contextOf } from "../http/context.ts";
import { readPrefer } from "../http/prefer.ts";

/**
 * `POST /v1/generate/{operation}` except stories: generates what a request asks for, and responds when
 * that is done.
 */
export function generateOperation<Body extends object>(
  schema: z.ZodType<Body>,
  plan: Planner<Body>,
  dependencies: ApiDependencies,
) {
  const { config } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(schema, request.body);
    const { waitMs } = readPrefer(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000);
    const { strictness } = contextOf(response).caller;
    const makePlan = () => plan(body, strictness, dependencies);
    const deadlineMs = config.IMAGE_DEADLINE_SECONDS * 1_000;
    await respond(request, response, { body, makePlan, deadlineMs, waitMs }, dependencies);
  };
}
