import type { SceneRequest, StoryRequest } from "@atelier/schemas";
import { refuse, unknown, type PlanProblem } from "./check.ts";
import { cleanName } from "./names.ts";
import { appearanceIn } from "./wording.ts";

/** A story that a scene continues. */
export interface EarlierStory {
  readonly jobId: string;
  /** The request as it was stored. */
  readonly request: StoryRequest;
}

type SceneReference = NonNullable<SceneRequest["location"]>;

/**
 * Completes the request for a scene of an earlier story with what the story says: its model and style, and
 * the descriptions and images of the characters and locations that are named. What the request says itself
 * stays.
 *
 * @throws AppError 422 `unknown_character`, `unknown_state` or `unknown_location`, with every such problem
 *   in `details`.
 */
export function continueStory(scene: SceneRequest, story: EarlierStory): SceneRequest {
  const { request } = story;
  refuse(sceneProblems(scene, request));
  const model = scene.model === "" ? request.model : scene.model;
  // Sizes of one model mean nothing to another.
  const hasSize = scene.width !== undefined || model !== request.model;
  return {
    ...scene,
    model,
    style: scene.style ?? request.style,
    setting: scene.setting ?? request.setting,
    negative_prompt: scene.negative_prompt ?? request.negative_prompt,
    aspect_ratio: scene.aspect_ratio ?? (hasSize ? undefined : request.aspect_ratio),
    image_size: scene.image_size ?? (hasSize ? undefined : request.image_size),
    characters: scene.characters?.map((one) => completeCharacter(one, story)),
    location: scene.location && completeLocation(scene.location, story),
  };
}

function completeCharacter(wanted: SceneReference, { jobId, request }: EarlierStory) {
  const character = find(request.characters, wanted.name);
  if (isComplete(wanted) || character === undefined) return wanted;
  const { name, description } = character;
  const key = wanted.state === undefined ? null : cleanName(wanted.state);
  if (key === null) {
    return { name, description, ...imageOf(character, { job_id: jobId, portrait: name }) };
  }
  const state = character.states?.[key];
  if (state === undefined) return wanted;
  return {
    name,
    description: appearanceIn(description, state.description),
    ...imageOf(state, { job_id: jobId, portrait: name, state: key }),
  };
}

function completeLocation(wanted: SceneReference, { jobId, request }: EarlierStory) {
  const location = find(request.locations ?? [], wanted.name);
  if (isComplete(wanted) || location === undefined) return wanted;
  const { name, description } = location;
  return { name, description, ...imageOf(location, { job_id: jobId, location: name }) };
}

/** The image that the story was given, or else the one that it made. */
export function imageOf(
  { reference_url, reference }: Pick<SceneReference, "reference_url" | "reference">,
  made: NonNullable<SceneReference["reference"]>,
): Pick<SceneReference, "reference_url" | "reference"> {
  return reference_url === undefined ? { reference: reference ?? made } : { reference_url };
}

/** Whether the scene does not take a character or location from the story. */
function isComplete({ description, character_id, location_id }: SceneReference): boolean {
  return [description, character_id, location_id].some((given) => given !== undefined);
}

export function find<Named extends { readonly name: string }>(
  all: readonly Named[],
  name: string,
): Named | undefined {
  return all.find((one) => one.name === cleanName(name));
}

function sceneProblems(scene: SceneRequest, request: StoryRequest): PlanProblem[] {
  const { characters = [], location } = scene;
  return [
    ...characters.flatMap((one, index) =>
      isComplete(one) ? [] : characterProblems(one, request, `characters.${index}`),
    ),
    ...(location === undefined ||
    isComplete(location) ||
    find(request.locations ?? [], location.name)
      ? []
      : [
          unknown(
            "unknown_location",
            "location.name",
            `location "${location.name}" is not in the story`,
            (request.locations ?? []).map(({ name }) => name),
          ),
        ]),
  ];
}

function characterProblems(
  { name, state }: SceneReference,
  request: StoryRequest,
  path: string,
): PlanProblem[] {
  const character = find(request.characters, name);
  if (character === undefined) {
    const names = request.characters.map((one) => one.name);
    const message = `character "${name}" is not in the story`;
    return [unknown("unknown_character", `${path}.name`, message, names)];
  }
  const states = Object.keys(character.states ?? {});
  if (state === undefined || states.includes(cleanName(state))) return [];
  const message = `character "${name}" has no state "${state}"`;
  return [unknown("unknown_state", `${path}.state`, message, states)];
}
