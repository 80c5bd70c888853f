import * as z from "zod";
import { eur, nextCursor, timestamp } from "./fields.ts";
import { jobKind, jobStates } from "./jobs.ts";
import { jobKeep } from "./kept.ts";
import { keyMode } from "./keys.ts";
import { book } from "./notes.ts";
import { openaiModel, openaiModelFields } from "./openai/openai-models.ts";
import { operation } from "./operations.ts";
import { renderProgress } from "./progress.ts";
import { waitSeconds } from "./quotes.ts";
import { strictness } from "./request-fields.ts";
import { generationResponse, seed, thumbnailUrl } from "./results.ts";
import { studioLanguage } from "./texts/studio-language.ts";

export const jobStatus = z.enum(jobStates).meta({
  id: "JobStatus",
  description: "`completed`, `failed` and `cancelled` are final.",
});
export type JobStatus = z.infer<typeof jobStatus>;

export const jobError = z
  .strictObject({
    error: z.string().meta({ description: "A stable code.", examples: ["provider_refused"] }),
    message: z.string().meta({ description: "What is wrong, and what to do." }),
    details: z.unknown(),
  })
  .meta({ id: "JobError", description: "The reason of a failed job. Nothing was charged." });

export const renderState = z
  .strictObject({
    role: z.enum(["image", "portrait", "state", "location", "scene"]),
    name: z.string().nullable().meta({ description: "The character or location it shows." }),
    state: z.string().optional().meta({ description: "The key of the character's state." }),
    scene: z.int().positive().optional().meta({ description: "Position in the story, from 1." }),
    status: jobStatus,
    thumbnail_url: thumbnailUrl,
  })
  .meta({ id: "RenderState", description: "An image of a job, and how far it is." });
export type RenderState = z.infer<typeof renderState>;

/** Fields of a job, without those that lists replace. */
export const jobFields = {
  id: z.uuid(),
  kind: jobKind,
  operation: operation.meta({
    description: "What was requested. Only a story has the kind `story`.",
  }),
  status: jobStatus,
  mode: keyMode,
  model: z.string(),
  key: z
    .strictObject({ id: z.uuid(), name: z.string() })
    .nullable()
    .meta({ description: "The key that requested it. Null if it was not recorded." }),
  title: z.string().nullable().meta({
    description:
      "The title that `PATCH /v1/jobs/{id}` gave it, or else that of the story; null without one.",
  }),
  starred: z.boolean().meta({ description: "Whether `PATCH /v1/jobs/{id}` starred it." }),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: "The `metadata` of the request." }),
  source: z
    .strictObject({
      job_id: z.uuid(),
      image: z.int().min(0).meta({ description: "Its position in the result, from 0." }),
      prompt: z.string().nullable().meta({
        description:
          "The first 200 characters of its title or prompt; of a result of a tool, those of the image before. Null without one, after the texts were removed, for jobs that the key may not read, and in events and webhooks.",
      }),
    })
    .nullable()
    .meta({
      description: "The image of a job that this job changes; null for others.",
    }),
  seed: seed.nullable().meta({
    description: "The seed of the first image. Null if it was not recorded.",
  }),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  estimated_wait_seconds: waitSeconds.optional().meta({
    description:
      "Only while pending: estimated seconds until the first image is started; null when unknown.",
  }),
  progress: renderProgress.optional().meta({
    description:
      "Only while an image is made by an engine that reports it (ComfyUI, AUTOMATIC1111), in `GET /v1/jobs/{id}`: the image that was reported last.",
  }),
  cost_eur: eur.meta({ description: "The amount charged; 0.00 unless completed." }),
  scenes_total: z.int().nullable().meta({ description: "Null unless the job is a story." }),
  scenes_completed: z
    .int()
    .nullable()
    .meta({ description: "The number of scenes done. Null unless the job is a story." }),
  renders_total: z.int().meta({
    description: "Number of images to make, with the portraits and locations of a story.",
  }),
  renders_completed: z.int().meta({ description: "The number of these that are done." }),
  keep: jobKeep.nullable().meta({
    description: "Whether the images are kept until they are deleted; null if not.",
  }),
  renders: z.array(renderState).optional().meta({
    description: "Only for jobs with several images to make: each of them, also before completion.",
  }),
};

