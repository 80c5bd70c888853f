import type { GenerationPlan, StoryRequest } from "@atelier/schemas";
import { referencePaths, refuse, storyProblems } from "./check.ts";
import { createRenders } from "./renders.ts";
import { planReferences } from "./story-references.ts";
import { planScenes } from "./story-scenes.ts";
import type { PlanFacts } from "./facts.ts";
import { cleanNames } from "./names.ts";
import { storyTexts } from "./texts.ts";
import { storyTitle } from "./titles.ts";

/**
 * The plan of a story: portraits, locations and states as far as the client brings no image of
 * them, then the scenes. Whether the model can draw stories at all is the caller's to check.
 *
 * @throws AppError 422 `duplicate_name`, `unknown_character`, `unknown_state`, `unknown_location`,
 *   `unsupported_aspect_ratio`, `unsupported_image_size` or `references_not_supported`, with every
 *   such problem in `details`; 400 `invalid_request` when a prompt gets too long with all that belongs
 *   in it, or all images together carry too many texts.
 */
export function planStory(asked: StoryRequest, facts: PlanFacts): GenerationPlan {
  const { model } = facts;
  refuse(storyProblems(asked, model));
  const request: StoryRequest = {
    ...cleanNames(asked),
    model: model.id,
    aspect_ratio: asked.aspect_ratio ?? model.defaultAspectRatio,
    image_size: facts.imageSize,
    strictness: facts.strictness,
    raw_prompts: asked.raw_prompts ?? false,
  };
  const renders = createRenders({
    ...facts,
    allTexts: storyTexts(request),
    hasClientImages: referencePaths(request).length > 0,
  });
  const story = { request, model, renders };
  planScenes(story, planReferences(story));
  return {
    kind: "story",
    model: model.id,
    strictness: facts.strictness,
    request,
    title: storyTitle(request),
    priceMicroEur: facts.pricePerImageMicroEur * BigInt(renders.planned.length),
    renders: renders.planned,
  };
}
