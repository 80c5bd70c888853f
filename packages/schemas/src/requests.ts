import * as z from "zod";
import {
  cursor,
  description,
  modelId,
  name,
  optional,
  pageSize,
  prompt,
  text,
  isUsualTime,
  usualTime,
} from "./fields.ts";
import { maxImages, operation } from "./operations.ts";

export const strictness = z.enum(["normal", "liberal"]).meta({
  id: "Strictness",
  description:
    "`normal`: brand-safe. `liberal`: refuses only what is illegal, hateful or deceptive.",
});
export type Strictness = z.infer<typeof strictness>;

const aspectRatio = z
  .string()
  .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, 'must be two whole numbers like "16:9"')
  .meta({
    description: "One of the model's `aspect_ratios`. Default: its `default_aspect_ratio`.",
    examples: ["16:9"],
  });
const imageSize = text.max(20).meta({
  description: "One of the model's `image_sizes`. Default: its `default_image_size`.",
  examples: ["1K"],
});

function isDataUrl(input: unknown): boolean {
  return typeof input === "string" && input.startsWith("data:");
}

/**
 * The URL of an image.
 *
 * @param idField the field for the id of an upload, which is named for a `data:` URL.
 */
export function imageUrl(idField: "upload_id" | "file_id") {
  const useUploads = `must be an HTTPS URL: send the image to POST /v1/uploads and use its id as ${idField}`;
  // HTTPS is required on acceptance only: URLs of our own storage may be plain HTTP on one machine.
  return z
    .url({
      protocol: /^https?$/,
      // For a missing value or another type, the default messages apply.
      error: ({ code, input }) => {
        if (code !== "invalid_format") return undefined;
        return isDataUrl(input) ? useUploads : "must be a valid HTTPS URL";
      },
    })
    .max(4_096, {
      error: ({ input }) => (isDataUrl(input) ? useUploads : undefined),
    })
    .meta({
      description:
        "A publicly accessible HTTPS URL of a PNG, JPEG or WebP, or a signed URL of this service.",
      examples: ["https://images.example.com/harbour.png"],
    });
}

export const referenceUrl = imageUrl("upload_id");

/** Maximum number of reference images of one request, also for models that accept more. */
export const maxReferenceImages = 5;

/** The source of an image: exactly one of `url`, `upload_id` and `job_id`. */
const imageSourceFields = {
  url: optional(referenceUrl),
  upload_id: optional(z.uuid().toLowerCase()).meta({
    description: "The `id` of an upload.",
  }),
  job_id: optional(z.uuid().toLowerCase()).meta({
    description: "The id of a completed job, whose image is used.",
  }),
  image: optional(z.int().min(0).max(9)).meta({
    description: "With `job_id`: which of its images or scenes, from 0. Default: 0.",
  }),
};

/** An image of a request: a URL, an upload, or the image of a job. */
export interface ImageSource {
  readonly url?: string | undefined;
  readonly upload_id?: string | undefined;
  readonly job_id?: string | undefined;
  readonly image?: number | undefined;
}

function hasOneSource({ url, upload_id, job_id, image }: ImageSource): boolean {
  const sources = [url, upload_id, job_id].filter((source) => source !== undefined);
  return sources.length === 1 && (image === undefined || job_id !== undefined);
}

const oneSource = "must have exactly one of url, upload_id and job_id; image only with job_id";

const imageSource = z
  .strictObject(imageSourceFields)
  .refine(hasOneSource, { error: oneSource })
  .meta({ id: "ImageSource", description: "A URL, an upload, or the image of a job." });

const referenceImage = z
  .strictObject({
    description: description.meta({
      description: "What the image shows. The model uses it to decide what to reference.",
      examples: ["the harbour of the story, seen from the sea"],
    }),
    ...imageSourceFields,
  })
  .refine(hasOneSource, { error: oneSource })
  .meta({ id: "ReferenceImage", description: "An image that anchors style or context." });
