import { AppError, type GenerationPlan, type StoryRequest } from "@atelier/schemas";
import { refuse, storyProblems } from "./check.ts";
import { checkUnused, storyImages } from "./client-images.ts";
import { createRenders } from "./renders.ts";
import { planReferences } from "./story-references.ts";
import { planScenes } from "./story-scenes.ts";
import type { PlanFacts } from "./facts.ts";
import { cleanNames } from "./names.ts";
import { storyTexts } from "./texts.ts";
import { storyTitle } from "./titles.ts";

/**
 * Plans a story: portraits, locations and states for which the client supplies no image, then the
 * scenes. The caller checks that the model supports stories.
 *
 * @throws AppError 422 `duplicate_name`, `unknown_character`, `unknown_state`, `unknown_location`,
 *   `unsupported_aspect_ratio`, `unsupported_image_size` or `references_not_supported`, with every
 *   such problem in `details`; 400 `invalid_request` when a complete prompt is too long, the texts of
 *   all images are too long in total, or `cast_only` leaves no image to make.
 */
export function planStory(
  { metadata = {}, ...requested }: StoryRequest,
  facts: PlanFacts,
): GenerationPlan {
  const { model } = facts;
  refuse(storyProblems(requested, model));
  const request: StoryRequest = {
    ...cleanNames(requested),
    model: model.id,
    aspect_ratio: requested.aspect_ratio ?? model.defaultAspectRatio,
    image_size: facts.imageSize,
    strictness: facts.strictness,
    raw_prompts: requested.raw_prompts ?? false,
    seed: facts.seed,
  };
  const images = storyImages(request);
  const renders = createRenders({
    ...facts,
    allTexts: storyTexts(request),
    hasClientImages: images.length > 0,
  });
  const story = { request, model, renders };
  // Both add what they plan to `renders`.
  const cast = planReferences(story);
  if (request.cast_only !== true) planScenes(story, cast);
  if (renders.planned.length === 0) throw nothingToMake();
  return {
    kind: "story",
    operation: "story",
    model: model.id,
    strictness: facts.strictness,
    request: { ...request, characters: request.characters.map(withStateOrder) },
    metadata,
    seed: facts.seed,
    title: storyTitle(request),
    price: {
      eachMicroEur: facts.pricePerImageMicroEur,
      count: renders.planned.length,
      stepsMicroEur: 0n,
    },
    renders: checkUnused(renders.planned, images),
  };
}

function nothingToMake(): AppError {
  const message = "must be false or absent, because all characters and locations have their images";
  return new AppError("invalid_request", `cast_only ${message}.`, {
    details: [{ path: "cast_only", code: "nothing_to_make", message }],
  });
}

/**
 * Records the order of a character's states. The request is stored as JSONB, which preserves the
 * order of arrays but not of properties.
 */
function withStateOrder<Character extends StoryRequest["characters"][number]>(
  character: Character,
) {
  const keys = Object.keys(character.states ?? {});
  return keys.length < 2 ? character : { ...character, state_order: keys };
}
