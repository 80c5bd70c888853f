import type { UploadResponse } from "../uploads.ts";
import { exampleJobId, type ImageFormat } from "../request-fields.ts";
import type { Job, JobAccepted, ListedJob, Model } from "../responses.ts";
import type { FormatVariant, GenerationResponse, MarkLayer } from "../results.ts";

/** Responses for the examples of the document. */

export const jobId = exampleJobId;
const storyJobId = "019a9f3d-2b7a-7e04-8c1f-6d0b9e4a7f52";
const uploadId = "019a9f3e-8d15-7a60-b3c4-2e7f1a9c5b08";
const pixels = { width: 1_024, height: 1_024 };
const expiresAt = "2026-11-21T11:00:04.000Z";

/** A sample SHA-256: the digits of `seed`, repeated. */
function sha256(seed: string): string {
  return seed.repeat(64).slice(0, 64);
}

export interface Samples {
  readonly image: GenerationResponse;
  readonly combine: GenerationResponse;
  readonly diagram: GenerationResponse;
  readonly vectorize: GenerationResponse;
  readonly story: GenerationResponse;
  readonly accepted: JobAccepted;
  readonly imageJob: Job;
  /** The same job after `POST /v1/jobs/{id}/keep`. */
  readonly keptJob: Job;
  readonly notedStory: Job;
  readonly processingStory: Job;
  readonly completedStory: Job;
  readonly failedJob: Job;
  readonly cancelledJob: Job;
  readonly models: readonly Model[];
  readonly upload: UploadResponse;
}

/** The address of the server in the examples of endpoints; the document has its own there. */
export const exampleUrl = "https://atelier.example";

