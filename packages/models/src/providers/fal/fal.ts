import type { SvgDrawer } from "@atelier/svg";
import * as z from "zod";
import type { Provider, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithEditArea } from "../describe-references.ts";
import { toDataUrl } from "../encode-reference.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { createAdapter } from "../http/adapter.ts";
import { CallEnded, invalidRequest, outOfQuota, refused, unavailable } from "../http/call-ended.ts";
import { explainPollStatus, explainStatus } from "../http/explain-status.ts";
import { fetchImage, type FetchResult } from "../http/fetch-result.ts";
import { promptOfGraphic, toRgb } from "../graphic.ts";
import { readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { findJson, readJson } from "../http/read-json.ts";
import { readSvg } from "../http/read-svg.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { poll } from "../poll.ts";

interface FalOptions extends CallLimits {
  readonly apiKey: string;
  /** Downloads an image from the URL that the provider returned, without sending the key. */
  readonly fetchResult: FetchResult;
  /** Draws vector graphics. */
  readonly svgDrawer: SvgDrawer;
  /** Default `https://queue.fal.run`. */
  readonly baseUrl?: string | undefined;
  /** Polling interval in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
}

/** Pixels by image size for `image_size`, with edge lengths that FLUX.2 supports. */
export const areas: Readonly<Record<string, PixelArea>> = {
  "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 16 },
  "2K": { pixels: 2000 ** 2, maxEdge: 2048, step: 16 },
};

/**
 * Least pixels by image size of FLUX.3, which chooses the pixels itself and may make slightly fewer
 * than a square of the class.
 */
const flux3Areas: Readonly<Record<string, PixelArea>> = {
  "1K": { pixels: 0.8 * 1024 ** 2, maxEdge: 8192, step: 16 },
  "2K": { pixels: 0.8 * 2048 ** 2, maxEdge: 8192, step: 16 },
  "4K": { pixels: 0.8 * 4096 ** 2, maxEdge: 8192, step: 16 },
};

/** Models of the family FLUX.3, which choose the pixels themselves. */
export const flux3 = /^blackforestlabs\/flux-3\//;

/** Suffix of the names of editing models. */
const editPath = "/edit";

/** The inputs of a family of models; the path is the model's unless given. */
interface ModelInput {
  readonly path?: string;
  readonly input: object;
}

/** Input formats of models, by the end of their names; other models use the format of FLUX.2. */
const describeInput: readonly {
  readonly models: RegExp;
  readonly describe: (
    request: ProviderRequest,
    size: PixelSize,
  ) => ModelInput | Promise<ModelInput>;
}[] = [
  { models: /\/fill$/, describe: describeFill },
  { models: /\/text-to-vector$/, describe: describeVector },
  { models: flux3, describe: describeFlux3 },
  { models: /./, describe: describeFlux2 },
];

const acceptedSchema = z.object({
  status_url: z.string(),
  response_url: z.string(),
  cancel_url: z.string(),
});
const statusSchema = z.object({ status: z.string() });
const resultSchema = z.object({
  images: z.array(z.object({ url: z.string() })).min(1),
  seed: z.number().nullish().catch(null),
  has_nsfw_concepts: z.array(z.boolean()).nullish(),
});
/** Error response of a model: `detail` is a list. */
const modelErrorSchema = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.number()])),
      msg: z.string(),
      type: z.string(),
    }),
  ),
});
/**
 * Error response of the platform: `detail` is a text, with an `error_type` if the request had
 * started.
 */
const platformErrorSchema = z.object({ detail: z.string(), error_type: z.string().optional() });

/** A finished image: its URL, and the seed if the model has one. */
interface Result {
  readonly url: string;
  readonly seed: number | null;
}

/** The three URLs of a request. */
interface Ticket {
  readonly statusUrl: string;
  readonly responseUrl: string;
  readonly cancelUrl: string;
}

/**
 * fal's queue: any model that takes `prompt`, `image_size`, `seed` and `output_format`, such as
 * FLUX.2, and the models with other inputs that are listed above. References need a model with the
 * suffix `/edit` that takes `image_urls`.
 *
 * fal requires clients to use the URLs it returns instead of building them, so all three are stored
 * as the request id. `x-fal-no-retry` disables fal's own retries. According to the vendor's
 * documentation, requests that end with a 5xx are not billed; it does not say whether refusals are.
 *
 * Sources: the vendor's own client, also for the fields of FLUX.2 and its `/edit`; fal.ai/docs,
 * "Inference API", "Model errors" and "Request error types". Unverified: the response of a
 * cancelled request, and that all refusals have the type `content_policy_violation` (the
 * documentation says that some models do not use it yet).
 */
