import * as z from "zod";
import { description, modelId, name, optional, prompt, text } from "./fields.ts";

export const strictness = z.enum(["normal", "liberal"]).meta({
  id: "Strictness",
  description: "`normal`: brand-safe. `liberal`: only what the law forbids is refused.",
});
export type Strictness = z.infer<typeof strictness>;

const aspectRatio = z
  .string()
  .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, 'must be two whole numbers like "16:9"')
  .meta({
    description: "One of the model's `aspect_ratios`. Its `default_aspect_ratio` when left out.",
    examples: ["16:9"],
  });
const imageSize = text.max(20).meta({
  description: "One of the model's `image_sizes`. Its `default_image_size` when left out.",
  examples: ["1K"],
});
// That it is HTTPS is checked on acceptance: URLs of our own storage may be plain HTTP on one machine.
const referenceUrl = z
  .url({
    protocol: /^https?$/,
    // Of what is absent, or no text, the usual words are told.
    error: ({ code }) => (code === "invalid_format" ? "must be a valid HTTPS URL" : undefined),
  })
  .max(4_096)
  .meta({
    description:
      "A publicly accessible HTTPS URL of a PNG, JPEG or WebP, or a signed URL of this service.",
    examples: ["https://images.example.com/harbour.png"],
  });

const maxReferenceImages = 5;

const referenceImage = z
  .strictObject({
    description: description.meta({
      description: "What the image shows. The model uses it to decide what to reference.",
      examples: ["the harbour of the story, seen from the sea"],
    }),
    url: referenceUrl,
  })
  .meta({ id: "ReferenceImage", description: "An image that anchors style or context." });
export type ReferenceImage = z.infer<typeof referenceImage>;

const referenceImages = optional(
  z.array(referenceImage).max(maxReferenceImages).meta({
    description: "Style and context anchors, for models whose `supports_references` is true.",
  }),
);

const strictnessOfRequest = optional(strictness).meta({
  description: "How the texts are judged. The account's own when left out.",
});

const rawPrompts = optional(z.boolean()).meta({
  description: "Send prompts to the model as they are, without wrapping them. False when left out.",
});

/** Body of `POST /v1/generate/image`. */
export const imageRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the image shows.",
      examples: ["a lighthouse at dusk, waves against the rocks"],
    }),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    reference_images: referenceImages,
    strictness: strictnessOfRequest,
  })
  .meta({ id: "ImageRequest" });
export type ImageRequest = z.infer<typeof imageRequest>;

/** Not trimmed like other names: two keys that become one would lose a state unseen. */
const stateKey = z
  .string()
  .regex(/^\S(.{0,98}\S)?$/u, "must have 1 to 100 characters, and no space at either end");

/** Of a character, a state or a location: with it, none is made. */
const suppliedReference = optional(referenceUrl).meta({
  description: "An image to use as the reference. One is made from the description when left out.",
});

const characterState = z
  .strictObject({
    description: description.meta({ description: "How the character looks in this state." }),
    reference_url: suppliedReference,
  })
  .meta({ id: "CharacterState", description: "A costume or disguise of a character." });

const maxStates = 5;

const character = z
  .strictObject({
    name: name.meta({
      description: "Used for the character in all scenes; unique in its list.",
      examples: ["Mira"],
    }),
    description: description.meta({
      description: "Detailed appearance, from which a portrait is made.",
      examples: ["a woman with long red hair, freckles and a green coat"],
    }),
    reference_url: suppliedReference,
    states: optional(
      z
        .record(stateKey, characterState)
        .refine(
          (states) => Object.keys(states).length <= maxStates,
          `at most ${maxStates} states per character`,
        )
        .meta({ maxProperties: maxStates }),
    ).meta({ description: "Other looks of the character, by the key that scenes use." }),
  })
  .meta({ id: "Character" });

const location = z
  .strictObject({
    name: name.meta({
      description: "Used for the location in all scenes; unique in its list.",
      examples: ["Beach"],
    }),
    description: description.meta({
      description: "How the location looks.",
      examples: ["a wide beach with dunes and a wooden pier"],
    }),
    reference_url: suppliedReference,
  })
  .meta({ id: "Location" });

const appearance = z.strictObject({
  name: name.meta({ description: "The name of one of the story's characters." }),
  state: optional(name).meta({
    description: "A key of that character's states. The base appearance when left out.",
  }),
});

const storyScene = z
  .strictObject({
    prompt: prompt.meta({
      description: "What happens in the scene.",
      examples: ["Mira finds the kite on the sand"],
    }),
    aspect_ratio: optional(aspectRatio).meta({ description: "Overrides the story's." }),
    characters: optional(z.array(appearance).max(10)).meta({ description: "Who is in the scene." }),
    location: optional(name).meta({ description: "The name of one of the story's locations." }),
  })
  .meta({ id: "StoryScene" });

const storySetting = optional(description).meta({
  description: "Place, time and mood that all scenes share.",
});

const storyStyle = optional(
  description.meta({ description: "Visual style of all images.", examples: ["watercolour"] }),
);

/** Every render that a story begins with carries all its texts, to be moderated before it is made. */
const maxStoryLength = 100_000;

/** Body of `POST /v1/generate/story`. */
export const storyRequest = z
  .strictObject({
    model: modelId,
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    prompt: optional(prompt).meta({ description: "What the whole story is about." }),
    setting: storySetting,
    style: storyStyle,
    raw_prompts: rawPrompts,
    strictness: strictnessOfRequest,
    reference_images: referenceImages,
    characters: z.array(character).min(1).max(10),
    locations: optional(z.array(location).max(20)),
    scenes: z.array(storyScene).min(2).max(10).meta({ description: "In the order of the story." }),
  })
  .refine((story) => JSON.stringify(story).length <= maxStoryLength, {
    error: `A story has at most ${maxStoryLength} characters in all`,
  })
  .meta({ id: "StoryRequest" });
export type StoryRequest = z.infer<typeof storyRequest>;

const sceneReference = z
  .strictObject({
    name,
    description: description.meta({ description: "How it looks, as the story said." }),
    reference_url: referenceUrl.meta({
      description: "The `reference_url` of the story's result, or another HTTPS URL.",
    }),
  })
  .meta({ id: "SceneReference", description: "A character or location of an earlier story." });

/** Body of `POST /v1/generate/scene`: one scene again, with the references of an earlier story. */
export const sceneRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({ description: "What happens in the scene." }),
    style: storyStyle,
    setting: storySetting,
    characters: optional(z.array(sceneReference).max(10)),
    location: optional(sceneReference),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    strictness: strictnessOfRequest,
    raw_prompts: rawPrompts,
  })
  .meta({ id: "SceneRequest" });
export type SceneRequest = z.infer<typeof sceneRequest>;

export const jobKind = z.enum(["image", "story"]);

/** The last three are final. */
export const jobStates = ["pending", "processing", "completed", "failed", "cancelled"] as const;

/** Query of `GET /v1/jobs`. */
export const listJobsQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: "How many jobs a page has." }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "The `next_cursor` of the page before." }),
  status: z.enum(jobStates).optional().meta({ description: "Only jobs in this state." }),
  kind: jobKind.optional().meta({ description: "Only jobs of this kind." }),
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;

/** As it is stored: a UUID may be written in capital letters as well (RFC 9562, section 4). */
export const jobId = z.uuid().toLowerCase().meta({ description: "The id of a job." });
