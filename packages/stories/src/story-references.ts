import type { StoryRequest } from "@atelier/schemas";
import type { Renders } from "./renders.ts";
import type { PlanModel } from "./facts.ts";
import {
  limitReferences,
  showSubjects,
  styleReferences,
  subjectReference,
  suppliedImage,
  type ImageSource,
} from "./references.ts";
import { contextTexts, labelTexts, stateTexts, styleTexts, type ClientText } from "./texts.ts";
import {
  appearanceIn,
  locationPrompt,
  portraitPrompt,
  statePrompt,
  type Subject,
} from "./wording.ts";

/** The context for planning every image of a story. */
export interface Story {
  /** The request with normalised names and all defaults filled in. */
  readonly request: StoryRequest;
  readonly model: PlanModel;
  readonly renders: Renders;
}

/** A character in one state, or a location, with its image. */
export interface ShownSubject {
  readonly subject: Subject;
  readonly source: ImageSource;
  readonly texts: readonly ClientText[];
}

/** The characters and locations available to scenes. */
export interface Cast {
  /** By name, then by state; null is the base appearance. */
  readonly characters: ReadonlyMap<string, ReadonlyMap<string | null, ShownSubject>>;
  /** By name. */
  readonly locations: ReadonlyMap<string, ShownSubject>;
}

/**
 * Plans every reference image that the client does not supply: portraits, then locations, then
 * states. Portraits and locations have no dependencies; a state waits for its portrait if that is
 * generated. All of them use the shared reference images.
 */
export function planReferences(story: Story): Cast {
  const { request } = story;
  const portraits = new Map(
    request.characters.map((character, index) => [
      character.name,
      planPortrait(story, character, index),
    ]),
  );
  const locations = new Map(
    (request.locations ?? []).map((location, index) => [
      location.name,
      planLocation(story, location, index),
    ]),
  );
  const characters = new Map(
    request.characters.map((character, index) => [
      character.name,
      planPortraits(story, character, index, portraits.get(character.name)),
    ]),
  );
  return { characters, locations };
}

type Character = StoryRequest["characters"][number];

function planPortrait(
  { request, model, renders }: Story,
  character: Character,
  index: number,
): ShownSubject {
  const path = `characters.${index}`;
  const texts = labelTexts(character, path);
  const supplied = suppliedImage(character, path);
  if (supplied !== null) return { subject: character, source: supplied, texts };
  const references = limitReferences(styleReferences(request.reference_images), model);
  const source = renders.add({
    role: "portrait",
    prompt: portraitPrompt(character, request),
    path: `${path}.description`,
    aspectRatio: portraitAspectRatio(model),
    references,
    texts: [...texts, ...contextTexts(request), ...styleTexts(references)],
    name: character.name,
  });
  return { subject: character, source, texts };
}

/** The portrait and the states of a character, by state. */
function planPortraits(
  story: Story,
  character: Character,
  index: number,
  portrait: ShownSubject | undefined,
): ReadonlyMap<string | null, ShownSubject> {
  const portraits = new Map<string | null, ShownSubject>();
  if (portrait === undefined) return portraits;
  portraits.set(null, portrait);
  for (const [key, state] of Object.entries(character.states ?? {})) {
    portraits.set(key, planState(story, { character, index, key, state, portrait }));
  }
  return portraits;
}

interface StateToPlan {
  readonly character: Character;
  readonly index: number;
  readonly key: string;
  readonly state: NonNullable<Character["states"]>[string];
  readonly portrait: ShownSubject;
}

function planState(
  { request, model, renders }: Story,
  { character, index, key, state, portrait }: StateToPlan,
): ShownSubject {
  const path = `characters.${index}.states.${key}`;
  const texts = [...portrait.texts, ...stateTexts(key, state.description, index)];
  const subject = {
    name: character.name,
    description: appearanceIn(character.description, state.description),
  };
  const supplied = suppliedImage(state, path);
  if (supplied !== null) return { subject, source: supplied, texts };
  const references = limitReferences(
    [
      subjectReference("character", subject, portrait.source),
      ...styleReferences(request.reference_images),
    ],
    model,
  );
  const source = renders.add({
    role: "state",
    prompt: statePrompt(subject, request, showSubjects(references)),
    path: `${path}.description`,
    aspectRatio: portraitAspectRatio(model),
    references,
    texts: [...texts, ...contextTexts(request), ...styleTexts(references)],
    name: character.name,
    state: key,
  });
  return { subject, source, texts };
}

type Location = NonNullable<StoryRequest["locations"]>[number];

function planLocation(
  { request, model, renders }: Story,
  location: Location,
  index: number,
): ShownSubject {
  const path = `locations.${index}`;
  const texts = labelTexts(location, path);
  const supplied = suppliedImage(location, path);
  if (supplied !== null) return { subject: location, source: supplied, texts };
  const references = limitReferences(styleReferences(request.reference_images), model);
  const source = renders.add({
    role: "location",
    prompt: locationPrompt(location, request),
    path: `${path}.description`,
    aspectRatio: request.aspect_ratio ?? model.defaultAspectRatio,
    references,
    texts: [...texts, ...contextTexts(request), ...styleTexts(references)],
    name: location.name,
  });
  return { subject: location, source, texts };
}

/** Portrait format if the model supports it, so that a full body fills the image. */
function portraitAspectRatio(model: PlanModel): string {
  return model.aspectRatios.includes("3:4") ? "3:4" : model.defaultAspectRatio;
}