export const job = z
  .strictObject({
    ...jobFields,
    book: book.nullable().meta({
      description: "The object that `PATCH /v1/jobs/{id}` stored; null without one.",
    }),
    request: z.record(z.string(), z.unknown()).meta({
      description:
        "The request as understood: with its defaults, without `metadata`, and reference URLs without their query.",
    }),
    result: generationResponse.nullable().meta({
      description: "Only when completed. Every read returns new signed URLs.",
    }),
    error: jobError.nullable().meta({ description: "Only when failed." }),
  })
  .meta({ id: "Job", description: "An accepted generation, with its status and result." });
export type Job = z.infer<typeof job>;

export const listedJob = z
  .strictObject({
    ...jobFields,
    prompt: z.string().nullable().meta({
      description: "The first 200 characters of the prompt. Null for a story without one.",
    }),
    result: generationResponse.nullable().meta({
      description: "Only when completed. Every read returns new signed URLs.",
    }),
    error: jobError.nullable().meta({ description: "Only when failed." }),
  })
  .meta({ id: "ListedJob", description: "A job of a list: its prompt instead of its request." });
export type ListedJob = z.infer<typeof listedJob>;

export const jobList = z
  .strictObject({
    jobs: z.array(listedJob).meta({ description: "Newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "JobList" });

/** 202: the generation is accepted and unfinished. */
export const jobAccepted = z
  .strictObject({
    job_id: z.uuid(),
    poll_url: z.url().meta({ description: "Poll this with `GET` until the job is final." }),
    status: z.literal("pending"),
  })
  .meta({ id: "JobAccepted", description: "The generation is accepted and unfinished." });
export type JobAccepted = z.infer<typeof jobAccepted>;

const modelPixels = z.strictObject({
  aspect_ratio: z.string(),
  image_size: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
});
export type ModelPixels = z.infer<typeof modelPixels>;

const model = z
  .strictObject({
    id: z.string().meta({ description: "The `model` of requests." }),
    name: z.string(),
    description: z.string(),
    provider: z.string().meta({ description: "The provider of the model." }),
    supports_multiturn: z.boolean().meta({ description: "Whether it can make stories." }),
    supports_references: z.boolean(),
    max_reference_images: z.int(),
    operations: z.array(operation).meta({ description: "The kinds of generation that it can do." }),
    supports_edit: z.boolean().meta({ description: "Whether it can change a given image." }),
    supports_mask: z
      .boolean()
      .meta({ description: "Whether an edit can be limited to the white area of a mask." }),
    supports_markup: z
      .boolean()
      .meta({ description: "Whether an edit can have hints that are drawn over its image." }),
    supports_combine: z.boolean().meta({ description: "Whether it can combine several images." }),
    supports_seed: z.boolean().meta({
      description:
        "Whether the same `seed` gives the same or a similar image, in files that differ by their watermark and manifest.",
    }),
    supports_negative_prompt: z.boolean(),
    supports_transparency: z
      .boolean()
      .meta({ description: "Whether `background` can be `transparent`." }),
    supports_svg: z.boolean().meta({ description: "Whether its results include an SVG file." }),
    max_n: z.int().meta({ description: "The largest `n`." }),
    parameters: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "JSON schema of the `parameters` that a request may send: options of the engine with their bounds and defaults. Null when it takes none.",
    }),
    aspect_ratios: z.array(z.string()),
    image_sizes: z.array(z.string()),
    default_aspect_ratio: z.string(),
    default_image_size: z.string(),
    pixels: z.array(modelPixels).meta({
      description:
        "The pixels of its images, by aspect ratio and size; empty when the vendor chooses them. Those of an edit follow its image.",
    }),
    sizes: z
      .strictObject({
        multiple_of: z.int().positive(),
        min: z.int().positive(),
        max: z.int().positive(),
        max_pixels: z.int().positive(),
      })
      .nullable()
      .meta({
        description:
          "What `width` and `height` of a request can be: multiples of `multiple_of` from `min` to `max`, with at most `max_pixels` in total. Null when the model takes none.",
      }),
    batch_price_factor: z.number().meta({
      description: "The part of `prices` that an image costs in a batch; 1 when it costs the same.",
    }),
    prices: z
      .array(
        z.strictObject({
          operation: operation.optional(),
          image_size: z.string(),
          eur,
          eur_per_step: eur.optional().meta({
            description:
              "Only for models whose price depends on `parameters.steps`: what each step more or fewer than the default adds to or takes from `eur`.",
          }),
        }),
      )
      .meta({
        description:
          "The price of one image, by size. An entry with `operation` is the price of that operation; the others are for all operations without a price of their own.",
      }),
    status: z.enum(["available", "degraded", "retired"]),
    deprecated_at: timestamp
      .nullable()
      .meta({ description: "Since when new programs should not use the model." }),
    retires_at: timestamp.nullable().meta({ description: "When its requests are refused." }),
    successor: z
      .string()
      .nullable()
      .meta({ description: "The model to use when this one is retired." }),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof model>;

/** 200 of `GET /v1/models`, for the clients of this service and for those of OpenAI. */
export const modelList = z
  .strictObject({
    object: z.literal("list"),
    models: z.array(model),
    data: z.array(openaiModel).meta({
      description:
        "The same models for OpenAI's clients, and the names that the operator maps to models.",
    }),
  })
  .meta({ id: "ModelList" });

/** 200 of `GET /v1/models/{id}`. */
export const oneModel = model.extend(openaiModelFields).meta({ id: "OneModel" });

export const account = z
  .strictObject({
    id: z.uuid(),
    name: z.string().optional().meta({
      description: "Omitted for test keys, and for keys with a budget or without the scope `read`.",
    }),
    balance_eur: eur.meta({
      description:
        "The amount that the key may spend: the balance, or the rest of its budget if that is less; 0.00 for a test key.",
    }),
    held_eur: eur.optional().meta({
      description: "The amount held for unfinished jobs. Omitted like `name`.",
    }),
    strictness: strictness.meta({ description: "The default for requests." }),
    retention_hours: z.number().meta({
      description: "How long the images of a final job are kept, in hours.",
    }),
    max_retention_hours: z.number().meta({ description: "The operator's limit." }),
    low_balance_eur: eur.nullable().meta({
      description:
        "When `balance_eur` falls below this amount, the event `account.balance_low` is sent; null for never.",
    }),
    language: studioLanguage.nullable().meta({
      description: "The language of Studio; null for that of the browser.",
    }),
    keep_starred: z.boolean().meta({
      description: "Whether starring a job also keeps its images.",
    }),
    assistant: z.boolean().meta({
      description:
        "Whether this server has an assistant that rewrites prompts and drafts stories: `POST /v1/assist/…`.",
    }),
    sharing: z.boolean().meta({
      description: "Whether this service has links to images (`POST /v1/shares`).",
    }),
    makers_read_all: z.boolean().meta({
      description:
        "Whether members with the role `maker` read all jobs, not only their own. They change only their own.",
    }),
    disabled_webhooks: z.array(z.uuid()).meta({
      description:
        "Ids of webhooks that were disabled after five days without a success, or ended with their key.",
    }),
  })
  .meta({ id: "Account" });
export type Account = z.infer<typeof account>;

/** Body of every response that is not a 2xx. */
export const errorBody = z
  .strictObject({
    error: z.string().meta({ description: "A stable code.", examples: ["invalid_request"] }),
    message: z.string().meta({ description: "What is wrong, and what to do." }),
    request_id: z.string().meta({ description: "The `X-Request-Id` of the response." }),
    details: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()])
      .meta({ description: "Further information; its form depends on the code." }),
  })
  .meta({ id: "Error", description: "Body of every response that is not a 2xx." });
export type ErrorBody = z.infer<typeof errorBody>;
