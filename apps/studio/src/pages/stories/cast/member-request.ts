import type { Job } from "@atelier/schemas";
import { againMetadata } from "../queries.ts";
import type { ShownRequest, StoryImage } from "../story-cards.ts";
import type { StoryBody } from "../story-request.ts";
import { shownOf } from "./cast.ts";

/**
 * The body of `POST /v1/generate/story` that makes one portrait, look or place of a completed story again: a story
 * of its own without scenes, which uses the other pictures that it needs.
 *
 * @param text the description to draw.
 * @param shown the pictures of the cast that scenes use.
 */
export function memberRequest(
  job: Job,
  { member, name }: StoryImage,
  text: string,
  shown: readonly StoryImage[],
): StoryBody {
  const { characters = [], ...story }: ShownRequest = job.request;
  const description = text.trim();
  const { portrait, state, location } = member ?? {};
  /** A character with the picture that scenes use, which is not made again. */
  const withPicture = (character: string | undefined) => {
    const image = shownOf(shown, { portrait: character });
    const subject = { name: character, description: image?.text };
    if (image === undefined) return subject;
    if (image.source === null) {
      return { ...subject, reference: { job_id: image.jobId, portrait: character } };
    }
    const { url } = image.source;
    return url === undefined
      ? { ...subject, reference: image.source }
      : { ...subject, reference_url: url };
  };
  const cast =
    location !== undefined
      ? {
          characters: [withPicture(characters[0]?.name)],
          locations: [{ name: location, description }],
        }
      : state === undefined
        ? { characters: [{ name: portrait, description }] }
        : { characters: [{ ...withPicture(portrait), states: { [state]: { description } } }] };
  return {
    model: job.model,
    title: name.slice(0, 100),
    prompt: story.prompt,
    setting: story.setting,
    style: story.style,
    aspect_ratio: story.aspect_ratio,
    image_size: story.image_size,
    strictness: story.strictness,
    raw_prompts: story.raw_prompts,
    negative_prompt: story.negative_prompt,
    parameters: story.parameters,
    reference_images: story.reference_images,
    ...cast,
    cast_only: true,
    metadata: { [againMetadata.story]: job.id },
  };
}
