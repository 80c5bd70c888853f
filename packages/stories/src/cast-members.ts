import {
  maxStates,
  type MemberKind,
  type RequestProblem,
  type SceneRequest,
  type StoryRequest,
} from "@atelier/schemas";
import { refuse, unknown, type PlanProblem } from "./check.ts";
import { cleanName } from "./names.ts";
import { appearanceIn } from "./wording.ts";

/** A character or location that an account keeps. */
export interface CastMember {
  readonly kind: MemberKind;
  readonly name: string;
  readonly description: string;
  /** Its other looks, in their order. */
  readonly states: readonly { readonly state: string; readonly description: string }[];
}

/** Kept characters and locations by their ids. */
export type CastMembers = ReadonlyMap<string, CastMember>;

/** The ids of the kept characters and locations that a request names. */
export function memberIds({
  characters = [],
  locations = [],
}: {
  readonly characters?: readonly { readonly character_id?: string | undefined }[] | undefined;
  readonly locations?: readonly { readonly location_id?: string | undefined }[] | undefined;
}): string[] {
  const ids = [
    ...characters.map(({ character_id: id }) => id),
    ...locations.map(({ location_id: id }) => id),
  ];
  return ids.filter((id) => id !== undefined);
}

/**
 * Completes a story with the names, descriptions and images of its kept characters and locations. States of
 * the request are added to those of the character; one with the same key replaces it.
 *
 * @throws AppError 422 `unknown_character` or `unknown_location` for ids that are not among the members, or
 *   400 for a character with too many states.
 */
export function castStory(story: StoryRequest, members: CastMembers): StoryRequest {
  refuse([
    ...story.characters.flatMap(({ character_id: id }, index) =>
      unknownMember("character", id, members, `characters.${index}`),
    ),
    ...(story.locations ?? []).flatMap(({ location_id: id }, index) =>
      unknownMember("location", id, members, `locations.${index}`),
    ),
  ]);
  const complete = {
    ...story,
    characters: story.characters.map((one) => completeCharacter(one, members)),
    locations: story.locations?.map((one) => completeLocation(one, members)),
  };
  refuse(complete.characters.flatMap(({ states }, index) => stateProblems(states, index)));
  return complete;
}

type StoryCharacter = StoryRequest["characters"][number];

function completeCharacter(
  { character_id: id, ...character }: StoryCharacter,
  members: CastMembers,
): StoryCharacter {
  const member = id === undefined ? undefined : members.get(id);
  if (member === undefined) return character;
  const states = Object.fromEntries(
    member.states.map(({ state, description }) => [
      state,
      { description, reference: { character_id: id, state } },
    ]),
  );
  const added = Object.entries(character.states ?? {}).map(
    ([key, state]) => [cleanName(key), state] as const,
  );
  return {
    ...character,
    name: character.name || member.name,
    description: member.description,
    reference: { character_id: id },
    states: { ...states, ...Object.fromEntries(added) },
  };
}

type StoryLocation = NonNullable<StoryRequest["locations"]>[number];

function completeLocation(
  { location_id: id, ...location }: StoryLocation,
  members: CastMembers,
): StoryLocation {
  const member = id === undefined ? undefined : members.get(id);
  if (member === undefined) return location;
  const { name, description } = member;
  return { name: location.name || name, description, reference: { location_id: id } };
}

function stateProblems(states: object | undefined, index: number): PlanProblem[] {
  if (Object.keys(states ?? {}).length <= maxStates) return [];
  const message = `must have at most ${maxStates} states, with those of the character`;
  return [{ path: `characters.${index}.states`, code: "invalid_request", message }];
}

/**
 * Completes a scene with the names, descriptions and images of its kept characters and location.
 *
 * @throws AppError 422 `unknown_character`, `unknown_state` or `unknown_location`.
 */
export function castScene(scene: SceneRequest, members: CastMembers): SceneRequest {
  const { characters = [], location } = scene;
  refuse([
    ...characters.flatMap(({ character_id: id, state }, index) => [
      ...unknownMember("character", id, members, `characters.${index}`),
      ...unknownState(id === undefined ? undefined : members.get(id), state, index),
    ]),
    ...unknownMember("location", location?.location_id, members, "location"),
  ]);
  return {
    ...scene,
    characters: scene.characters?.map((one) => completeSubject(one, one.character_id, members)),
    location: location && completeSubject(location, location.location_id, members),
  };
}

type SceneSubject = NonNullable<SceneRequest["location"]>;

function completeSubject(
  { character_id, location_id, state, ...subject }: SceneSubject,
  id: string | undefined,
  members: CastMembers,
): SceneSubject {
  const member = id === undefined ? undefined : members.get(id);
  if (member === undefined) return { ...subject, ...(state !== undefined && { state }) };
  const name = subject.name || member.name;
  const look = findState(member, state);
  if (look === undefined) {
    return { name, description: member.description, reference: { character_id, location_id } };
  }
  return {
    name,
    description: appearanceIn(member.description, look.description),
    reference: { character_id, state: look.state },
  };
}

/** Finds a state of a character by its key. */
export function findState({ states }: CastMember, state: string | undefined) {
  return states.find((one) => state !== undefined && one.state === cleanName(state));
}

/** The problem of a state that a kept character does not have. */
export function unknownState(
  member: CastMember | undefined,
  state: string | undefined,
  index: number,
): PlanProblem[] {
  if (member === undefined || state === undefined || findState(member, state)) return [];
  const keys = member.states.map((one) => one.state);
  const message = `character "${member.name}" has no state "${state}"`;
  return [unknown("unknown_state", `characters.${index}.state`, message, keys)];
}

/** The problem of an id that is not among the kept characters or locations. */
export function unknownMember(
  kind: MemberKind,
  id: string | undefined,
  members: CastMembers,
  path: string,
): (RequestProblem & PlanProblem)[] {
  if (id === undefined || members.get(id)?.kind === kind) return [];
  const message = `there is no ${kind} with the id ${id}; GET /v1/${kind}s lists those that there are`;
  return [{ path: `${path}.${kind}_id`, code: `unknown_${kind}`, message }];
}
