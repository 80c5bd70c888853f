import type { SvgDrawer } from "@atelier/svg";
import * as z from "zod";
import type { Provider, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithEditArea } from "../describe-references.ts";
import { toDataUrl } from "../encode-reference.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { createAdapter, type AdapterCall } from "../http/adapter.ts";
import {
  CallEnded,
  invalidRequest,
  rateLimited,
  refused,
  unavailable,
  unknown,
} from "../http/call-ended.ts";
import { explainPollStatus, explainStatus } from "../http/explain-status.ts";
import { fetchImage, type FetchResult } from "../http/fetch-result.ts";
import { promptOfGraphic } from "../graphic.ts";
import { readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { findJson, readJson } from "../http/read-json.ts";
import { readSvg } from "../http/read-svg.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { poll } from "../poll.ts";

interface ReplicateOptions extends CallLimits {
  readonly apiKey: string;
  /** Downloads an image from the URL that the provider returned, without sending the key. */
  readonly fetchResult: FetchResult;
  /** Draws vector graphics. */
  readonly svgDrawer: SvgDrawer;
  /** Default `https://api.replicate.com`. */
  readonly baseUrl?: string | undefined;
  /** Polling interval in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** Input names and sizes of a model family. */
interface Family {
  readonly models: RegExp;
  readonly maxReferences: number;
  /** Describes the input of models that differ from FLUX; the output is an SVG file for graphics. */
  readonly describe?: (request: ProviderRequest) => object;
  /** By image size: the input sent to the model and the pixels it produces. */
  readonly sizes: Readonly<Record<string, PixelArea & { readonly input: object }>>;
  readonly describeReferences: (images: readonly string[]) => object;
}

/**
 * Models on Replicate share no inputs except the prompt; a family with other inputs needs an entry
 * here. The first match wins.
 */
const families: readonly Family[] = [
  {
    models: /^black-forest-labs\/flux-fill-pro$/,
    maxReferences: 0,
    // The result has the size of the image.
    sizes: { "1K": { input: {}, pixels: 1024 ** 2, maxEdge: 2048, step: 16 } },
    describeReferences: () => ({}),
    describe: describeFill,
  },
  {
    models: /^recraft-ai\/recraft-v\d[\w-]*-svg$/,
    maxReferences: 0,
    sizes: { "1K": { input: {}, pixels: 1024 ** 2, maxEdge: 2048, step: 16 } },
    describeReferences: () => ({}),
    describe: describeVector,
  },
  {
    models: /^black-forest-labs\/flux-2-/,
    maxReferences: 8,
    sizes: {
      "1K": { input: { resolution: "1 MP" }, pixels: 1_000_000, maxEdge: 2048, step: 16 },
      "2K": { input: { resolution: "4 MP" }, pixels: 4_000_000, maxEdge: 2048, step: 16 },
    },
    describeReferences: (images) => ({ input_images: images }),
  },
  {
    // FLUX.1 and models with the same inputs.
    models: /./,
    maxReferences: 0,
    sizes: { "1K": { input: {}, pixels: 1_000_000, maxEdge: 1440, step: 16 } },
    describeReferences: () => ({}),
  },
];

const predictionSchema = z.object({
  id: z.string(),
  status: z.string(),
  output: z.unknown(),
  error: z.unknown(),
  metrics: z
    .looseObject({ predict_time: z.number().min(0).max(1e6).optional() })
    .nullish()
    .catch(null),
});
const outputSchema = z.union([z.string(), z.array(z.string()).min(1)]);
const problemSchema = z.object({ detail: z.string() });

/**
 * Replicate: models by name (`owner/name`), or by version (`owner/name:version`).
 *
 * The request id is the prediction's id. The adapter does not use `Prefer: wait`: the id would
 * arrive together with the result, and a crash in between would lose a charged prediction. Refusals
 * are failed predictions with a model-specific text, so they can only be recognised by their
 * wording. Whether they are charged depends on the model; assume that they are.
 *
 * Sources: the vendor's own client; replicate.com/docs, "HTTP API" and "Rate limits"; the pages of
 * the FLUX models for their inputs.
 */
export function createReplicateProvider(options: ReplicateOptions): Provider {
  const { apiKey, baseUrl = "https://api.replicate.com", fetchResult, svgDrawer } = options;
  const { pollIntervalMs = 1_000 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: { authorization: `Bearer ${apiKey}` },
  });

  async function submit(request: ProviderRequest, signal: AbortSignal): Promise<string> {
    const [, model, version] = /^([\w.-]+\/[\w.-]+)(?::(\w+))?$/.exec(request.model) ?? [];
    if (model === undefined) throw invalidRequest(`${request.model} is not a model's name`);
    const input = await describe(request);
    const response = await send({
      method: "POST",
      url: version === undefined ? `v1/models/${model}/predictions` : "v1/predictions",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(version === undefined ? { input } : { version, input }),
      signal,
      purpose: "generate",
    });
    if (response.status !== 201 && response.status !== 202) throw explainRefusedOrder(response);
    return readJson(response, predictionSchema).id;
  }

  async function ask(id: string, { onUsage, signal }: AdapterCall): Promise<string | null> {
    const response = await send({ method: "GET", url: pathOf(id), signal, purpose: "poll" });
    if (response.status === 404) throw unavailable("Replicate no longer knows the prediction");
    if (response.status !== 200) throw explainPollStatus(response, errorTextOf(response));
    const { error, metrics, output, status } = readJson(response, predictionSchema);
    // In seconds; what a model without a price per image is billed by.
    const seconds = metrics?.predict_time;
    if (seconds !== undefined) onUsage({ units: { milliseconds: Math.round(seconds * 1_000) } });
    switch (status) {
      case "succeeded": {
        const urls = outputSchema.safeParse(output);
        // Outputs are deleted after an hour.
        if (!urls.success) throw unknown("the prediction succeeded, but its output has expired");
        return typeof urls.data === "string" ? urls.data : (urls.data[0] ?? "");
      }
      case "failed":
        throw explainFailure(typeof error === "string" ? error : "");
      case "canceled":
      case "aborted":
        throw unavailable(`the prediction was ${status}`);
      default:
        return null;
    }
  }

  return createAdapter({
    name: "replicate",
    lostCall: "resume-by-request-id",
    secrets: [apiKey],
    limits: options,
    // Only Fill takes a mask; for FLUX.2, the prompt names the area. Graphics are SVG files.
    capabilities: ["edit", "mask", "combine", "graphic"],
    editSize: sizeOf,
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = sizeOf(request);
      const id = resumeRequestId ?? (await submit(request, signal));
      if (resumeRequestId === null) await call.onRequestId(id);
      const url = await poll({
        ask: () => ask(id, call),
        cancel: (anyway) =>
          send({ method: "POST", url: `${pathOf(id)}/cancel`, signal: anyway, purpose: "poll" }),
        intervalMs: pollIntervalMs,
        signal,
      });
      const bytes = await fetchImage(url, signal, fetchResult);
      if (request.task?.kind === "graphic") {
        return { kind: "image", ...(await readSvg(bytes, size, svgDrawer)), turn: null };
      }
      return { kind: "image", image: await readImage(bytes, size), turn: null };
    },
  });
}

