import {
  AppError,
  type GenerationPlan,
  type StoryRequest,
  type Strictness,
} from "@atelier/schemas";
import { planStory } from "@atelier/stories";
import type { ApiDependencies } from "../dependencies.ts";
import { gatherPlanFacts } from "./plan-facts.ts";

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
