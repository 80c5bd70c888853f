import type { ImageSource } from "@atelier/schemas";
import { readKeptDraft } from "../../../data/kept-draft.ts";
import type { Parameters } from "../../../form/parameters/read-schema.ts";

/** A look of a character other than its normal one. */
export interface DraftState {
  readonly id: string;
  /** Name by which scenes of the request refer to it. */
  readonly key: string;
  readonly description: string;
  readonly reference: ImageSource | null;
}

/** A character of the form. Scenes refer to its id, so that it can be renamed. */
export interface DraftCharacter {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly reference: ImageSource | null;
  readonly states: readonly DraftState[];
}

/** A place of the form. */
export interface DraftLocation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly reference: ImageSource | null;
}

/** A character in a scene. */
export interface Appearance {
  readonly characterId: string;
  /** Null for its normal look. */
  readonly stateId: string | null;
}

/** A scene of the form. */
export interface DraftScene {
  readonly id: string;
  readonly prompt: string;
  readonly characters: readonly Appearance[];
  readonly locationId: string | null;
  /** Empty for that of the story. */
  readonly aspectRatio: string;
}

/** A reference image for all images of the story. */
export interface DraftReference {
  readonly id: string;
  readonly description: string;
  readonly reference: ImageSource | null;
}

/** The values of the form. Empty texts stand for the defaults of the service. */
export interface StoryDraft {
  readonly model: string;
  readonly title: string;
  readonly prompt: string;
  readonly setting: string;
  readonly style: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly seed: string;
  readonly negativePrompt: string;
  readonly strictness: "" | "normal" | "liberal";
  readonly rawPrompts: boolean;
  /** Whether only the portraits and places are made. */
  readonly castOnly: boolean;
  /** Options of the engine, without those that are left to the model. */
  readonly parameters: Parameters;
  /** Kept from an imported file. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly references: readonly DraftReference[];
  readonly characters: readonly DraftCharacter[];
  readonly locations: readonly DraftLocation[];
  readonly scenes: readonly DraftScene[];
  /** Texts as the assistant wrote them, by their keys; empty for a story without it. */
  readonly drafted: Readonly<Record<string, string>>;
}

/** Changes the draft from a part of the form. */
export type ChangeDraft = (update: (draft: StoryDraft) => Partial<StoryDraft>) => void;

/** Maximum numbers that the API allows. */
export const limits = { characters: 10, states: 5, locations: 20, references: 5, scenes: 10 };

/** The smallest number of scenes of a story. */
export const minScenes = 2;

let created = 0;

/** An id within a draft, also after it was kept. */
export function newId(): string {
  created += 1;
  return `${Date.now().toString(36)}-${created}`;
}

export function newCharacter(): DraftCharacter {
  return { id: newId(), name: "", description: "", reference: null, states: [] };
}

export function newLocation(): DraftLocation {
  return { id: newId(), name: "", description: "", reference: null };
}

/** An empty scene with the cast and the place of the one before it. */
export function newScene(before?: DraftScene): DraftScene {
  const { characters = [], locationId = null } = before ?? {};
  return { id: newId(), prompt: "", characters, locationId, aspectRatio: "" };
}

/** A story with one character and two scenes, all of them empty. */
export function newDraft(): StoryDraft {
  return {
    model: "",
    title: "",
    prompt: "",
    setting: "",
    style: "",
    aspectRatio: "",
    imageSize: "",
    seed: "",
    negativePrompt: "",
    strictness: "",
    rawPrompts: false,
    castOnly: false,
    parameters: {},
    metadata: null,
    references: [],
    characters: [newCharacter()],
    locations: [],
    scenes: [newScene(), newScene()],
    drafted: {},
  };
}

/** The key of a text: the name of a field of the story, or the id of an item with the name of its field. */
export type TextKey =
  | "title"
  | "setting"
  | "style"
  | `${string}.${"name" | "description" | "prompt"}`;

/** The texts of a story that the assistant writes, by their keys; without empty ones. */
export function draftedTexts(draft: StoryDraft): Readonly<Record<string, string>> {
  const { title, setting, style, characters, locations, scenes } = draft;
  const written: [TextKey, string][] = [
    ["title", title],
    ["setting", setting],
    ["style", style],
    ...[...characters, ...locations].flatMap(({ id, name, description }): [TextKey, string][] => [
      [`${id}.name`, name],
      [`${id}.description`, description],
    ]),
    ...scenes.map(({ id, prompt }): [TextKey, string] => [`${id}.prompt`, prompt]),
  ];
  return Object.fromEntries(written.filter(([, text]) => text !== ""));
}

/** Whether a text is as the assistant wrote it. */
export function isDrafted({ drafted }: StoryDraft, key: TextKey, text: string): boolean {
  return drafted[key] === text;
}

/** Whether any text is as the assistant wrote it. */
export function hasDrafted(draft: StoryDraft): boolean {
  const current = draftedTexts(draft);
  return Object.entries(draft.drafted).some(([key, text]) => current[key] === text);
}

/** Whether nothing was typed, chosen or added as a picture yet. */
export function isBlank(draft: StoryDraft): boolean {
  return isEmpty(draft);
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).every(([name, inner]) => name === "id" || isEmpty(inner));
  }
  return typeof value === "string" ? value.trim() === "" : value === null || value === false;
}

/** The draft that this tab keeps. References are ids and URLs, never image bytes. */
export function readDraft(): StoryDraft {
  const kept: Partial<StoryDraft> = readKeptDraft("story");
  const draft = { ...newDraft(), ...kept };
  // A draft of another version may have other lists.
  const lists = [draft.references, draft.characters, draft.locations, draft.scenes];
  return lists.every(Array.isArray) ? draft : newDraft();
}

/** The list with one item at another position. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

/** The list with the item of an id changed. */
export function changeItem<Item extends { readonly id: string }>(
  list: readonly Item[],
  id: string,
  part: Partial<Item>,
): readonly Item[] {
  return list.map((item) => (item.id === id ? { ...item, ...part } : item));
}

/**
 * The scenes with one of them changed. Empty scenes after it that have its cast and its place follow it, as they
 * began with these.
 */
export function changeScene(
  scenes: readonly DraftScene[],
  id: string,
  part: Partial<DraftScene>,
): readonly DraftScene[] {
  const index = scenes.findIndex((one) => one.id === id);
  const before = scenes[index];
  if (before === undefined) return scenes;
  const castOf = ({ characters, locationId }: DraftScene) =>
    JSON.stringify([characters, locationId]);
  const { characters, locationId }: DraftScene = { ...before, ...part };
  const ends = scenes.findIndex(
    (one, at) => at > index && (one.prompt.trim() !== "" || castOf(one) !== castOf(before)),
  );
  return scenes.map((one, at) => {
    if (at === index) return { ...before, ...part };
    const follows = at > index && (ends < 0 || at < ends);
    return follows ? { ...one, characters, locationId } : one;
  });
}

/** The list without the item of an id. */
export function removeItem<Item extends { readonly id: string }>(
  list: readonly Item[],
  id: string,
): readonly Item[] {
  return list.filter((item) => item.id !== id);
}