export function createFalProvider(options: FalOptions): Provider {
  const { apiKey, baseUrl = "https://queue.fal.run", fetchResult, svgDrawer } = options;
  const { pollIntervalMs = 1_000 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: { authorization: `Key ${apiKey}` },
    domains: ["fal.run"],
  });

  async function submit(request: ProviderRequest, size: PixelSize, signal: AbortSignal) {
    const { model } = request;
    if (!/^[\w.-]+(\/[\w.-]+)+$/.test(model))
      throw invalidRequest(`${model} is not a model's name`);
    const family = describeInput.find(({ models }) => models.test(model));
    if (family === undefined) throw invalidRequest(`unknown model ${model}`);
    const { path = model, input } = await family.describe(request, size);
    const response = await send({
      method: "POST",
      url: path,
      headers: { "content-type": "application/json", "x-fal-no-retry": "1" },
      body: JSON.stringify(input),
      signal,
      purpose: "generate",
    });
    if (response.status !== 200)
      throw explainError(response) ?? explainStatus(response, errorTextOf(response));
    const { cancel_url, response_url, status_url } = readJson(response, acceptedSchema);
    return { statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url };
  }

  async function isDone({ statusUrl }: Ticket, signal: AbortSignal): Promise<true | null> {
    const response = await send({ method: "GET", url: statusUrl, signal, purpose: "poll" });
    if (response.status === 404) throw unavailable("fal no longer knows the request");
    if (response.status !== 200 && response.status !== 202) {
      throw explainPollStatus(response, errorTextOf(response));
    }
    // Failed requests are COMPLETED as well; the result contains the error.
    return readJson(response, statusSchema).status === "COMPLETED" ? true : null;
  }

  async function readResult({ responseUrl }: Ticket, signal: AbortSignal): Promise<Result> {
    const response = await send({ method: "GET", url: responseUrl, signal, purpose: "poll" });
    if (response.status !== 200) throw explainEnd(response);
    const { has_nsfw_concepts: flags, images, seed } = readJson(response, resultSchema);
    // The safety checker blackens flagged images, and the request counts as successful.
    if (flags?.[0] === true) throw refused("image", ["nsfw"]);
    return { url: images[0]?.url ?? "", seed: seed ?? null };
  }

  return createAdapter({
    name: "fal",
    lostCall: "resume-by-request-id",
    secrets: [apiKey],
    limits: options,
    // Only Fill takes a mask; for the others, the prompt names the area. Graphics are SVG files.
    capabilities: ["edit", "mask", "combine", "graphic"],
    canSize: (model) => model.startsWith("fal-ai/flux-2"),
    editSize: sizeOf,
    async makeImage(request, call) {
      const { resumeRequestId, signal } = call;
      const size = sizeOf(request);
      const ticket =
        resumeRequestId === null
          ? await submit(request, size, signal)
          : parseTicket(resumeRequestId);
      if (resumeRequestId === null) await call.onRequestId(formatTicket(ticket));
      await poll({
        ask: () => isDone(ticket, signal),
        cancel: (anyway) =>
          send({ method: "PUT", url: ticket.cancelUrl, signal: anyway, purpose: "poll" }),
        intervalMs: pollIntervalMs,
        signal,
      });
      const { url, seed } = await readResult(ticket, signal);
      const bytes = await fetchImage(url, signal, fetchResult);
      if (request.task?.kind === "graphic") {
        return { kind: "image", ...(await readSvg(bytes, size, svgDrawer)), turn: null, seed };
      }
      return { kind: "image", image: await readImage(bytes, size), turn: null, seed };
    },
  });
}

function sizeOf(request: ProviderRequest): PixelSize {
  return pixelsOf(request, flux3.test(request.model) ? flux3Areas : areas);
}

/** FLUX.2 and models with the same inputs; images need the model with the suffix `/edit`. */
async function describeFlux2(request: ProviderRequest, size: PixelSize): Promise<ModelInput> {
  if (request.task?.kind === "graphic") throw invalidRequest("this model makes no SVG files");
  const images = inputImages(request);
  return {
    path: images.length === 0 ? request.model : `${request.model}${editPath}`,
    input: {
      prompt: await promptWithEditArea(request),
      image_size: size,
      seed: request.seed,
      output_format: "png",
      ...(images.length === 0 ? {} : { image_urls: images.map(toDataUrl) }),
    },
  };
}