export type ReferenceImage = z.infer<typeof referenceImage>;

const referenceImages = optional(
  z.array(referenceImage).max(maxReferenceImages).meta({
    description: "Style and context anchors, for models whose `supports_references` is true.",
  }),
);

const strictnessOfRequest = optional(strictness).meta({
  description: "The level of moderation. Default: the account's strictness.",
});

/** The largest seed, 2³² − 1. */
export const maxSeed = 2 ** 32 - 1;

/** Number of seeds: seeds of several images wrap around after the largest. */
export const seedCount = maxSeed + 1;

const seed = optional(z.int().min(0).max(maxSeed)).meta({
  description:
    "Start value of the model, for models whose `supports_seed` is true: the same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`.",
});

const imageCount = optional(z.int().min(1).max(maxImages)).meta({
  description:
    "Number of images to make of one prompt, with the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1.",
});

const negativePrompt = optional(description).meta({
  description:
    "What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt.",
});

const background = optional(z.enum(["opaque", "transparent"])).meta({
  description:
    "`transparent` for models whose `supports_transparency` is true; the JPEG is then flattened on white. Default: `opaque`.",
});

const maxMetadata = 16;

const metadataPairs = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine(
    (pairs) => Object.keys(pairs).length <= maxMetadata,
    `must have at most ${maxMetadata} pairs`,
  )
  .meta({ maxProperties: maxMetadata, examples: [{ order: "A-1027" }] });

const metadata = optional(metadataPairs).meta({
  description:
    "Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.",
});
export type Metadata = Readonly<Record<string, string>>;

/** Options of requests that make images from one prompt. */
const imageOptions = {
  n: imageCount,
  seed,
  negative_prompt: negativePrompt,
  background,
  metadata,
};

const rawPrompts = optional(z.boolean()).meta({
  description: "Send prompts to the model unchanged. Default: false.",
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
    ...imageOptions,
  })
  .meta({ id: "ImageRequest" });
export type ImageRequest = z.infer<typeof imageRequest>;

/** Body of `POST /v1/generate/edit`. */
export const editRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What to change, or what the masked area shows afterwards.",
      examples: ["a red sailing boat on the water"],
    }),
    image: imageSource.meta({
      description: "The image to change, of at most 16.7 megapixels (4096 × 4096).",
    }),
    mask: optional(imageSource).meta({
      description:
        "Limits the change, for models whose `supports_mask` is true: an image of the same size, in which white marks what to change and black what to keep. In an image with transparency, the transparent pixels mark what to change. The result has the size of `image`, and its pixels outside of the mask are kept.",
    }),
    strength: optional(z.number().min(0).max(1)).meta({
      description:
        "How much to change, from 0 (keep the image) to 1 (replace it), for models that have such a setting. Default: the model's.",
    }),
    image_size: optional(imageSize),
    reference_images: referenceImages,
    strictness: strictnessOfRequest,
    ...imageOptions,
  })
  .meta({ id: "EditRequest" });
export type EditRequest = z.infer<typeof editRequest>;

const part = z
  .strictObject({
    description: description.meta({
      description: "What the image shows, and what the combination takes from it.",
      examples: ["the red sailing boat"],
    }),
    ...imageSourceFields,
  })
  .refine(hasOneSource, { error: oneSource })
  .meta({ id: "CombinedImage", description: "An image of a combination." });

/** Body of `POST /v1/generate/combine`. */
export const combineRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the combination of the images shows.",
      examples: ["the boat in the harbour, at dusk"],
    }),
    images: z.array(part).min(2).max(maxReferenceImages).meta({
      description: "The images to combine, for models whose `supports_combine` is true.",
    }),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    strictness: strictnessOfRequest,
    ...imageOptions,
  })
  .meta({ id: "CombineRequest" });
export type CombineRequest = z.infer<typeof combineRequest>;

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#1f6feb"')
  .toLowerCase()
  .meta({ examples: ["#1f6feb"] });

