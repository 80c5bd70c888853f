import * as z from "zod";
import { parameters } from "./engine-parameters.ts";
import { jobEventType, type JobEventType } from "./events.ts";
import { description, name, optional, text, wholeNumber } from "./fields.ts";
import { spellFormat, spellName, spellRatio } from "./texts/spellings.ts";

/** The id of a job in examples. */
export const exampleJobId = "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";

/** The id of a kept character in examples. */
export const exampleCharacterId = "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b60";

/** The largest number of images of one request. */
export const maxImages = 10;

export const strictness = z.enum(["normal", "liberal"]).meta({
  id: "Strictness",
  description:
    "`normal`: brand-safe. `liberal`: refuses only what is illegal, hateful or deceptive.",
});
export type Strictness = z.infer<typeof strictness>;

export const aspectRatio = z
  .preprocess(
    spellRatio,
    text
      .max(20)
      .meta({ examples: ["16:9"] })
      .optional(),
  )
  .meta({
    description:
      "One of the model's `aspect_ratios`, also as `16x9`, `16/9` or another ratio that is equal. Default, also for `auto`: its `default_aspect_ratio`.",
  });
export const imageSize = z
  .preprocess(
    (value) => (spellName(value) === "auto" ? undefined : value),
    text
      .max(20)
      .meta({ examples: ["1K"] })
      .optional(),
  )
  .meta({
    description:
      "One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.",
  });

const pixels = (side: string) =>
  wholeNumber(z.int().min(1).max(16_384)).meta({
    description: `The exact ${side} in pixels, for models that have \`sizes\`. \`width\` and \`height\` are given together, in place of \`aspect_ratio\` and \`image_size\`. The price is that of the smallest of the model's \`pixels\` with at least as many.`,
  });

/** The exact size of a result. */
export const exactSize = { width: pixels("width"), height: pixels("height") };

/** A size as requests ask for it. */
interface SizedRequest {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly aspect_ratio?: string | undefined;
  readonly image_size?: string | undefined;
}

/** Refuses one of `width` and `height` without the other, and both beside another size. */
export function refineSize<Schema extends z.ZodType<SizedRequest>>(schema: Schema): Schema {
  return schema
    .refine(({ width, height }) => (width === undefined) === (height === undefined), {
      path: ["width"],
      error: "must be given together with height",
    })
    .refine((body) => body.width === undefined || body.aspect_ratio === undefined, {
      path: ["aspect_ratio"],
      error: "must be absent beside width and height",
    })
    .refine((body) => body.width === undefined || body.image_size === undefined, {
      path: ["image_size"],
      error: "must be absent beside width and height",
    });
}

function isDataUrl(input: unknown): boolean {
  return typeof input === "string" && input.startsWith("data:");
}

/**
 * The URL of an image.
 *
 * @param idField the field for the id of an upload, which is named for a `data:` URL.
 */
export function imageUrl(idField: "upload_id" | "file_id") {
  const useUploads = `must be an HTTPS URL: send the image ${idField === "upload_id" ? "as base64, or " : ""}to POST /v1/uploads and use its id as ${idField}`;
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
        "A publicly accessible HTTPS URL of a PNG, JPEG, WebP or AVIF, or a signed URL of this service.",
      examples: ["https://images.example.com/harbour.png"],
    });
}

export const referenceUrl = imageUrl("upload_id");

/** Maximum number of reference images of one request, also for models that accept more. */
export const maxReferenceImages = 5;

/** Why `base64` is refused where no image is received. */
export const noBase64 =
  "is only possible in POST /v1/generate, as the only source of its image: send the image to POST /v1/uploads and use its id as upload_id";

/**
 * The source of an image: exactly one of `url`, `upload_id`, `base64`, `job_id`, `character_id` and `location_id`. Of a
 * job, it is one of its images or scenes, or a portrait or location that a story made.
 */
export const imageSourceFields = {
  url: optional(referenceUrl),
  upload_id: optional(z.uuid().toLowerCase()).meta({
    description: "The `id` of an upload.",
  }),
  base64: optional(
    // Routes that receive images replace it by `upload_id` before a request is parsed.
    z.string().refine(() => false, { error: noBase64 }),
  ).meta({
    description:
      "The image itself in base64, with or without a `data:` prefix, in requests to `POST /v1/generate` only: a PNG, JPEG, WebP or AVIF of at most 20 MB. It is deleted when the job is done; the job shows an `upload_id` in its place.",
  }),
  job_id: optional(z.uuid().toLowerCase()).meta({
    description: "The id of a completed job, whose image is used.",
  }),
  image: optional(z.int().min(0).max(9)).meta({
    description: "With `job_id`: which of its images or scenes, from 0. Default: 0.",
  }),
  portrait: optional(name).meta({
    description: "With the `job_id` of a story: the character whose portrait is used.",
    examples: ["Mira"],
  }),
  state: optional(name).meta({
    description:
      "With `portrait` or `character_id`: the key of the character's state. Default: its normal look.",
  }),
  location: optional(name).meta({
    description: "With the `job_id` of a story: the location whose image is used.",
  }),
  character_id: optional(z.uuid().toLowerCase()).meta({
    description: "The `id` of a character of `GET /v1/characters`, whose image is used.",
  }),
  location_id: optional(z.uuid().toLowerCase()).meta({
    description: "The `id` of a location of `GET /v1/locations`, whose image is used.",
  }),
};

/** An image of a request: a URL, an upload, the image of a job, or that of a character or location. */
export interface ImageSource {
  readonly url?: string | undefined;
  readonly upload_id?: string | undefined;
  readonly base64?: string | undefined;
  readonly job_id?: string | undefined;
  readonly image?: number | undefined;
  readonly portrait?: string | undefined;
  readonly state?: string | undefined;
  readonly location?: string | undefined;
  readonly character_id?: string | undefined;
  readonly location_id?: string | undefined;
}

