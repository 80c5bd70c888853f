import * as z from "zod";
import { strictness } from "./requests.ts";

const eur = z.string().regex(/^\d+\.\d{2,6}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const timestamp = z.iso.datetime();

export const imageFormat = z.enum(["png", "jpeg", "webp"]);
export type ImageFormat = z.infer<typeof imageFormat>;

export const formatVariant = z.strictObject({
  format: imageFormat,
  url: z.url(),
  expires_at: timestamp,
  hash: sha256,
  size_bytes: z.int().positive(),
});

const formats = z.partialRecord(imageFormat, formatVariant);

const scene = z.strictObject({
  scene: z.int().positive(),
  title: z.string(),
  image_url: z.url().optional(),
  image_hash: sha256,
  expires_at: timestamp.optional(),
  formats: formats.optional(),
});

const reference = z.strictObject({
  name: z.string(),
  state: z.string().optional(),
  reference_url: z.url().optional(),
  expires_at: timestamp.nullable(),
});

/** 200 of `POST /v1/generate/image`, and `result` of a completed job. */
export const generationResponse = z.strictObject({
  id: z.uuid(),
  model: z.string(),
  ai_generated: z.literal(true),
  cost_eur: eur,
  balance_eur: eur,
  image_url: z.url().optional(),
  image_hash: sha256.optional(),
  image_urls: z.array(z.url()).optional(),
  image_hashes: z.array(sha256).optional(),
  formats: formats.optional(),
  scenes: z.array(scene).optional(),
  characters: z.array(reference).optional(),
  locations: z.array(reference).optional(),
  title: z.string().optional(),
});
export type GenerationResponse = z.infer<typeof generationResponse>;

export const jobStatus = z.enum(["pending", "processing", "completed", "failed", "cancelled"]);
export type JobStatus = z.infer<typeof jobStatus>;

const jobError = z.strictObject({ error: z.string(), message: z.string(), details: z.unknown() });

export const job = z.strictObject({
  id: z.uuid(),
  kind: z.enum(["image", "story"]),
  status: jobStatus,
  model: z.string(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  cost_eur: eur,
  scenes_total: z.int().optional(),
  scenes_completed: z.int().optional(),
  result: generationResponse.nullable(),
  error: jobError.nullable(),
});
export type Job = z.infer<typeof job>;

export const jobList = z.strictObject({
  jobs: z.array(job),
  next_cursor: z.string().nullable(),
});

/** 202: the generation was accepted and is not done yet. */
export const jobAccepted = z.strictObject({
  job_id: z.uuid(),
  poll_url: z.url(),
  status: z.literal("pending"),
});
export type JobAccepted = z.infer<typeof jobAccepted>;

export const model = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  provider: z.string(),
  supports_multiturn: z.boolean(),
  supports_references: z.boolean(),
  max_reference_images: z.int(),
  aspect_ratios: z.array(z.string()),
  image_sizes: z.array(z.string()),
  default_aspect_ratio: z.string(),
  default_image_size: z.string(),
  prices: z.array(z.strictObject({ image_size: z.string(), eur })),
  status: z.enum(["available", "degraded", "retired"]),
  retires_at: timestamp.nullable(),
});
export type Model = z.infer<typeof model>;

export const modelList = z.strictObject({ models: z.array(model) });

export const account = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  balance_eur: eur,
  held_eur: eur,
  strictness,
});

/** Body of every answer that is not a 2xx. */
export const errorBody = z.strictObject({
  error: z.string(),
  message: z.string(),
  request_id: z.string(),
  details: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()]),
});
export type ErrorBody = z.infer<typeof errorBody>;