const palette = optional(z.array(colour).max(8).meta({ description: "Colours to use." }));

/** Body of `POST /v1/generate/graphic`. */
export const graphicRequest = z
  .strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the graphic shows.",
      examples: ["a rocket over a planet"],
    }),
    kind: z.enum(["icon", "logo", "illustration"]).meta({
      description: "How much it shows: one thing, a mark with initials or an emblem, or a scene.",
    }),
    palette: palette.meta({
      description: "Up to eight colours to use. Default: the model chooses.",
    }),
    background: optional(z.union([z.literal("transparent"), colour])).meta({
      description: "A colour, or `transparent`, which is the default.",
    }),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    strictness: strictnessOfRequest,
    n: imageCount,
    seed,
    negative_prompt: negativePrompt,
    metadata,
  })
  .meta({ id: "GraphicRequest" });
export type GraphicRequest = z.infer<typeof graphicRequest>;

/** A diagram of the longest length that is drawn. Not trimmed: errors have its lines and columns. */
const diagramText = z.string().min(1).max(20_000);

/** Body of `POST /v1/generate/diagram`. */
export const diagramRequest = z
  .strictObject({
    model: modelId,
    prompt: optional(
      diagramText.meta({
        description: "The diagram in words. Exactly one of `prompt` and `source` is required.",
        examples: ["user → API → queue; the queue feeds three workers"],
      }),
    ),
    source: optional(diagramText.meta({ description: "The diagram in `language`." })),
    language: optional(z.enum(["text", "dot", "mermaid"])).meta({
      description:
        "The language of `source`: `text` (words, as in `prompt`; the default), `dot` (Graphviz) or `mermaid` (flowcharts).",
    }),
    direction: optional(z.enum(["right", "down"])).meta({
      description: "Where the arrows lead. Default: as the source says, or right; down for DOT.",
    }),
    palette: palette.meta({
      description: "Up to eight colours: of lines and texts first, then of the shapes in turn.",
    }),
    image_size: optional(imageSize),
    strictness: strictnessOfRequest,
    metadata,
  })
  .refine((body) => (body.prompt === undefined) !== (body.source === undefined), {
    error: "must have exactly one of prompt and source",
  })
  .refine((body) => body.source !== undefined || (body.language ?? "text") === "text", {
    path: ["language"],
    error: "must be omitted with prompt: send DOT and Mermaid as source",
  })
  .meta({ id: "DiagramRequest" });
export type DiagramRequest = z.infer<typeof diagramRequest>;

/** Not trimmed like other names: if two keys became equal, a state would be lost. */
const stateKey = z
  .string()
  .regex(/^\S(.{0,98}\S)?$/u, "must have 1 to 100 characters, and no space at either end");

/** The reference of a character, state or location; if set, no image is made for it. */
const suppliedReference = optional(referenceUrl).meta({
  description: "An image to use as the reference. Default: one is made from the description.",
});

const suppliedSource = optional(imageSource).meta({
  description: "The same as `reference_url` for an upload or an image of a job.",
});

function hasOneReference(subject: {
  readonly reference_url?: string | undefined;
  readonly reference?: ImageSource | undefined;
}): boolean {
  return subject.reference_url === undefined || subject.reference === undefined;
}

function hasReference(subject: Parameters<typeof hasOneReference>[0]): boolean {
  return subject.reference_url !== undefined || subject.reference !== undefined;
}

const oneReference = "must not have both reference_url and reference";

const characterState = z
  .strictObject({
    description: description.meta({ description: "How the character looks in this state." }),
    reference_url: suppliedReference,
    reference: suppliedSource,
  })
  .refine(hasOneReference, { error: oneReference })
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
    reference: suppliedSource,
    states: optional(
      z
        .record(stateKey, characterState)
        .refine(
          (states) => Object.keys(states).length <= maxStates,
          `must have at most ${maxStates} states`,
        )
        .meta({ maxProperties: maxStates }),
    ).meta({ description: "Other looks of the character, by the keys that scenes use." }),
  })
  .refine(hasOneReference, { error: oneReference })
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
    reference: suppliedSource,
  })
  .refine(hasOneReference, { error: oneReference })
  .meta({ id: "Location" });

