import type { StoryDraft as DraftedStory } from "@atelier/schemas/endpoints";
import { ApiError } from "../../../api.ts";
import { texts } from "../../../texts/assist.ts";
import { draftedTexts, type StoryDraft } from "./draft.ts";
import { readStory } from "./read-story.ts";

/** The form with the texts of a drafted story, which are marked; its model and settings stay. */
export async function draftFromIdea(
  draft: StoryDraft,
  modelId: string,
  story: DraftedStory["story"],
): Promise<StoryDraft> {
  const read = await readStory({ model: modelId || "any", ...story });
  if ("problems" in read) {
    const code = "unexpected_response";
    throw new ApiError(texts.assist.problems.unusable, { status: 200, code });
  }
  const { title, setting, style, characters, locations, scenes } = read.draft;
  const written = { title, setting, style, characters, locations, scenes };
  const next = { ...draft, ...written, prompt: "", metadata: null, castOnly: false };
  return { ...next, drafted: draftedTexts(next) };
}
