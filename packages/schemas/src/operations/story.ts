import * as z from "zod";
import { parameters } from "../engine-parameters.ts";
import { description, modelId, name, optional, prompt } from "../fields.ts";
import {
  aspectRatio,
  imageSize,
  keep,
  metadata,
  negativePrompt,
  outputOfStory,
  referenceImages,
  requestWebhook,
  seed,
  strictnessOfRequest,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import {
  characterId,
  hasOneReference,
  locationId,
  maxStates,
  ofMember,
  oneReference,
  rawPrompts,
  refineSubject,
  stateKey,
  storySetting,
  storyStyle,
  suppliedReference,
  suppliedSource,
} from "./story-fields.ts";

const characterState = z
  .strictObject({
    description: description.meta({ description: "How the character looks in this state." }),
    reference_url: suppliedReference,
    reference: suppliedSource,
  })
  .refine(hasOneReference, { error: oneReference })
  .meta({ id: "CharacterState", description: "A costume or disguise of a character." });

const character = z
  .strictObject({
    character_id: characterId,
    name: ofMember(name).meta({
      description:
        "Used for the character in all scenes; unique in its list. Required without `character_id`, whose default is its own.",
      examples: ["Mira"],
    }),
    description: ofMember(description).meta({
      description:
        "Detailed appearance, from which a portrait is made. Required without `character_id`.",
      examples: ["a woman with long red hair, freckles and a green coat"],
    }),
    reference_url: suppliedReference,
    reference: suppliedSource,
    states: optional(
      z
        .record(stateKey, characterState)
        .refine(
          (states) => Object.keys(states).length <= maxStates,
          `must have at most ${maxStates} states`,
        )
        .meta({ maxProperties: maxStates }),
    ).meta({
      description:
        "Other looks of the character, by the keys that scenes use. With `character_id`, in addition to those that it has.",
    }),
  })
  .refine(hasOneReference, { error: oneReference })
  .superRefine((subject, context) => {
    refineSubject(subject, "character_id", subject.character_id, context);
  })
  .meta({ id: "Character" });

const location = z
  .strictObject({
    location_id: locationId,
    name: ofMember(name).meta({
      description:
        "Used for the location in all scenes; unique in its list. Required without `location_id`, whose default is its own.",
      examples: ["Beach"],
    }),
    description: ofMember(description).meta({
      description: "How the location looks. Required without `location_id`.",
      examples: ["a wide beach with dunes and a wooden pier"],
    }),
    reference_url: suppliedReference,
    reference: suppliedSource,
  })
  .refine(hasOneReference, { error: oneReference })
  .superRefine((subject, context) => {
    refineSubject(subject, "location_id", subject.location_id, context);
  })
  .meta({ id: "Location" });

/** A plain text is short for a name. */
const appearance = z.preprocess(
  (value) => (typeof value === "string" ? { name: value } : value),
  z.strictObject({
    name: name.meta({ description: "The name of one of the story's characters." }),
    state: optional(name).meta({
      description: "A key of that character's states. Default: the character's normal look.",
    }),
  }),
);

/** A story has at least two scenes, or none. */
function refuseSingle(scenes: readonly unknown[], context: z.RefinementCtx): void {
  if (scenes.length !== 1) return;
  context.addIssue({
    code: "too_small",
    origin: "array",
    minimum: 2,
    inclusive: true,
    input: scenes,
  });
}

const storyScene = z
  .strictObject({
    prompt: prompt.meta({
      description: "What happens in the scene.",
      examples: ["Mira finds the kite on the sand"],
    }),
    aspect_ratio: optional(aspectRatio).meta({ description: "Overrides the story's." }),
    characters: optional(z.array(appearance).max(10)).meta({
      description: "Who is in the scene. A plain text is short for a name.",
    }),
    location: optional(name).meta({ description: "The name of one of the story's locations." }),
  })
  .meta({ id: "StoryScene" });

/** Renders without dependencies carry all texts of the story, because those are moderated first. */
const maxStoryLength = 100_000;

/** Body of `POST /v1/generate/story`. */
export const storyRequest = z
  .strictObject({
    model: modelId,
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    title: optional(name).meta({
      description: "The title of the story. Default: one made of its texts.",
      examples: ["The Lost Kite"],
    }),
    prompt: optional(prompt).meta({ description: "The topic of the story." }),
    setting: storySetting,
    style: storyStyle,
    raw_prompts: rawPrompts,
    strictness: strictnessOfRequest,
    seed: seed.meta({
      description:
        "Start value of the first portrait, from which those of the other images are derived, for models whose `supports_seed` is true. Default: a random one, returned as `seed`.",
    }),
    negative_prompt: negativePrompt,
    parameters,
    output: outputOfStory,
    keep,
    metadata,
    ...requestWebhook,
    reference_images: referenceImages,
    characters: z.array(character).min(1).max(10),
    locations: optional(z.array(location).max(20)),
    cast_only: optional(z.boolean()).meta({
      description:
        "True makes and charges only the portraits and locations. `scenes` may then be omitted. Default: false.",
    }),
    scenes: optional(z.array(storyScene).max(10).superRefine(refuseSingle))
      .transform((scenes) => scenes ?? [])
      .meta({
        description:
          "2 to 10, in the order of the story. Required without `cast_only`; with it, they may be empty.",
      }),
  })
  .refine(({ cast_only, scenes }) => cast_only === true || scenes.length > 0, {
    path: ["scenes"],
    error: "is required without cast_only",
  })
  .refine((story) => JSON.stringify(story).length <= maxStoryLength, {
    error: `must have at most ${maxStoryLength} characters in total`,
  })
  .meta({ id: "StoryRequest" });
export type StoryRequest = z.infer<typeof storyRequest>;

export const story = {
  request: storyRequest,
  kind: "story",
  task: null,
  method: "generateStory",
  summary: "Generate a story",
  description:
    "Makes a portrait of each character and state, an image of each location, and then the scenes in order; with `cast_only`, no scenes. Every text and prompt is moderated by the built-in rules first: 422 `content_policy_violation` or 451 `content_illegal` names the field, and nothing is held. An accepted story is 202 with the job. Later failures, such as a text that the operator's remote model refuses, are the job's `error`. The model's `supports_multiturn` must be true.",
  examples: {
    story: [
      "Two scenes",
      {
        model: "builtin-illustrator",
        prompt: "A short tale of a lost kite",
        style: "watercolour",
        characters: [
          {
            name: "Mira",
            description: "a woman with long red hair and a green coat",
            states: { rain: { description: "wearing a yellow raincoat" } },
          },
        ],
        locations: [{ name: "Beach", description: "a wide beach with dunes" }],
        scenes: [
          {
            prompt: "Mira finds the kite on the sand",
            characters: [{ name: "Mira" }],
            location: "Beach",
          },
          {
            prompt: "Mira runs over the dunes in the rain",
            aspect_ratio: "16:9",
            characters: [{ name: "Mira", state: "rain" }],
            location: "Beach",
          },
        ],
      },
    ],
  },
  errors: ["unknown_character", "unknown_state", "unknown_location", "duplicate_name"],
  tool: {
    name: "generate_story",
    title: "Generate a story",
    description:
      "Makes an illustrated story of 2 to 10 scenes whose characters and locations stay themselves, by a model with supports_multiturn. Charges the price of an image for each character, state, location and scene. Often takes longer than wait_seconds: it answers with the unfinished job then; call get_job until it is completed.",
  },
  command: { name: "story", summary: "make a story, save its scenes and print their paths" },
} as const satisfies OperationDefinition<StoryRequest>;