const appearance = z.strictObject({
  name: name.meta({ description: "The name of one of the story's characters." }),
  state: optional(name).meta({
    description: "A key of that character's states. Default: the character's normal look.",
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
    metadata,
    reference_images: referenceImages,
    characters: z.array(character).min(1).max(10),
    locations: optional(z.array(location).max(20)),
    scenes: z.array(storyScene).min(2).max(10).meta({ description: "In the order of the story." }),
  })
  .refine((story) => JSON.stringify(story).length <= maxStoryLength, {
    error: `must have at most ${maxStoryLength} characters in total`,
  })
  .meta({ id: "StoryRequest" });
export type StoryRequest = z.infer<typeof storyRequest>;

const sceneReference = z
  .strictObject({
    name,
    description: description.meta({ description: "Its appearance, as in the story." }),
    reference_url: optional(referenceUrl).meta({
      description: "The `reference_url` of the story's result, or another HTTPS URL.",
    }),
    reference: suppliedSource,
  })
  .refine((subject) => hasOneReference(subject) && hasReference(subject), {
    error: "must have exactly one of reference_url and reference",
  })
  .meta({ id: "SceneReference", description: "A character or location of an earlier story." });

/** Body of `POST /v1/generate/scene`: one scene with the references of an earlier story. */
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
    ...imageOptions,
  })
  .meta({ id: "SceneRequest" });
export type SceneRequest = z.infer<typeof sceneRequest>;

export const jobKind = z.enum(["image", "story"]);

/** Job statuses; the last three are final. */
export const jobStates = ["pending", "processing", "completed", "failed", "cancelled"] as const;

const moment = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-11-22T12:00:00Z" })
  .refine(isUsualTime, usualTime)
  .meta({ examples: ["2026-11-22T12:00:00Z"] });

/** Filters of `GET /v1/jobs`; in a query, a pair of `metadata` is `metadata.<name>=<value>`. */
export const listJobsQuery = z.strictObject({
  limit: pageSize.meta({ description: "Maximum number of jobs per page." }),
  cursor,
  status: z.enum(jobStates).optional().meta({ description: "Only jobs with this status." }),
  kind: jobKind.optional().meta({ description: "Only jobs of this kind." }),
  operation: operation.optional().meta({ description: "Only jobs of this operation." }),
  key: z.uuid().optional().meta({ description: "Only jobs that the key with this id requested." }),
  model: modelId.optional().meta({ description: "Only jobs that requested this model." }),
  created_after: moment
    .optional()
    .meta({ description: "Only jobs created at this time or later." }),
  created_before: moment.optional().meta({ description: "Only jobs created before this time." }),
  q: text
    .max(200)
    .optional()
    .meta({
      description:
        "Only jobs with all of these words in the first 4,000 characters of their title, prompt, setting and scenes, in any case.",
      examples: ["lighthouse dusk"],
    }),
  request_id: text.max(128).optional().meta({
    description:
      "Only jobs that the request with this `X-Request-Id` created, for example when its response was lost.",
  }),
  metadata: metadataPairs.optional().meta({
    description: "Only jobs with all of these pairs in their `metadata`.",
  }),
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;

/** Query of `GET /v1/jobs/{id}/archive`. */
export const archiveQuery = z.strictObject({
  format: z
    .enum(["png", "jpeg", "webp"])
    .default("png")
    .meta({ description: "The format of the images." }),
});

/** Lower case, as stored; clients may write a UUID in upper case (RFC 9562, section 4). */
export const jobId = z.uuid().toLowerCase().meta({ description: "The id of a job." });