/**
 * FLUX.3 takes an aspect ratio and a class of resolution, and images at a path of its own; it has no
 * seed. Source: fal.ai/models/blackforestlabs/flux-3/text-to-image and …/edit-image (llms.txt), read on
 * 2026-11-24. Unverified: that the classes are named as at Black Forest Labs, "1k" to "4k".
 */
async function describeFlux3(request: ProviderRequest): Promise<ModelInput> {
  if (request.task?.kind === "graphic") throw invalidRequest("this model makes no SVG files");
  const images = inputImages(request);
  return {
    path: `blackforestlabs/flux-3/${images.length === 0 ? "text-to-image" : "edit-image"}`,
    input: {
      prompt: await promptWithEditArea(request),
      aspect_ratio: request.aspectRatio,
      resolution: request.imageSize.toLowerCase(),
      ...(images.length === 0 ? {} : { image_urls: images.map(toDataUrl) }),
    },
  };
}

/** FLUX.1 Fill: repaints the white area of a mask. The result has the size of the image. */
function describeFill({ prompt, references, seed, task }: ProviderRequest): ModelInput {
  if (task?.kind !== "edit" || task.mask === null || references.length > 0) {
    throw invalidRequest("this model only edits an image with a mask");
  }
  const mask = toDataUrl({ bytes: task.mask, mediaType: "image/png" });
  const image = toDataUrl(task.image);
  return { input: { prompt, image_url: image, mask_url: mask, seed, output_format: "png" } };
}

/** Recraft's vector models at fal. They have no seed; their results are SVG files. */
function describeVector(request: ProviderRequest, size: PixelSize): ModelInput {
  const { task } = request;
  if (task?.kind !== "graphic" || request.references.length > 0) {
    throw invalidRequest("this model only makes graphics of a prompt");
  }
  const input = {
    prompt: promptOfGraphic(request, task),
    image_size: size,
    ...(task.palette.length === 0
      ? {}
      : { colors: task.palette.map((colour) => toRgbObject(colour)) }),
    ...(task.background === "transparent"
      ? {}
      : { background_color: toRgbObject(task.background) }),
  };
  return { input };
}

function toRgbObject(colour: string): { r: number; g: number; b: number } {
  const [r, g, b] = toRgb(colour);
  return { r, g, b };
}

/** URLs contain no spaces, so a space separates them. */
function formatTicket({ cancelUrl, responseUrl, statusUrl }: Ticket): string {
  return `${statusUrl} ${responseUrl} ${cancelUrl}`;
}

function parseTicket(requestId: string): Ticket {
  const [statusUrl = "", responseUrl = "", cancelUrl = ""] = requestId.split(" ");
  return { statusUrl, responseUrl, cancelUrl };
}

/**
 * Explains an error response to a submission or of a finished request; null when fal assigns it no
 * meaning.
 */
function explainError(response: HttpResponse): CallEnded | null {
  const errors = findJson(response, modelErrorSchema)?.detail ?? [];
  const violation = errors.find(({ type }) => type === "content_policy_violation");
  if (violation !== undefined) {
    // Errors about a request field name the field; errors about the image have only `body`.
    return refused(violation.loc.length > 1 ? "request" : null, []);
  }
  // fal has no separate status for an empty account.
  if (response.status === 403 && /exhausted balance/i.test(errorTextOf(response))) {
    return outOfQuota(errorTextOf(response));
  }
  return null;
}

/** Explains why a request ended without an image. */
function explainEnd(response: HttpResponse): CallEnded {
  const known = explainError(response);
  if (known !== null) return known;
  const { headers, status } = response;
  const fromModel = findJson(response, modelErrorSchema) !== null;
  // Only fal itself sends `error_type`, not an intermediate proxy: the request ended without an
  // image.
  const fromPlatform = findJson(response, platformErrorSchema)?.error_type !== undefined;
  const isRepeatable = status >= 500 || headers["x-fal-retryable"] === "true";
  if (fromPlatform || (fromModel && isRepeatable)) {
    return unavailable(`status ${status}: ${errorTextOf(response)}`);
  }
  return fromModel
    ? invalidRequest(errorTextOf(response))
    : explainPollStatus(response, errorTextOf(response));
}

function errorTextOf(response: HttpResponse): string {
  const errors = findJson(response, modelErrorSchema)?.detail;
  if (errors !== undefined) {
    return errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  }
  return findJson(response, platformErrorSchema)?.detail ?? "";
}
