import * as z from "zod";
import { jobKind, jobStates, strictness } from "./requests.ts";

const eur = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .meta({ description: "A plain decimal with 2 to 6 decimals.", examples: ["0.04"] });
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of the file, in hexadecimal." });
const timestamp = z.iso.datetime();
const signedUrl = z.url().meta({ description: "A signed URL. Expires in 1 hour." });

export const imageFormat = z.enum(["png", "jpeg", "webp"]);
export type ImageFormat = z.infer<typeof imageFormat>;

const formatVariant = z
  .strictObject({
    format: imageFormat,
    url: signedUrl,
    expires_at: timestamp.meta({ description: "When the signed URL expires." }),
    hash: sha256,
    size_bytes: z.int().positive(),
  })
  .meta({ id: "FormatVariant", description: "One image in one format." });
export type FormatVariant = z.infer<typeof formatVariant>;

const formats = z.partialRecord(imageFormat, formatVariant).meta({
  description: "The image in each format. Omitted when the files are not kept any more.",
});

const scene = z
  .strictObject({
    scene: z.int().positive().meta({ description: "Its place in the story, from 1." }),
    title: z.string().meta({ description: "A short generated title." }),
    image_url: signedUrl.optional(),
    image_hash: sha256,
    expires_at: timestamp.optional().meta({ description: "When `image_url` expires." }),
    formats: formats.optional(),
  })
  .meta({ id: "Scene" });

const reference = z
  .strictObject({
    name: z.string().meta({ description: "The name given in the request." }),
    state: z.string().optional().meta({ description: "The key of a character's state." }),
    reference_url: z
      .url()
      .optional()
      .meta({ description: "The reference image; a signed URL where it was made here." }),
    expires_at: timestamp.nullable().optional().meta({
      description:
        "When `reference_url` expires; null where the client supplied the reference, and absent with it where the image is not kept any more.",
    }),
  })
  .meta({ id: "Reference", description: "The reference image of a character or location." });

/** 200 of `POST /v1/generate/image`, and `result` of a completed job. */
export const generationResponse = z
  .strictObject({
    id: z.uuid().meta({ description: "The generation, which is the job's id too." }),
    model: z.string().meta({ description: "The model that was used." }),
    ai_generated: z.literal(true).meta({
      description:
        "Always true: a machine made it, with a trained model or by rules (EU AI Act, Art. 50).",
    }),
    cost_eur: eur.meta({ description: "What was charged." }),
    balance_eur: eur.meta({ description: "What was left of the credit after it." }),
    image_url: signedUrl
      .optional()
      .meta({ description: "A signed URL of the PNG. Expires in 1 hour. Omitted for stories." }),
    image_hash: sha256.optional().meta({ description: "SHA-256 of the PNG. Omitted for stories." }),
    image_urls: z
      .array(signedUrl)
      .optional()
      .meta({ description: "Signed URLs of all scenes of a story, as PNG." }),
    image_hashes: z
      .array(sha256)
      .optional()
      .meta({ description: "SHA-256 of all scenes of a story, as PNG." }),
    formats: formats.optional(),
    scenes: z.array(scene).optional().meta({ description: "Stories only." }),
    characters: z
      .array(reference)
      .optional()
      .meta({ description: "Stories only: the portrait of each character and state." }),
    locations: z
      .array(reference)
      .optional()
      .meta({ description: "Stories only; they can be used again for single scenes." }),
    title: z.string().optional().meta({ description: "Stories only: a generated title." }),
  })
  .meta({
    id: "GenerationResponse",
    description: "What was made: one image, or all images of a story.",
  });
export type GenerationResponse = z.infer<typeof generationResponse>;

export const jobStatus = z.enum(jobStates).meta({
  id: "JobStatus",
  description: "`completed`, `failed` and `cancelled` are final.",
});
export type JobStatus = z.infer<typeof jobStatus>;

const jobError = z
  .strictObject({
    error: z.string().meta({ description: "A stable code.", examples: ["provider_refused"] }),
    message: z.string().meta({ description: "What happened, and what to do next." }),
    details: z.unknown(),
  })
  .meta({ id: "JobError", description: "Why a job failed. Nothing was charged for it." });

export const job = z
  .strictObject({
    id: z.uuid(),
    kind: jobKind,
    status: jobStatus,
    model: z.string(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    cost_eur: eur.meta({ description: "What was charged: 0.00 unless completed." }),
    scenes_total: z.int().optional().meta({ description: "Stories only." }),
    scenes_completed: z
      .int()
      .optional()
      .meta({ description: "Stories only: the number of scenes done." }),
    result: generationResponse.nullable().meta({
      description: "Only when completed. Its URLs are signed anew on every read.",
    }),
    error: jobError.nullable().meta({ description: "Only when failed." }),
  })
  .meta({ id: "Job", description: "A generation, from its acceptance to its end." });
export type Job = z.infer<typeof job>;

export const jobList = z
  .strictObject({
    jobs: z.array(job).meta({ description: "Newest first." }),
    next_cursor: z.string().nullable().meta({ description: "Null on the last page." }),
  })
  .meta({ id: "JobList" });

/** 202: the generation was accepted and is not done yet. */
export const jobAccepted = z
  .strictObject({
    job_id: z.uuid(),
    poll_url: z.url().meta({ description: "`GET` it until the job is final." }),
    status: z.literal("pending"),
  })
  .meta({ id: "JobAccepted", description: "The generation was accepted and is not done yet." });
export type JobAccepted = z.infer<typeof jobAccepted>;

const model = z
  .strictObject({
    id: z.string().meta({ description: "What requests name it by." }),
    name: z.string(),
    description: z.string(),
    provider: z.string().meta({ description: "Who makes the images." }),
    supports_multiturn: z.boolean().meta({ description: "Whether it can make stories." }),
    supports_references: z.boolean(),
    max_reference_images: z.int(),
    aspect_ratios: z.array(z.string()),
    image_sizes: z.array(z.string()),
    default_aspect_ratio: z.string(),
    default_image_size: z.string(),
    prices: z
      .array(z.strictObject({ image_size: z.string(), eur }))
      .meta({ description: "The price of one image, by size." }),
    status: z.enum(["available", "degraded", "retired"]),
    retires_at: timestamp.nullable(),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof model>;

export const modelList = z.strictObject({ models: z.array(model) }).meta({ id: "ModelList" });

export const account = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    balance_eur: eur.meta({ description: "What is left to spend." }),
    held_eur: eur.meta({ description: "What is set aside for unfinished jobs." }),
    strictness: strictness.meta({ description: "For requests that do not say." }),
  })
  .meta({ id: "Account" });

/** Body of every answer that is not a 2xx. */
export const errorBody = z
  .strictObject({
    error: z.string().meta({ description: "A stable code.", examples: ["invalid_request"] }),
    message: z.string().meta({ description: "What happened, and what to do next." }),
    request_id: z.string().meta({ description: "The `X-Request-Id` of the answer." }),
    details: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()])
      .meta({ description: "More about it; what it holds depends on the code." }),
  })
  .meta({ id: "Error", description: "Body of every answer that is not a 2xx." });
export type ErrorBody = z.infer<typeof errorBody>;