function pathOf(id: string): string {
  return `v1/predictions/${encodeURIComponent(id)}`;
}

function familyOf({ model }: ProviderRequest): Family {
  const family = families.find(({ models }) => models.test(model));
  if (family === undefined) throw invalidRequest(`unknown model ${model}`);
  return family;
}

function sizeOf(request: ProviderRequest): PixelSize {
  return pixelsOf(request, familyOf(request).sizes);
}

async function describe(request: ProviderRequest): Promise<object> {
  const family = familyOf(request);
  if (family.describe !== undefined) return family.describe(request);
  const { aspectRatio, imageSize, model, seed } = request;
  if (request.task?.kind === "graphic") throw invalidRequest(`${model} makes no SVG files`);
  const images = inputImages(request);
  if (images.length > family.maxReferences) {
    throw invalidRequest(`${model} takes ${family.maxReferences} images at most`);
  }
  return {
    prompt: await promptWithEditArea(request),
    aspect_ratio: aspectRatio,
    ...family.sizes[imageSize]?.input,
    seed,
    output_format: "png",
    ...(images.length === 0 ? {} : family.describeReferences(images.map(toDataUrl))),
  };
}

/** FLUX.1 Fill [pro]: repaints the white area of a mask. */
function describeFill({ prompt, references, seed, task }: ProviderRequest): object {
  if (task?.kind !== "edit" || task.mask === null || references.length > 0) {
    throw invalidRequest("this model only edits an image with a mask");
  }
  const mask = toDataUrl({ bytes: task.mask, mediaType: "image/png" });
  return { prompt, image: toDataUrl(task.image), mask, seed, output_format: "png" };
}

/** Recraft's vector models. They take a prompt and a shape; colours are named in the prompt. */
function describeVector(request: ProviderRequest): object {
  const { aspectRatio, references, task } = request;
  if (task?.kind !== "graphic" || references.length > 0) {
    throw invalidRequest("this model only makes graphics of a prompt");
  }
  const colours = [...task.palette];
  const palette = colours.length === 0 ? "" : ` Use only the colours ${colours.join(", ")}.`;
  return { prompt: `${promptOfGraphic(request, task)}${palette}`, aspect_ratio: aspectRatio };
}

function explainRefusedOrder(response: HttpResponse): CallEnded {
  const explained = explainStatus(response, errorTextOf(response));
  // Without Retry-After, the text contains the delay: "Your rate limit resets in ~30s."
  const [, seconds] = /resets in ~?(\d+(?:\.\d+)?)s/.exec(errorTextOf(response)) ?? [];
  const { outcome } = explained;
  return outcome.kind === "rate-limited" && outcome.retryAfterMs === null && seconds !== undefined
    ? rateLimited(Number(seconds) * 1_000)
    : explained;
}

/**
 * Maps a failed prediction by its message, since there is no code. The FLUX models and several
 * others report refusals as E005; older models use "NSFW content".
 */
function explainFailure(error: string): CallEnded {
  if (/\bE005\b|flagged as sensitive|nsfw|content policy|moderat/i.test(error)) {
    const stage = /nsfw content (was )?detected/i.test(error) ? "image" : null;
    return refused(stage, []);
  }
  if (/\bE006\b|validation|invalid input/i.test(error)) return invalidRequest(error);
  return unavailable(`the prediction failed: ${error}`);
}

function errorTextOf(response: HttpResponse): string {
  return findJson(response, problemSchema)?.detail ?? "";
}
