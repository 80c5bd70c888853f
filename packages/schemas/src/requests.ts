import * as z from "zod";

export const strictness = z.enum(["normal", "liberal"]);
export type Strictness = z.infer<typeof strictness>;

/** Where the specification says "null or …", null means absent. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

/** Longest text of a prompt, in UTF-16 code units: what the longest-winded provider takes. */
export const maxPromptLength = 32_000;

const text = z.string().trim().min(1);
const prompt = text.max(maxPromptLength);
const description = text.max(4_000);
const name = text.max(100);
const modelId = text.max(100);
const aspectRatio = z
  .string()
  .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, 'must be two whole numbers like "16:9"');
const imageSize = text.max(20);
// That it is HTTPS is checked on acceptance: URLs of our own storage may be plain HTTP on one machine.
const referenceUrl = z.url({ protocol: /^https?$/, error: "must be an HTTPS URL" }).max(4_096);

export const maxReferenceImages = 5;

export const referenceImage = z.strictObject({ description, url: referenceUrl });
export type ReferenceImage = z.infer<typeof referenceImage>;

const referenceImages = optional(z.array(referenceImage).max(maxReferenceImages));

/** Body of `POST /v1/generate/image`. */
export const imageRequest = z.strictObject({
  model: modelId,
  prompt,
  aspect_ratio: optional(aspectRatio),
  image_size: optional(imageSize),
  reference_images: referenceImages,
  strictness: optional(strictness),
});
export type ImageRequest = z.infer<typeof imageRequest>;

/** Not trimmed like other names: two keys that become one would lose a state unseen. */
const stateKey = z
  .string()
  .regex(/^\S(.{0,98}\S)?$/u, "1 to 100 characters, no space at either end");

const characterState = z.strictObject({ description, reference_url: optional(referenceUrl) });

const character = z.strictObject({
  name,
  description,
  reference_url: optional(referenceUrl),
  states: optional(
    z
      .record(stateKey, characterState)
      .refine((states) => Object.keys(states).length <= 5, "at most 5 states per character"),
  ),
});

const location = z.strictObject({ name, description, reference_url: optional(referenceUrl) });

const storyScene = z.strictObject({
  prompt,
  aspect_ratio: optional(aspectRatio),
  characters: optional(z.array(z.strictObject({ name, state: optional(name) })).max(10)),
  location: optional(name),
});

/** Every render that a story begins with carries all its texts, to be moderated before it is made. */
const maxStoryLength = 100_000;

/** Body of `POST /v1/generate/story`. */
export const storyRequest = z
  .strictObject({
    model: modelId,
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    prompt: optional(prompt),
    setting: optional(description),
    style: optional(description),
    raw_prompts: optional(z.boolean()),
    strictness: optional(strictness),
    reference_images: referenceImages,
    characters: z.array(character).min(1).max(10),
    locations: optional(z.array(location).max(20)),
    scenes: z.array(storyScene).min(2).max(10),
  })
  .refine((story) => JSON.stringify(story).length <= maxStoryLength, {
    error: `A story has at most ${maxStoryLength} characters in all`,
  });
export type StoryRequest = z.infer<typeof storyRequest>;

const sceneReference = z.strictObject({ name, description, reference_url: referenceUrl });

/** Body of `POST /v1/generate/scene`: one scene again, with the references of an earlier story. */
export const sceneRequest = z.strictObject({
  model: modelId,
  prompt,
  style: optional(description),
  setting: optional(description),
  characters: optional(z.array(sceneReference).max(10)),
  location: optional(sceneReference),
  aspect_ratio: optional(aspectRatio),
  image_size: optional(imageSize),
  strictness: optional(strictness),
  raw_prompts: optional(z.boolean()),
});
export type SceneRequest = z.infer<typeof sceneRequest>;

/** Query of `GET /v1/jobs`. */
export const listJobsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
  status: z.enum(["pending", "processing", "completed", "failed", "cancelled"]).optional(),
  kind: z.enum(["image", "story"]).optional(),
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;

export const jobId = z.uuid();
