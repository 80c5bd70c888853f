import type { GenerationPlan, SceneRequest } from "@atelier/schemas";
import {
  aspectRatioProblems,
  duplicateProblems,
  imageSizeProblems,
  referenceProblems,
  refuse,
} from "./check.ts";
import { createRenders } from "./renders.ts";
import type { PlanFacts } from "./facts.ts";
import { cleanName } from "./names.ts";
import { limitReferences, showSubjects, subjectReference, suppliedImage } from "./references.ts";
import { contextTexts, labelTexts } from "./texts.ts";
import { scenePrompt } from "./wording.ts";

/**
 * The plan of one scene by itself: one image that looks at the characters and the location given.
 *
 * @throws AppError 422 `duplicate_name`, `unsupported_aspect_ratio`, `unsupported_image_size` or
 *   `references_not_supported`, with every such problem in `details`; 400 `invalid_request` when the
 *   prompt gets too long with all that belongs in it.
 */
export function planScene(asked: SceneRequest, facts: PlanFacts): GenerationPlan {
  const { model } = facts;
  refuse(sceneProblems(asked, facts));
  const characters = asked.characters?.map(withCleanName);
  const location = asked.location && withCleanName(asked.location);
  const request = {
    ...asked,
    model: model.id,
    characters,
    location,
    aspect_ratio: asked.aspect_ratio ?? model.defaultAspectRatio,
    image_size: facts.imageSize,
    strictness: facts.strictness,
    raw_prompts: asked.raw_prompts ?? false,
  };
  const references = limitReferences(
    [
      ...(characters ?? []).map((character, index) => {
        const path = `characters.${index}.reference_url`;
        const source = suppliedImage(character.reference_url, path);
        return subjectReference("character", character, source);
      }),
      ...(location === undefined
        ? []
        : [
            subjectReference(
              "location",
              location,
              suppliedImage(location.reference_url, "location.reference_url"),
            ),
          ]),
    ],
    model,
  );
  // The prompt itself is at the same path as a story's overall prompt, which a scene does not have.
  const context = { style: request.style, setting: request.setting };
  const texts = [
    ...contextTexts({ ...context, prompt: request.prompt }),
    ...(characters ?? []).flatMap((character, index) =>
      labelTexts(character, `characters.${index}`),
    ),
    ...(location === undefined ? [] : labelTexts(location, "location")),
  ];
  const wording = {
    prompt: request.prompt,
    characters: characters ?? [],
    location,
    seesReferences: showSubjects(references),
  };
  const hasClientImages = references.length > 0;
  const renders = createRenders({ ...facts, allTexts: texts, hasClientImages });
  renders.add({
    role: "image",
    prompt: request.raw_prompts ? request.prompt : scenePrompt(wording, context),
    path: "prompt",
    aspectRatio: request.aspect_ratio,
    references,
    texts,
  });
  return {
    kind: "image",
    model: model.id,
    strictness: facts.strictness,
    request,
    title: null,
    priceMicroEur: facts.pricePerImageMicroEur,
    renders: renders.planned,
  };
}

function sceneProblems(request: SceneRequest, { model }: PlanFacts) {
  const paths = [
    ...(request.characters ?? []).map((_, index) => `characters.${index}.reference_url`),
    ...(request.location === undefined ? [] : ["location.reference_url"]),
  ];
  return [
    ...aspectRatioProblems(request.aspect_ratio, "aspect_ratio", model),
    ...imageSizeProblems(request.image_size, model),
    ...referenceProblems(paths, model),
    ...duplicateProblems(request.characters ?? [], "characters", "Two characters"),
  ];
}

function withCleanName<Named extends { readonly name: string }>(reference: Named): Named {
  return { ...reference, name: cleanName(reference.name) };
}
