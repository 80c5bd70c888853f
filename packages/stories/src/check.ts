import { AppError, type ErrorCode, type RequestProblem, type StoryRequest } from "@atelier/schemas";
import type { PlanModel } from "./facts.ts";
import { cleanName } from "./names.ts";

/** A problem with a request, with what there is to choose from. */
export interface PlanProblem extends RequestProblem {
  readonly code: ErrorCode;
  /** Names in the request. */
  readonly available?: readonly string[];
  /** What the model has. */
  readonly supported?: readonly string[];
}

/** Every rule that a story breaks beyond its schema, in the order of the request. */
export function storyProblems(request: StoryRequest, model: PlanModel): PlanProblem[] {
  return [
    ...aspectRatioProblems(request.aspect_ratio, "aspect_ratio", model),
    ...imageSizeProblems(request.image_size, model),
    ...referenceProblems(referencePaths(request), model),
    ...duplicateProblems(request.characters, "characters", "Two characters"),
    ...request.characters.flatMap(({ states }, index) => stateKeyProblems(states, index)),
    ...duplicateProblems(request.locations ?? [], "locations", "Two locations"),
    ...request.scenes.flatMap((_, index) => sceneProblems(request, index, model)),
  ];
}

/**
 * Refuses a request that has problems: with the code of the first, and all of them in `details`.
 *
 * @throws AppError 422 as each problem's code says.
 */
export function refuse(problems: readonly PlanProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError(
    first.code,
    `${first.path}: ${first.message}. Correct the request and send it again.`,
    { details: problems },
  );
}

/** None when the model has the image size, or none is asked for. */
export function imageSizeProblems(imageSize: string | undefined, model: PlanModel): PlanProblem[] {
  if (imageSize === undefined || model.imageSizes.includes(imageSize)) return [];
  return [
    {
      path: "image_size",
      code: "unsupported_image_size",
      message: `${model.id} has no image size ${imageSize}; it has ${model.imageSizes.join(", ")}`,
      supported: model.imageSizes,
    },
  ];
}

/** None when the model has the aspect ratio, or none is asked for. */
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
      message: `${model.id} has no aspect ratio ${aspectRatio}; it has ${model.aspectRatios.join(", ")}`,
      supported: model.aspectRatios,
    },
  ];
}

/** A model that looks at no images would silently ignore those that the client sends. */
export function referenceProblems(paths: readonly string[], model: PlanModel): PlanProblem[] {
  if (model.maxReferenceImages > 0) return [];
  return paths.map((path) => ({
    path,
    code: "references_not_supported",
    message: `${model.id} does not look at reference images`,
  }));
}

/** One problem for each name that stands in the list before. */
export function duplicateProblems(
  named: readonly { readonly name: string }[],
  path: string,
  what: string,
): PlanProblem[] {
  const names = named.map(({ name }) => cleanName(name));
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          {
            path: `${path}.${index}.name`,
            code: "duplicate_name",
            message: `${what} have the name "${name}"`,
          },
        ],
  );
}

/** Keys of a map differ, but may be the same text in two Unicode forms. */
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
            message: `Two states of the character have the name "${cleanName(key)}"`,
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
    ...duplicateProblems(appearing, `${path}.characters`, "Two characters of this scene"),
    ...appearing.flatMap(({ name, state }, at) =>
      appearanceProblems(request, cleanName(name), state, `${path}.characters.${at}`),
    ),
    ...(scene.location === undefined || locations.includes(cleanName(scene.location))
      ? []
      : [
          unknown(
            "unknown_location",
            `${path}.location`,
            `There is no location "${scene.location}"`,
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
    return [unknown("unknown_character", `${path}.name`, `There is no character "${name}"`, names)];
  }
  const states = Object.keys(character.states ?? {}).map(cleanName);
  if (state === undefined || states.includes(cleanName(state))) return [];
  return [
    unknown(
      "unknown_state",
      `${path}.state`,
      `The character "${name}" has no state "${state}"`,
      states,
    ),
  ];
}

function unknown(
  code: "unknown_character" | "unknown_state" | "unknown_location",
  path: string,
  what: string,
  available: readonly string[],
): PlanProblem {
  const names = available.map((name) => `"${name}"`).join(", ");
  return { path, code, message: `${what}; there is ${names || "none"}`, available };
}

/** Paths of all images that the client brings. */
export function referencePaths(request: StoryRequest): string[] {
  return [
    ...(request.reference_images ?? []).map((_, index) => `reference_images.${index}.url`),
    ...request.characters.flatMap((character, index) => [
      ...suppliedPath(character, `characters.${index}`),
      ...Object.entries(character.states ?? {}).flatMap(([key, state]) =>
        suppliedPath(state, `characters.${index}.states.${key}`),
      ),
    ]),
    ...(request.locations ?? []).flatMap((location, index) =>
      suppliedPath(location, `locations.${index}`),
    ),
  ];
}

function suppliedPath(
  { reference_url }: { readonly reference_url?: string | undefined },
  path: string,
): string[] {
  return reference_url === undefined ? [] : [`${path}.reference_url`];
}
