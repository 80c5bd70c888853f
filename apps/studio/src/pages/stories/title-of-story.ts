import type { Job } from "@atelier/schemas";
import { storyTitle } from "@atelier/stories/titles";
import { texts } from "../../texts/stories.ts";
import type { ShownRequest } from "./story-cards.ts";

/** The title of a story: one that it was given, or that which the service makes by the same rule at its end. */
export function titleOfStory(job: Job): string {
  const { title, prompt, setting, characters }: ShownRequest = job.request;
  const noted = job.title ?? job.result?.title;
  if (noted !== undefined) return noted;
  // The request is empty after the account was erased.
  if (characters === undefined) return texts.stories.untitled;
  return storyTitle({ title, prompt, setting, characters });
}
