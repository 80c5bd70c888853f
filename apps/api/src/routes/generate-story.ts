import { parseRequest, storyRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { respond } from "../generations/respond.ts";
import { planStoryWith } from "../generations/plan-story.ts";
import { contextOf } from "../http/context.ts";

/** `POST /v1/generate/story`: generates a series of related images; always responds with 202. */
export function generateStory(dependencies: ApiDependencies) {
  const { config } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(storyRequest, request.body);
    const { strictness } = contextOf(response).caller;
    const makePlan = () => planStoryWith(body, strictness, dependencies);
    const deadlineMs = config.STORY_DEADLINE_SECONDS * 1_000;
    const waitMs = 0;
    await respond(request, response, { body, makePlan, deadlineMs, waitMs }, dependencies);
  };
}
