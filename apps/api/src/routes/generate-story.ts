import {
  AppError,
  parseRequest,
  storyRequest,
  type GenerationPlan,
  type StoryRequest,
  type Strictness,
} from "@atelier/schemas";
import { planStory } from "@atelier/stories";
import type { Request, Response } from "express";
import { acceptAndAnswer } from "../accept-generation.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";
import { gatherPlanFacts } from "../plan-facts.ts";

/** `POST /v1/generate/story`: many images that belong together; always answered with 202. */
export function generateStory(dependencies: ApiDependencies) {
  const { config } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(storyRequest, request.body);
    const { strictness } = contextOf(response).caller;
    const makePlan = () => planStoryWith(body, strictness, dependencies);
    const deadlineMs = config.STORY_DEADLINE_SECONDS * 1_000;
    const waitMs = 0;
    await acceptAndAnswer(request, response, { body, makePlan, deadlineMs, waitMs }, dependencies);
  };
}

/**
 * The plan of a story, by a model that can make one.
 *
 * @throws AppError when there is no such model, or it lacks what is asked of it.
 */
export function planStoryWith(
  body: StoryRequest,
  accountStrictness: Strictness,
  dependencies: Pick<ApiDependencies, "catalogue">,
): GenerationPlan {
  const entry = dependencies.catalogue.find(body.model);
  // Before anything else that it may lack: no other size would help.
  if (!entry.supports_multiturn) {
    throw new AppError(
      "model_not_capable",
      `${entry.id} cannot make stories. Use a model whose supports_multiturn is true: GET /v1/models lists them.`,
      { details: { path: "model", required: "supports_multiturn" } },
    );
  }
  return planStory(body, gatherPlanFacts(body, accountStrictness, dependencies));
}
