import {
  AppError,
  describeProblems,
  type ErrorCode,
  type RequestProblem,
  type StoryRequest,
} from "@atelier/schemas";
import type { PlanModel } from "./facts.ts";
import { cleanName } from "./names.ts";
import { storyImages } from "./client-images.ts";

/** A problem of a request, with the valid values. */
export interface PlanProblem extends RequestProblem {
  readonly code: ErrorCode;
  /** The names that the request defines. */
  readonly available?: readonly string[];
  /** The values that the model supports. */
  readonly supported?: readonly string[];
  /** The most that the model supports. */
  readonly max?: number;
}

/** Returns the problems of a story that its schema does not cover, in the order of the request. */
export function storyProblems(request: StoryRequest, model: PlanModel): PlanProblem[] {
  return [
    ...aspectRatioProblems(request.aspect_ratio, "aspect_ratio", model),
    ...imageSizeProblems(request.image_size, model),
    ...referenceProblems(storyImages(request), model),
    ...duplicateProblems(request.characters, "characters"),
    ...request.characters.flatMap(({ states }, index) => stateKeyProblems(states, index)),
    ...duplicateProblems(request.locations ?? [], "locations"),
    ...request.scenes.flatMap((_, index) => sceneProblems(request, index, model)),
  ];
}

/**
 * Rejects a request with problems.
 *
 * @throws AppError with the code of the first problem (422) and all problems in `details`.
 */
export function refuse(problems: readonly PlanProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError(first.code, describeProblems(problems), { details: problems });
}

/** Checks that the model supports the requested image size, if any. */
export function imageSizeProblems(imageSize: string | undefined, model: PlanModel): PlanProblem[] {
  if (imageSize === undefined || model.imageSizes.includes(imageSize)) return [];
  return [
    {
      path: "image_size",
      code: "unsupported_image_size",
      message: `must be one of ${model.imageSizes.join(", ")} for ${model.id}`,
      supported: model.imageSizes,
    },
  ];
}

/** Checks that the model supports the requested aspect ratio, if any. */
export function aspectRatioProblems(
  aspectRatio: string | undefined,
  path: string,
  model: PlanModel,
): PlanProblem[] {
  if (aspectRatio === undefined || model.aspectRatios.includes(aspectRatio)) return [];
  return [
    {
      path,
      code: "unsupported_aspect_ratio",
      message: `must be one of ${model.aspectRatios.join(", ")} for ${model.id}`,
      supported: model.aspectRatios,
    },
  ];
}

/** Rejects reference images for a model that would ignore them. */
export function referenceProblems(
  images: readonly { readonly path: string }[],
  model: Pick<PlanModel, "id" | "maxReferenceImages">,
): PlanProblem[] {
  if (model.maxReferenceImages > 0) return [];
  return images.map(({ path }) => ({
    path,
    code: "references_not_supported",
    message: `must be omitted, because ${model.id} does not support reference images`,
  }));
}

/** Returns one problem for each name that occurs earlier in the list. */
export function duplicateProblems(
  named: readonly { readonly name: string }[],
  path: string,
): PlanProblem[] {
  const names = named.map(({ name }) => cleanName(name));
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          {
            path: `${path}.${index}.name`,
            code: "duplicate_name",
            message: `must be unique: "${name}" occurs more than once`,
          },
        ],
  );
}

/** State keys are distinct, but two may be the same text in different Unicode forms. */
function stateKeyProblems(states: object | undefined, index: number): PlanProblem[] {
  const keys = Object.keys(states ?? {});
  const cleaned = keys.map(cleanName);
  return keys.flatMap((key, at) =>
    cleaned.indexOf(cleanName(key)) === at
      ? []
      : [
          {
            path: `characters.${index}.states.${key}`,
            code: "duplicate_name",
            message: `must be unique: "${cleanName(key)}" occurs more than once`,
          },
        ],
  );
}

function sceneProblems(request: StoryRequest, index: number, model: PlanModel): PlanProblem[] {
  const scene = request.scenes[index];
  if (scene === undefined) return [];
  const path = `scenes.${index}`;
  const appearing = scene.characters ?? [];
  const locations = (request.locations ?? []).map(({ name }) => cleanName(name));
  return [
    ...aspectRatioProblems(scene.aspect_ratio, `${path}.aspect_ratio`, model),
    ...duplicateProblems(appearing, `${path}.characters`),
    ...appearing.flatMap(({ name, state }, at) =>
      appearanceProblems(request, cleanName(name), state, `${path}.characters.${at}`),
    ),
    ...(scene.location === undefined || locations.includes(cleanName(scene.location))
      ? []
      : [
          unknown(
            "unknown_location",
            `${path}.location`,
            `location "${scene.location}" is not defined`,
            locations,
          ),
        ]),
  ];
}

function appearanceProblems(
  request: StoryRequest,
  name: string,
  state: string | undefined,
  path: string,
): PlanProblem[] {
  const character = request.characters.find((candidate) => cleanName(candidate.name) === name);
  if (character === undefined) {
    const names = request.characters.map((candidate) => cleanName(candidate.name));
    return [
      unknown("unknown_character", `${path}.name`, `character "${name}" is not defined`, names),
    ];
  }
  const states = Object.keys(character.states ?? {}).map(cleanName);
  if (state === undefined || states.includes(cleanName(state))) return [];
  return [
    unknown(
      "unknown_state",
      `${path}.state`,
      `character "${name}" has no state "${state}"`,
      states,
    ),
  ];
}

/** The problem of a name that is not defined, with those that are. */
export function unknown(
  code: "unknown_character" | "unknown_state" | "unknown_location",
  path: string,
  subject: string,
  available: readonly string[],
): PlanProblem {
  const names = available.map((name) => `"${name}"`).join(", ");
  return { path, code, message: `${subject}; defined: ${names || "none"}`, available };
}
