import { assertCapable } from "@atelier/models";
import type { GenerationPlan, SceneRequest, StoryRequest, Strictness } from "@atelier/schemas";
import { planScene, planStory } from "@atelier/stories";
import { readImageOptions } from "./image-options.ts";
import { gatherPlanFacts } from "./plan-facts.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans a story with a model that supports stories.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planStoryWith(
  body: StoryRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const options = readImageOptions(body);
  // Checked first: with this model, no change to the request would help.
  const entry = dependencies.catalogue.find(body.model);
  assertCapable(dependencies.catalogue, entry, {
    operation: "story",
    capabilities: options.needs,
    parameters: options.spec.parameters,
  });
  return planStory(body, gatherPlanFacts(body, "story", accountStrictness, options, dependencies));
}

/**
 * Plans a scene, or several that differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planSceneWith(
  body: SceneRequest,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
): GenerationPlan {
  const options = readImageOptions(body, "scene");
  const entry = dependencies.catalogue.find(body.model);
  assertCapable(dependencies.catalogue, entry, {
    operation: "scene",
    capabilities: options.needs,
    count: body.n ?? 1,
    parameters: options.spec.parameters,
  });
  return planScene(body, gatherPlanFacts(body, "scene", accountStrictness, options, dependencies));
}
