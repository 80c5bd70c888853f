import { parseRequest, sceneRequest } from "@atelier/schemas";
import { planScene } from "@atelier/stories";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { acceptAndAnswer } from "../generations/accept-and-wait.ts";
import { gatherPlanFacts } from "../generations/plan-facts.ts";
import { contextOf } from "../http/context.ts";
import { readPrefer } from "../http/prefer.ts";

/** `POST /v1/generate/scene`: one scene again, with the references of an earlier story. */
export function generateScene(dependencies: ApiDependencies) {
  const { config } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(sceneRequest, request.body);
    const { waitMs } = readPrefer(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000);
    const { strictness } = contextOf(response).caller;
    const makePlan = () => planScene(body, gatherPlanFacts(body, strictness, dependencies));
    const deadlineMs = config.IMAGE_DEADLINE_SECONDS * 1_000;
    await acceptAndAnswer(request, response, { body, makePlan, deadlineMs, waitMs }, dependencies);
  };
}
