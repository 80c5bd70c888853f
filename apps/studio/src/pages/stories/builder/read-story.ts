import type { ImageSource, StoryRequest } from "@atelier/schemas";
import { texts } from "../../../texts/stories.ts";
import { newDraft, newId, type Appearance, type StoryDraft } from "./draft.ts";

/** A problem of an imported story, with its path in the file. */
export interface StoryProblem {
  /** Empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** An imported story, or what is wrong with it. */
export type ReadStory =
  | { readonly draft: StoryDraft }
  | { readonly problems: readonly StoryProblem[] };

/** A file of the largest story that the API accepts is smaller. */
const maxFileBytes = 1_000_000;

/** Reads a story from a JSON file. */
export async function readStoryFile(file: Blob): Promise<ReadStory> {
  if (file.size > maxFileBytes) return refuse(texts.stories.importTooLarge);
  try {
    return await readStory(JSON.parse(await file.text()));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(texts.stories.importNotJson(error.message));
  }
}

function refuse(message: string): ReadStory {
  return { problems: [{ path: "", message }] };
}

/** Reads a request body with the schemas of the API, which are loaded on the first use. */
export async function readStory(input: unknown): Promise<ReadStory> {
  const { forbidEval } = await import("../forbid-eval.ts");
  forbidEval();
  const { AppError, operations, parseRequest } = await import("@atelier/schemas");
  try {
    return toDraft(parseRequest(operations.story.request, input));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = error.details as readonly StoryProblem[];
    return { problems: problems.map(({ path, message }) => ({ path, message })) };
  }
}

/** The draft of a request. Its scenes must refer to names that it defines. */
function toDraft(story: StoryRequest): ReadStory {
  const problems: StoryProblem[] = [];
  const characters = story.characters.map(({ name, description, states = {}, ...subject }) => ({
    id: newId(),
    name,
    description,
    reference: referenceOf(subject),
    states: Object.entries(states).map(([key, state]) => ({
      id: newId(),
      key,
      description: state.description,
      reference: referenceOf(state),
    })),
  }));
  const locations = (story.locations ?? []).map(({ name, description, ...subject }) => ({
    id: newId(),
    name,
    description,
    reference: referenceOf(subject),
  }));
  const scenes = story.scenes.map((scene, index) => {
    const path = `scenes.${index}`;
    const location = locations.find(({ name }) => name === scene.location);
    if (scene.location !== undefined && location === undefined) {
      problems.push({
        path: `${path}.location`,
        message: texts.stories.unknownPlace(scene.location),
      });
    }
    const shown = (scene.characters ?? []).flatMap(({ name, state: key }, at): Appearance[] => {
      const character = characters.find((one) => one.name === name);
      const state = character?.states.find((one) => one.key === key);
      if (character === undefined) {
        const message = texts.stories.unknownCharacter(name);
        problems.push({ path: `${path}.characters.${at}.name`, message });
        return [];
      }
      if (key !== undefined && state === undefined) {
        const message = texts.stories.unknownLook(name, key);
        problems.push({ path: `${path}.characters.${at}.state`, message });
      }
      return [{ characterId: character.id, stateId: state?.id ?? null }];
    });
    return {
      id: newId(),
      prompt: scene.prompt,
      characters: shown,
      locationId: location?.id ?? null,
      aspectRatio: scene.aspect_ratio ?? "",
    };
  });
  if (problems.length > 0) return { problems };
  return {
    draft: {
      ...newDraft(),
      model: story.model,
      title: story.title ?? "",
      prompt: story.prompt ?? "",
      setting: story.setting ?? "",
      style: story.style ?? "",
      aspectRatio: story.aspect_ratio ?? "",
      imageSize: story.image_size ?? "",
      seed: story.seed === undefined ? "" : String(story.seed),
      negativePrompt: story.negative_prompt ?? "",
      strictness: story.strictness ?? "",
      rawPrompts: story.raw_prompts ?? false,
      castOnly: story.cast_only ?? false,
      parameters: story.parameters ?? {},
      metadata: story.metadata ?? null,
      references: (story.reference_images ?? []).map(({ description, ...reference }) => ({
        id: newId(),
        description,
        reference,
      })),
      characters,
      locations,
      scenes,
    },
  };
}

function referenceOf(subject: {
  readonly reference_url?: string | undefined;
  readonly reference?: ImageSource | undefined;
}): ImageSource | null {
  if (subject.reference_url !== undefined) return { url: subject.reference_url };
  return subject.reference ?? null;
}
