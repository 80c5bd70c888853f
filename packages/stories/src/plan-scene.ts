import type { GenerationPlan, ReferenceSpec, SceneRequest } from "@atelier/schemas";
import {
  aspectRatioProblems,
  duplicateProblems,
  imageSizeProblems,
  referenceProblems,
  refuse,
} from "./check.ts";
import { checkUnused, sceneImages } from "./client-images.ts";
import { createRenders } from "./renders.ts";
import { repeatRender } from "./repeat-render.ts";
import type { PlanFacts } from "./facts.ts";
import { cleanName } from "./names.ts";
import { limitReferences, showSubjects, subjectReference, suppliedImage } from "./references.ts";
import { contextTexts, labelTexts } from "./texts.ts";
import { scenePrompt } from "./wording.ts";

/**
 * Plans a single scene: one image, or several with different seeds, with the given characters and location as references.
 *
 * @throws AppError 422 `duplicate_name`, `unsupported_aspect_ratio`, `unsupported_image_size` or
 *   `references_not_supported`, with every such problem in `details`; 400 `invalid_request` when
 *   the complete prompt is too long.
 */
export function planScene(
  { metadata = {}, ...requested }: SceneRequest,
  facts: PlanFacts,
): GenerationPlan {
  const { model } = facts;
  const count = requested.n ?? 1;
  refuse(sceneProblems(requested, facts));
  const characters = requested.characters?.map(toSubject);
  const location = requested.location && toSubject(requested.location);
  const request = {
    ...requested,
    model: model.id,
    characters,
    location,
    aspect_ratio: requested.aspect_ratio ?? model.defaultAspectRatio,
    image_size: facts.imageSize,
    strictness: facts.strictness,
    raw_prompts: requested.raw_prompts ?? false,
    n: count,
    seed: facts.seed,
    background: requested.background ?? "opaque",
  };
  const references = limitReferences(
    [
      ...(characters ?? []).flatMap((character, index) =>
        suppliedReference("character", character, `characters.${index}`),
      ),
      ...(location === undefined ? [] : suppliedReference("location", location, "location")),
    ],
    model,
  );
  // A scene's prompt has the path of a story's overall prompt, which a scene does not have.
  const context = { style: request.style, setting: request.setting };
  const texts = [
    ...contextTexts({
      ...context,
      prompt: request.prompt,
      negative_prompt: request.negative_prompt,
    }),
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
    rawPrompt: request.raw_prompts,
    path: "prompt",
    aspectRatio: request.aspect_ratio,
    references,
    texts,
  });
  return {
    kind: "image",
    operation: "scene",
    model: model.id,
    strictness: facts.strictness,
    request,
    metadata,
    seed: facts.seed,
    title: null,
    price: { eachMicroEur: facts.pricePerImageMicroEur, count, stepsMicroEur: 0n },
    renders: checkUnused(
      renders.planned.flatMap((render) => repeatRender(render, count)),
      sceneImages(request),
    ),
  };
}

type RequestedSubject = NonNullable<SceneRequest["location"]>;

/** A character or location with its appearance. */
type SceneSubject = RequestedSubject & { readonly description: string };

/** The reference of a character or location; the schema requires its image. */
function suppliedReference(
  role: "character" | "location",
  subject: SceneSubject,
  path: string,
): ReferenceSpec[] {
  const source = suppliedImage(subject, path);
  return source === null ? [] : [subjectReference(role, subject, source)];
}

function sceneProblems(request: SceneRequest, { model }: PlanFacts) {
  return [
    ...aspectRatioProblems(request.aspect_ratio, "aspect_ratio", model),
    ...imageSizeProblems(request.image_size, model),
    ...referenceProblems(sceneImages(request), model),
    ...duplicateProblems(request.characters ?? [], "characters"),
  ];
}

/** The schema and the story of a request see to it that every subject has a description. */
function toSubject({ description, ...subject }: RequestedSubject): SceneSubject {
  if (description === undefined) throw new Error(`${subject.name} has no description`);
  return { ...subject, description, name: cleanName(subject.name) };
}
