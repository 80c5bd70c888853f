import type { ImageSource } from "@atelier/schemas";
import type { DraftScene, DraftState, StoryDraft } from "./builder/draft.ts";

/** The body of `POST /v1/generate/story`. Properties without a value are undefined. */
export type StoryBody = Readonly<Record<string, unknown>>;

/**
 * The request that the form stands for. Properties that equal the defaults of the service are absent.
 *
 * @param needsTexts whether required texts that are still empty get a placeholder, because prices do
 *   not depend on texts but a request without its texts is not valid.
 */
export function storyRequest(draft: StoryDraft, needsTexts = false): StoryBody {
  const required = (text: string, placeholder: string) =>
    text.trim() || (needsTexts ? placeholder : undefined);
  return {
    model: draft.model,
    title: optional(draft.title),
    prompt: optional(draft.prompt),
    setting: optional(draft.setting),
    style: optional(draft.style),
    aspect_ratio: optional(draft.aspectRatio),
    image_size: optional(draft.imageSize),
    seed: draft.seed === "" ? undefined : Number(draft.seed),
    negative_prompt: optional(draft.negativePrompt),
    strictness: optional(draft.strictness),
    raw_prompts: draft.rawPrompts || undefined,
    cast_only: draft.castOnly || undefined,
    parameters: Object.keys(draft.parameters).length === 0 ? undefined : draft.parameters,
    metadata: draft.metadata ?? undefined,
    reference_images: listOf(
      draft.references.map(({ description, reference }) => ({
        description: required(description, "image"),
        ...reference,
      })),
    ),
    characters: draft.characters.map(({ name, description, reference, states }, index) => ({
      name: required(name, `Character ${index + 1}`),
      description: required(description, "character"),
      ...referenceOf(reference),
      states: statesOf(states, required),
    })),
    locations: listOf(
      draft.locations.map(({ name, description, reference }, index) => ({
        name: required(name, `Place ${index + 1}`),
        description: required(description, "place"),
        ...referenceOf(reference),
      })),
    ),
    scenes: draft.scenes.map((scene) => ({
      prompt: required(scene.prompt, "scene"),
      characters: listOf(appearancesOf(draft, scene, needsTexts)),
      location: locationOf(draft, scene, needsTexts),
      aspect_ratio: optional(scene.aspectRatio),
    })),
  };
}

function optional(text: string): string | undefined {
  return text.trim() || undefined;
}

function listOf<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

function referenceOf(reference: ImageSource | null): object {
  if (reference === null) return {};
  return reference.url === undefined ? { reference } : { reference_url: reference.url };
}

/** The key of a state in the request. */
function stateKey({ key }: DraftState, index: number, needsTexts = false): string {
  return key.trim() || (needsTexts ? `State ${index + 1}` : "");
}

function statesOf(
  states: readonly DraftState[],
  required: (text: string, placeholder: string) => string | undefined,
): object | undefined {
  if (states.length === 0) return undefined;
  return Object.fromEntries(
    states.map((state, index) => [
      required(state.key, `State ${index + 1}`) ?? "",
      { description: required(state.description, "state"), ...referenceOf(state.reference) },
    ]),
  );
}

function appearancesOf(draft: StoryDraft, { characters }: DraftScene, needsTexts: boolean) {
  return characters.flatMap(({ characterId, stateId }) => {
    const index = draft.characters.findIndex(({ id }) => id === characterId);
    const character = draft.characters[index];
    if (character === undefined) return [];
    const at = character.states.findIndex(({ id }) => id === stateId);
    const state = character.states[at];
    const placeholder = needsTexts ? `Character ${index + 1}` : undefined;
    return [
      {
        name: character.name.trim() || placeholder,
        state: state === undefined ? undefined : stateKey(state, at, needsTexts),
      },
    ];
  });
}

function locationOf(draft: StoryDraft, { locationId }: DraftScene, needsTexts: boolean) {
  const index = draft.locations.findIndex(({ id }) => id === locationId);
  const location = draft.locations[index];
  if (location === undefined) return undefined;
  return location.name.trim() || (needsTexts ? `Place ${index + 1}` : undefined);
}
