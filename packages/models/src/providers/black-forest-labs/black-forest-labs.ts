import * as z from "zod";
import type { Provider, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithEditArea } from "../describe-references.ts";
import { toBase64 } from "../encode-reference.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { statedUnits, toVendorAmount, type VendorUsage } from "../../vendor-usage.ts";
import { createAdapter, type AdapterCall } from "../http/adapter.ts";
import { invalidRequest, refused, unavailable, unknown } from "../http/call-ended.ts";
import { explainPollStatus, explainStatus } from "../http/explain-status.ts";
import { canvasOf, describeOutpainting, finishOutpainting } from "./outpainting.ts";
import { fetchImage, type FetchResult } from "../http/fetch-result.ts";
import { readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { findJson, readJson } from "../http/read-json.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { poll } from "../poll.ts";

interface BlackForestLabsOptions extends CallLimits {
  readonly apiKey: string;
  /** Downloads an image from the URL that the provider returned, without sending the key. */
  readonly fetchResult: FetchResult;
  /** Default `https://api.bfl.ai`; `https://api.eu.bfl.ai` keeps requests in the EU. */
  readonly baseUrl?: string | undefined;
  /** Polling interval in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
  /**
   * How long after the first poll the provider may still report a job as unknown, in milliseconds.
   * Default 15,000.
   */
  readonly notFoundGraceMs?: number | undefined;
}

/** Parameters of a model family. */
interface Family {
  readonly prefix: string;
  readonly maxReferences: number;
  /** Pixels by image size. */
  readonly areas: Readonly<Record<string, PixelArea>>;
  readonly describe: (request: ProviderRequest, size: PixelSize) => object | Promise<object>;
}

/**
 * Pixels of FLUX.2 by image size: 4 MP at most. The maximum edge of 2048 is from resellers; the vendor
 * documents only the area.
 */
export const flux2Areas: Readonly<Record<string, PixelArea>> = {
  "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 16 },
  "2K": { pixels: 2000 ** 2, maxEdge: 2048, step: 16 },
};

const flux2 = "flux-2-";

/** Whether a model takes an exact size. */
export const isFlux2 = (model: string) => model.startsWith(flux2);

const families: readonly Family[] = [
  {
    prefix: flux2,
    maxReferences: 8,
    areas: flux2Areas,
    describe: describeFlux2,
  },
  {
    prefix: "flux-3-",
    maxReferences: 10,
    // The model takes a ratio and a size class and chooses the pixels itself. The exact pixels of
    // each ratio are unverified; slightly fewer than a square of the class are accepted.
    areas: {
      "1K": { pixels: 0.8 * 1024 ** 2, maxEdge: 8192, step: 16 },
      "2K": { pixels: 0.8 * 2048 ** 2, maxEdge: 8192, step: 16 },
      "4K": { pixels: 0.8 * 4096 ** 2, maxEdge: 8192, step: 16 },
    },
    describe: describeFlux3,
  },
  {
    prefix: "flux-pro-1.0-fill",
    maxReferences: 0,
    // The result has the size of the image.
    areas: flux2Areas,
    describe: describeFill,
  },
  {
    prefix: "flux-tools/erase-",
    maxReferences: 0,
    // The result has the size of the image.
    areas: flux2Areas,
    describe: describeErase,
  },
  {
    prefix: "flux-tools/outpainting-",
    maxReferences: 0,
    areas: flux2Areas,
    describe: describeOutpaint,
  },
];

/** A finished image: its URL and seed. */
interface Sample {
  readonly url: string;
  readonly seed: number | null;
}

/**
 * Aspect ratios of FLUX.3; portrait ratios are the same, transposed. The vendor's sixteenth, `auto`, is
 * not offered, because the shape of an image is known before it is made. Source: the OpenAPI document
 * of the model at docs.comfy.org, "FLUX 3 Image with Comfy Router", read on 2026-11-24.
 */
const flux3Ratios = ["21:9", "2:1", "16:9", "3:2", "7:5", "4:3", "5:4", "1:1"];

const megapixels = z.number().min(0).max(10_000).nullish().catch(null);
const acceptedSchema = z.object({
  polling_url: z.string(),
  cost: z.unknown().optional(),
  input_mp: megapixels,
  output_mp: megapixels,
});
const statusSchema = z.object({
  status: z.string(),
  cost: z.unknown().optional(),
  result: z
    .looseObject({ sample: z.string().optional(), seed: z.int().nullish().catch(null) })
    .nullish(),
  details: z.looseObject({ "Moderation Reasons": z.array(z.string()).optional() }).nullish(),
});
const detailSchema = z.object({ detail: z.unknown() });

/** The vendor states costs in credits. Source: bfl.ai/pricing, "1 credit = $0.01 USD". */
const creditUsd = 0.01;

/**
 * Black Forest Labs: FLUX.2, FLUX.3, FLUX.1 Fill, FLUX Outpainting and FLUX Erase.
 *
 * A job may only be polled at the `polling_url` that the provider returned, so that URL is stored
 * as the request id. The key is sent only to hosts of `bfl.ai`. According to the vendor's
 * documentation, moderated requests are not charged. There is no cancellation.
 *
 * Sources: docs.bfl.ai, pages "Errors" and "API integration", and the OpenAPI documents of FLUX.2 and the
 * tools ("Outpaint or extend an image", "FLUX Erase"; read on 2026-11-25).
 * The fields and values of FLUX.3 and "Moderation Reasons" in `details` are from third-party
 * clients that follow the vendor's documentation.
 */
export function createBlackForestLabsProvider(options: BlackForestLabsOptions): Provider {
  const { apiKey, baseUrl = "https://api.bfl.ai", fetchResult } = options;
  const { notFoundGraceMs = 15_000, pollIntervalMs = 1_000 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: { "x-key": apiKey },
    domains: ["bfl.ai"],
  });

  async function submit(
    request: ProviderRequest,
    size: PixelSize,
    { onUsage, signal }: AdapterCall,
  ) {
    const family = familyOf(request);
    if (inputImages(request).length > Math.max(1, family.maxReferences)) {
      throw invalidRequest(`${request.model} takes ${family.maxReferences} images at most`);
    }
    const response = await send({
      method: "POST",
      url: `v1/${request.model.split("/").map(encodeURIComponent).join("/")}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(await family.describe(request, size)),
      signal,
      purpose: "generate",
    });
    if (response.status !== 200) throw explainStatus(response, errorTextOf(response));
    const { cost, input_mp, output_mp, polling_url } = readJson(response, acceptedSchema);
    onUsage({
      units: statedUnits({ input_pixels: toPixels(input_mp), pixels: toPixels(output_mp) }),
      ...statedCost(cost),
    });
    return polling_url;
  }

  /** @param isNew whether the provider may not have recorded the job yet. */
  async function ask(
    pollingUrl: string,
    isNew: boolean,
    { onUsage, signal }: AdapterCall,
  ): Promise<Sample | null> {
    const response = await send({ method: "GET", url: pollingUrl, signal, purpose: "poll" });
    // Final states may come with a status such as 503; the body decides.
    const job = findJson(response, statusSchema);
    if (job === null) throw explainPollStatus(response, errorTextOf(response));
    onUsage(statedCost(job.cost));
    const reasons = job.details?.["Moderation Reasons"] ?? [];
    switch (job.status) {
      case "Ready":
        if (job.result?.sample === undefined) throw unknown("ready, but without an image");
        return { url: job.result.sample, seed: job.result.seed ?? null };
      case "Request Moderated":
        onUsage(free);
        throw refused("request", reasons);
      case "Content Moderated":
        onUsage(free);
        throw refused("image", reasons);
      case "Error":
        throw unavailable("the job failed");
      case "Task not found":
        // A job that was just accepted may not have reached the server that is polled. It may still
        // be carried out and charged.
        if (isNew) throw unknown("the provider does not know the job yet");
        throw unavailable("the provider no longer knows the job");
      default:
        // Pending, Reasoning, Generating or any other state in progress.
        return null;
    }
  }

  return createAdapter({
    name: "bfl",
    lostCall: "resume-by-request-id",
    secrets: [apiKey],
    limits: options,
    // Only Fill takes a mask. For the others, the prompt names the area.
    capabilities: ["edit", "mask", "combine", "outpaint"],
    makesTool: isOutpainting,
    canSize: isFlux2,
    editSize: sizeOf,
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = sizeOf(request);
      const pollingUrl = resumeRequestId ?? (await submit(request, size, call));
      if (resumeRequestId === null) await call.onRequestId(pollingUrl);
      const startedAt = performance.now();
      const isNew = () => performance.now() - startedAt < notFoundGraceMs;
      const sample = await poll({
        ask: () => ask(pollingUrl, isNew(), call),
        intervalMs: pollIntervalMs,
        signal,
      });
      const made = await readImage(await fetchImage(sample.url, signal, fetchResult), size);
      const { pixels, task } = request;
      const image =
        task?.kind === "outpaint" && pixels !== undefined
          ? await finishOutpainting(made, pixels, task)
          : made;
      return { kind: "image", image, turn: null, seed: sample.seed };
    },
  });
}

/** Moderated requests are not charged, although a cost was stated when they were accepted. */
const free: VendorUsage = { cost: { micro: 0n, currency: "USD" } };

function statedCost(credits: unknown): VendorUsage {
  const cost = toVendorAmount(credits, "USD", creditUsd);
  return cost === null ? {} : { cost };
}

function toPixels(megapixelCount: number | null | undefined): number | null {
  return megapixelCount == null ? null : Math.round(megapixelCount * 1e6);
}

/** Other models extend an image by an edit of the area around it. */
function isOutpainting({ model }: ProviderRequest): boolean {
  return model.startsWith("flux-tools/outpainting-");
}

function sizeOf(request: ProviderRequest): PixelSize {
  const { pixels, task } = request;
  if (task?.kind === "outpaint" && pixels !== undefined) return canvasOf(pixels);
  return pixelsOf(request, familyOf(request).areas);
}

function familyOf({ model }: ProviderRequest): Family {
  const family = families.find(({ prefix }) => model.startsWith(prefix));
  if (family === undefined) throw invalidRequest(`unknown model ${model}`);
  return family;
}

async function describeFlux2(
  request: ProviderRequest,
  { height, width }: PixelSize,
): Promise<object> {
  const { seed } = request;
  const images = inputImages(request).map((image, index) => [
    index === 0 ? "input_image" : `input_image_${index + 1}`,
    toBase64(image),
  ]);
  return {
    prompt: await promptWithEditArea(request),
    width,
    height,
    seed,
    output_format: "png",
    ...Object.fromEntries(images),
  };
}

/** FLUX.1 Fill: repaints the white area of a mask. */
function describeFill({ prompt, references, seed, task }: ProviderRequest): object {
  if (task?.kind !== "edit" || task.mask === null || references.length > 0) {
    throw invalidRequest("this model only edits an image with a mask");
  }
  return {
    prompt,
    image: toBase64(task.image),
    mask: toBase64({ bytes: task.mask }),
    seed,
    output_format: "png",
  };
}

/** FLUX Erase: removes what is in the white area of a mask; it takes no prompt and no seed. */
function describeErase({ references, task }: ProviderRequest): object {
  if (task?.kind !== "edit" || task.mask === null || references.length > 0) {
    throw invalidRequest("this model only erases what a mask marks");
  }
  return {
    image: toBase64(task.image),
    mask: toBase64({ bytes: task.mask }),
    output_format: "png",
  };
}

/** FLUX Outpainting takes no seed. */
function describeOutpaint({ pixels, prompt, task }: ProviderRequest): Promise<object> {
  if (task?.kind !== "outpaint" || pixels === undefined) {
    throw invalidRequest("this model only extends images");
  }
  return describeOutpainting(prompt, pixels, task);
}

/** FLUX.3 has no seed and no output format, and rejects unknown fields. */
async function describeFlux3(request: ProviderRequest): Promise<object> {
  const { aspectRatio, imageSize } = request;
  const images = inputImages(request);
  const turned = aspectRatio.split(":").toReversed().join(":");
  if (!flux3Ratios.includes(aspectRatio) && !flux3Ratios.includes(turned)) {
    throw invalidRequest(`no aspect ratio ${aspectRatio}`);
  }
  return {
    prompt: await promptWithEditArea(request),
    aspect_ratio: aspectRatio,
    resolution: imageSize.toLowerCase(),
    // Otherwise the prompt is used for a web search, which the client did not request.
    grounding: false,
    ...(images.length === 0 ? {} : { images: images.map(toBase64) }),
  };
}

/** `detail` is a text or a list of validation errors. */
function errorTextOf(response: HttpResponse): string {
  const detail = findJson(response, detailSchema)?.detail;
  if (detail === undefined) return "";
  return typeof detail === "string" ? detail : JSON.stringify(detail);
}