export function hasOneSource({ url, upload_id, base64, job_id, ...part }: ImageSource): boolean {
  const { image, portrait, state, location, character_id, location_id } = part;
  const sources = [url, upload_id, base64, job_id, character_id, location_id].filter(
    (source) => source !== undefined,
  );
  const parts = [image, portrait, location].filter((one) => one !== undefined);
  return (
    sources.length === 1 &&
    parts.length <= (job_id === undefined ? 0 : 1) &&
    (state === undefined || portrait !== undefined || character_id !== undefined)
  );
}

export const oneSource =
  "must have exactly one of url, upload_id, base64, job_id, character_id and location_id; with job_id at most one of image, portrait and location; state only with portrait or character_id";

export const imageSource = z
  .strictObject(imageSourceFields)
  .refine(hasOneSource, { error: oneSource })
  .meta({
    id: "ImageSource",
    description:
      "A URL, an upload, the image itself, that of a job, or that of a character or location that is kept.",
  });

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

export const referenceImages = optional(
  z.array(referenceImage).max(maxReferenceImages).meta({
    description: "Style and context anchors, for models whose `supports_references` is true.",
  }),
);

export const strictnessOfRequest = optional(strictness).meta({
  description: "The level of moderation. Default: the account's strictness.",
});

/** The largest seed, 2³² − 1. */
export const maxSeed = 2 ** 32 - 1;

/** Number of seeds: seeds of several images wrap around after the largest. */
export const seedCount = maxSeed + 1;

export const seed = wholeNumber(z.int().min(0).max(maxSeed)).meta({
  description:
    "Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`.",
});

export const imageCount = wholeNumber(z.int().min(1).max(maxImages)).meta({
  description:
    "Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1.",
});

export const negativePrompt = optional(description).meta({
  description:
    "What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt.",
});

export const background = optional(z.enum(["opaque", "transparent"])).meta({
  description:
    "`transparent` for models whose `supports_transparency` is true. The JPEG is then flattened on white. Default: `opaque`.",
});

/** The format of an image file. */
export const imageFormat = z.enum(["png", "jpeg", "webp"]);
export type ImageFormat = z.infer<typeof imageFormat>;

/** The format of an image that a client sent. */
export const receivedFormat = z.enum([...imageFormat.options, "avif"]);
export type ReceivedFormat = z.infer<typeof receivedFormat>;

/** A format of a request. */
export const requestedFormat = z.preprocess(spellFormat, imageFormat);

const besidesPng = ["jpeg", "webp"] as const;

const outputFields = {
  formats: optional(
    z
      .array(requestedFormat)
      .max(3)
      .transform((formats) => besidesPng.filter((format) => formats.includes(format))),
  ).meta({
    description:
      "The files to make besides the PNG, which is always made, also if it is listed. Default: all. An empty list makes the PNG only.",
  }),
  quality: optional(z.int().min(1).max(100)).meta({
    description:
      "The quality of the JPEG and the WebP, from 1 to 100. Default: 90 for the JPEG and 88 for the WebP.",
  }),
};

/** How the files of a story are made; its images are never in a response. */
export const outputOfStory = optional(z.strictObject(outputFields)).meta({
  description: "Which files are made of each image, and how.",
});

export const output = optional(
  z
    .strictObject({
      ...outputFields,
      inline: optional(z.boolean()).meta({
        description:
          "True adds `base64` to each entry of `formats` of up to 4 MB, in the response to this request only. Default: false.",
      }),
    })
    .meta({ id: "Output" }),
).meta({ description: "Which files are made of each image, and how they are returned." });
export type Output = NonNullable<z.infer<typeof output>>;

const maxMetadata = 16;

/** A text of a client's own that is stored with a job. */
export const metadataValue = z.string().max(512);

/** Pairs of texts that a client stores with a job. */
export const metadataPairs = z
  .record(z.string().min(1).max(64), metadataValue)
  .refine(
    (pairs) => Object.keys(pairs).length <= maxMetadata,
    `must have at most ${maxMetadata} pairs`,
  )
  .meta({ maxProperties: maxMetadata, examples: [{ order: "A-1027" }] });

export const metadata = optional(metadataPairs).meta({
  description:
    "Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.",
});
export type Metadata = Readonly<Record<string, string>>;

export const keep = optional(z.boolean()).meta({
  description:
    "True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false.",
});
/** Events that are sent to the `webhook_url` of a request without `webhook_events`. */
export const defaultWebhookEvents: readonly JobEventType[] = [
  "job.completed",
  "job.failed",
  "job.cancelled",
];

/** Where the events of the job are sent. */
export const requestWebhook = {
  webhook_url: optional(z.url({ protocol: /^https?$/ }).max(2_048)).meta({
    description:
      "Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.",
    examples: ["https://example.com/atelier?order=A-1027"],
  }),
  webhook_events: optional(
    z
      .array(jobEventType)
      .min(1)
      .max(20)
      .transform((list) => [...new Set(list)]),
  ).meta({
    description:
      "The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`.",
  }),
};

/** Options of requests that make images from one prompt. */
export const imageOptions = {
  n: imageCount,
  seed,
  negative_prompt: negativePrompt,
  background,
  parameters,
  output,
  keep,
  metadata,
  ...requestWebhook,
};

export const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#1f6feb"')
  .toLowerCase()
  .meta({ examples: ["#1f6feb"] });

export const palette = optional(z.array(colour).max(8).meta({ description: "Colours to use." }));