/** @param publicUrl the address of the server without a trailing slash. */
export function createSamples(publicUrl: string): Samples {
  const signed = (path: string) =>
    `${publicUrl}/images/${path}?expires=1795345204&signature=5f2c1e0b9a7d4c38`;
  const variants = (path: string, seed: string) =>
    Object.fromEntries(
      (["png", "jpeg", "webp"] as const).map((format, index) => [
        format,
        {
          format,
          url: signed(`${path}.${format}`),
          expires_at: expiresAt,
          hash: sha256(seed + index),
          size_bytes: [1_412_034, 241_877, 156_410][index] ?? 1,
          ...pixels,
        },
      ]),
    ) as Record<ImageFormat, FormatVariant>;

  const formats = variants(`${jobId}/1`, "3a");
  const image: GenerationResponse = {
    id: jobId,
    model: "builtin-illustrator",
    ai_generated: true,
    cost_eur: "0.01",
    balance_eur: "9.99",
    seed: 1_746_209_133,
    image_url: formats.png.url,
    image_hash: formats.png.hash,
    ...pixels,
    layers: ["c2pa", "watermark", "registry"],
    formats,
  };
  const scenes = ["The kite on the sand", "Over the dunes"].map((title, index) => {
    const files = variants(`${storyJobId}/${index + 3}`, String(index + 5));
    return {
      scene: index + 1,
      title,
      image_url: files.png.url,
      image_hash: files.png.hash,
      ...pixels,
      layers: ["c2pa", "watermark", "registry"] satisfies MarkLayer[],
      expires_at: expiresAt,
      formats: files,
    };
  });
  const referenceFile = (render: number) => ({
    reference_url: signed(`${storyJobId}/${render}.png`),
    ...pixels,
    expires_at: expiresAt,
  });
  const story: GenerationResponse = {
    id: storyJobId,
    model: "builtin-illustrator",
    ai_generated: true,
    cost_eur: "0.04",
    balance_eur: "9.95",
    seed: 402_117_590,
    title: "The Lost Kite",
    scenes,
    characters: [{ name: "Mira", ...referenceFile(1) }],
    locations: [{ name: "Beach", ...referenceFile(2) }],
    image_urls: scenes.map(({ image_url }) => image_url),
    image_hashes: scenes.map(({ image_hash }) => image_hash),
  };

  const imageJob: Job = {
    id: jobId,
    kind: "image",
    operation: "image",
    status: "completed",
    mode: "live",
    model: "builtin-illustrator",
    key: { id: "019a9f30-7c11-7b52-a6de-0f9a41c7d2e8", name: "shop" },
    title: null,
    starred: false,
    metadata: { order: "A-1027" },
    source: null,
    seed: 1_746_209_133,
    created_at: "2026-11-21T10:00:02.114Z",
    started_at: "2026-11-21T10:00:02.131Z",
    completed_at: "2026-11-21T10:00:04.002Z",
    cost_eur: "0.01",
    scenes_total: null,
    scenes_completed: null,
    renders_total: 1,
    renders_completed: 1,
    keep: null,
    book: null,
    request: {
      model: "builtin-illustrator",
      prompt: "a lighthouse at dusk",
      aspect_ratio: "1:1",
      image_size: "1K",
      strictness: "normal",
      n: 1,
      seed: 1_746_209_133,
      background: "opaque",
    },
    result: image,
    error: null,
  };
  const pending: Job = {
    ...imageJob,
    status: "pending",
    started_at: null,
    completed_at: null,
    cost_eur: "0.00",
    renders_completed: 0,
    result: null,
  };
  const processingStory: Job = {
    ...pending,
    id: storyJobId,
    kind: "story",
    operation: "story",
    status: "processing",
    started_at: "2026-11-21T10:00:02.131Z",
    seed: 402_117_590,
    scenes_total: 2,
    scenes_completed: 1,
    renders_total: 4,
    renders_completed: 3,
    request: {
      model: "builtin-illustrator",
      prompt: "A short tale of a lost kite",
      aspect_ratio: "1:1",
      image_size: "1K",
      strictness: "normal",
      raw_prompts: false,
      seed: 402_117_590,
      characters: [{ name: "Mira", description: "a woman with long red hair and a green coat" }],
      locations: [{ name: "Beach", description: "a wide beach with dunes" }],
      scenes: [
        { prompt: "Mira finds the kite on the sand" },
        { prompt: "Mira runs over the dunes in the rain" },
      ],
    },
  };
  return {
    image,
    combine: {
      ...image,
      image_urls: [formats.png.url],
      image_hashes: [formats.png.hash],
      images: [
        {
          index: 0,
          seed: 1_746_209_133,
          image_url: formats.png.url,
          image_hash: formats.png.hash,
          ...pixels,
          layers: ["c2pa", "watermark", "registry"],
          formats,
        },
      ],
    },
    diagram: {
      ...image,
      model: "builtin-diagram",
      formats: {
        ...formats,
        svg: {
          ...formats.png,
          format: "svg",
          url: signed(`${jobId}/1.svg`),
          hash: sha256("9c"),
          size_bytes: 18_204,
        },
      },
    },
    vectorize: {
      ...image,
      model: "builtin-tracer",
      formats: {
        ...formats,
        svg: {
          ...formats.png,
          format: "svg",
          url: signed(`${jobId}/1.svg`),
          hash: sha256("9c"),
          size_bytes: 18_204,
        },
      },
    },
    story,
    accepted: { job_id: jobId, poll_url: `${publicUrl}/v1/jobs/${jobId}`, status: "pending" },
    imageJob,
    keptJob: { ...imageJob, keep: { status: "pending", size_bytes: 1_821_345 } },
    processingStory,
    notedStory: {
      ...processingStory,
      title: "The lost kite, second try",
      starred: true,
      book: {
        title: "The lost kite",
        language: "en",
        cover: 1,
        pages: [
          { scene: 2, text: "It rained, and Mira ran." },
          { scene: 1, text: "There it was." },
        ],
      },
    },
    completedStory: {
      ...processingStory,
      status: "completed",
      title: story.title ?? null,
      completed_at: "2026-11-21T10:00:09.480Z",
      scenes_completed: 2,
      renders_completed: 4,
      cost_eur: "0.04",
      result: story,
    },
    failedJob: {
      ...imageJob,
      status: "failed",
      cost_eur: "0.00",
      renders_completed: 0,
      result: null,
      error: {
        error: "content_policy_violation",
        message:
          "The request violates the content policy. Change the text that details[0].path names; nothing was charged.",
        details: [
          {
            path: "prompt",
            code: "content_policy_violation",
            message:
              "The request violates the content policy. Change the text that details[0].path names; nothing was charged.",
            category: "gore",
            strictness: "normal",
            certainty: "certain",
          },
        ],
      },
    },
    cancelledJob: { ...pending, status: "cancelled", completed_at: "2026-11-21T10:00:04.002Z" },
    models,
    upload: {
      id: uploadId,
      url: signed(`uploads/${uploadId}/image.png`),
      expires_at: expiresAt,
      kept_until: "2026-11-22T10:00:04.000Z",
      hash: sha256("7c"),
      size_bytes: 284_113,
      width: 1_024,
      height: 768,
      format: "png",
    },
  };
}

const models: readonly Model[] = [
  {
    id: "builtin-illustrator",
    name: "Built-in illustrator",
    description: "Draws the words of the prompt as a layered vector scene.",
    provider: "builtin",
    supports_multiturn: true,
    supports_references: true,
    max_reference_images: 5,
    operations: ["image", "story", "scene", "edit", "combine"],
    supports_edit: true,
    supports_mask: true,
    supports_markup: false,
    supports_combine: true,
    supports_seed: true,
    supports_negative_prompt: false,
    supports_transparency: false,
    supports_svg: false,
    max_n: 10,
    parameters: null,
    aspect_ratios: ["1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16", "21:9"],
    batch_price_factor: 0.5,
    image_sizes: ["1K", "2K", "4K"],
    default_aspect_ratio: "1:1",
    default_image_size: "1K",
    pixels: [
      { aspect_ratio: "1:1", image_size: "1K", width: 1_024, height: 1_024 },
      { aspect_ratio: "16:9", image_size: "1K", width: 1_368, height: 768 },
    ],
    sizes: { multiple_of: 8, min: 512, max: 4_096, max_pixels: 16_777_216 },
    prices: [
      { image_size: "1K", eur: "0.01" },
      { image_size: "2K", eur: "0.02" },
      { image_size: "4K", eur: "0.04" },
    ],
    status: "available",
    deprecated_at: null,
    retires_at: null,
    successor: null,
  },
];

/** The job as a list shows it. */
export function listed({ request: { prompt }, book: _book, ...rest }: Job): ListedJob {
  return { ...rest, prompt: typeof prompt === "string" ? prompt : null };
}
