import { AppError, type GraphicTask, type VectorizeTask } from "@atelier/schemas";
import type { SvgDrawer } from "@atelier/svg";
import * as z from "zod";
import type { Provider, ProviderEdit, ProviderRequest, ProviderTool } from "../../provider.ts";
import { toDataUrl } from "../encode-reference.ts";
import { promptWithEditArea } from "../describe-references.ts";
import { promptOfGraphic, toRgb } from "../graphic.ts";
import { createAdapter } from "../http/adapter.ts";
import { CallEnded, invalidRequest, outOfQuota, refused, unknown } from "../http/call-ended.ts";
import { explainStatus } from "../http/explain-status.ts";
import { encodeForm } from "../http/multipart.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { findJson, readJson } from "../http/read-json.ts";
import { readSvg } from "../http/read-svg.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import type { Order } from "../openai/openai.ts";
import { recraftPixels } from "./recraft-pixels.ts";

/*
 * Recraft: `POST /images/generations/{raster|vector}`, `/images/imageToImage`, `/images/inpaint`,
 * `/images/vectorize`.
 *
 * From the vendor's documentation (recraft.ai/docs/api-reference, November 2026): paths, Bearer,
 * fields, sizes as `w:h` and their pixels, `controls.colors` and `controls.background_color`,
 * `response_format`, that vector models return SVG, that only V3 inpaints (white marks what to
 * change) and takes `negative_prompt`, the lengths of prompts, and input of at most 10 MB. `vectorize`
 * takes images of 256 to 4096 pixels at each edge, here as JSON with a data URL, and returns
 * `image.b64_json` ("Vectorize" and "Image inputs and results", read on 2026-11-25).
 *
 * Not verified: the codes of errors. A refusal and an account without credit are recognised by
 * their wording. There is no SDK on npm, and nothing was run against the live service. The
 * documentation lists no seed for these paths, and a lost response cannot be fetched again.
 */

interface RecraftOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://external.api.recraft.ai/v1`. */
  readonly baseUrl?: string | undefined;
  /** Draws vector graphics. */
  readonly svgDrawer: SvgDrawer;
}

const maxInputBytes = 10 * 1024 * 1024;
/** The vendor requires a strength; this value is halfway between the image and the prompt. */
const defaultStrength = 0.5;

const imagesSchema = z.object({ data: z.array(z.object({ b64_json: z.string() })).min(1) });
const tracedSchema = z.object({ image: z.object({ b64_json: z.string() }) });
const failureSchema = z.object({ code: z.string().optional(), message: z.string().optional() });

/** Recraft's raster and vector models (`recraftv4_1`, `recraftv4_1_vector`, `recraftv3`). */
export function createRecraftProvider(options: RecraftOptions): Provider {
  const { apiKey, baseUrl = "https://external.api.recraft.ai/v1", svgDrawer } = options;
  const credentials = { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });
  return createAdapter({
    name: "recraft",
    lostCall: "repeat-blindly",
    secrets: [apiKey],
    limits: options,
    capabilities: ["edit", "mask", "negative_prompt", "graphic", "vectorize"],
    editSize: sizeOf,
    async makeImage(request, { signal }) {
      const size = sizeOf(request);
      const order = await orderOf(request);
      const response = await send({ method: "POST", ...order, signal, purpose: "generate" });
      if (response.status !== 200) throw explainRecraftFailure(response);
      if (request.task?.kind === "vectorize") {
        const { image } = readJson(response, tracedSchema);
        const traced = await readSvg(readBase64(image.b64_json), size, svgDrawer);
        return { kind: "image", ...traced, turn: null };
      }
      const [file] = readJson(response, imagesSchema).data;
      if (file === undefined) throw unknown("a response without an image");
      const bytes = readBase64(file.b64_json);
      if (request.task?.kind === "graphic") {
        return { kind: "image", ...(await readSvg(bytes, size, svgDrawer)), turn: null };
      }
      return { kind: "image", image: await readImage(bytes, size), turn: null };
    },
  });
}

async function orderOf(request: ProviderRequest): Promise<Order> {
  const { aspectRatio, model, negativePrompt = null, references, task } = request;
  if (references.length > 0) throw invalidRequest("no references");
  if (task?.kind === "vectorize") return orderTracing(request, task);
  const isV3 = model.startsWith("recraftv3");
  if (negativePrompt !== null && !isV3) throw invalidRequest("only V3 takes a negative prompt");
  if ((task?.kind === "graphic") !== model.endsWith("_vector")) {
    throw invalidRequest("graphics are for vector models, and vector models only for graphics");
  }
  const negative = negativePrompt === null ? {} : { negative_prompt: negativePrompt };
  if (task?.kind === "edit") return orderEdit(request, task, negative);
  const prompt = task?.kind === "graphic" ? promptOfGraphic(request, task) : request.prompt;
  assertLength(prompt, model);
  return {
    url: `images/generations/${task?.kind === "graphic" ? "vector" : "raster"}`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      prompt,
      model,
      n: 1,
      size: aspectRatio,
      response_format: "b64_json",
      ...negative,
      ...(task?.kind === "graphic" ? describeColours(task) : {}),
    }),
  };
}

const edges = { min: 256, max: 4096 };

function orderTracing(
  { pixels }: ProviderRequest,
  { image, colors }: Extract<ProviderTool, VectorizeTask>,
): Order {
  if (colors !== null) throw invalidRequest("this model takes no number of colours");
  const { width = 0, height = 0 } = pixels ?? {};
  if (Math.min(width, height) < edges.min || Math.max(width, height) > edges.max) {
    throw refuseImage(`an image whose edges have ${edges.min} to ${edges.max} pixels`);
  }
  if (image.bytes.byteLength >= maxInputBytes) throw refuseImage("an image of less than 10 MB");
  return {
    url: "images/vectorize",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ image_url: toDataUrl(image), response_format: "b64_json" }),
  };
}

function refuseImage(wanted: string): CallEnded {
  const message = `The model takes ${wanted}. Scale the image, or use another model.`;
  const problem = new AppError("reference_invalid", message, {
    details: { reason: "cannot_be_traced" },
  }).at("image");
  return new CallEnded({ kind: "invalid-request", message, problem });
}

/** V3 repaints a mask; the others change the whole image, of which the adapter restores the rest. */
async function orderEdit(
  request: ProviderRequest,
  { image, mask, strength }: ProviderEdit,
  negative: Readonly<Record<string, string>>,
): Promise<Order> {
  const { model } = request;
  const inpaints = mask !== null && model.startsWith("recraftv3");
  const prompt = inpaints ? request.prompt : await promptWithEditArea(request);
  assertLength(prompt, model);
  if (image.bytes.byteLength >= maxInputBytes) throw invalidRequest("an image of 10 MB or more");
  const { body, contentType } = encodeForm([
    ["image", { ...image, name: "image.png" }],
    ...(inpaints
      ? [["mask", { bytes: mask, mediaType: "image/png", name: "mask.png" }] as const]
      : [["strength", String(strength ?? defaultStrength)] as const]),
    ["prompt", prompt],
    ["model", model],
    ["n", "1"],
    ["response_format", "b64_json"],
    ...Object.entries(negative),
  ]);
  return {
    url: inpaints ? "images/inpaint" : "images/imageToImage",
    headers: { "content-type": contentType },
    body,
  };
}

function describeColours({ palette, background }: GraphicTask): object {
  const controls = {
    ...(palette.length === 0 ? {} : { colors: palette.map((colour) => ({ rgb: toRgb(colour) })) }),
    ...(background === "transparent" ? {} : { background_color: { rgb: toRgb(background) } }),
  };
  return Object.keys(controls).length === 0 ? {} : { controls };
}

function sizeOf({ aspectRatio, imageSize, model, pixels, task }: ProviderRequest): PixelSize {
  if (task?.kind === "vectorize" && pixels !== undefined) return pixels;
  const size = recraftPixels(model, aspectRatio, imageSize);
  if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  return size;
}

function assertLength(prompt: string, model: string): void {
  const max = model.startsWith("recraftv3") ? 1_000 : 10_000;
  if (prompt.length > max) throw invalidRequest(`a prompt of more than ${max} characters`);
}

function explainRecraftFailure(response: HttpResponse): Error {
  const { code = "", message = "" } = findJson(response, failureSchema) ?? {};
  const detail = [code, message].filter((part) => part !== "").join(": ");
  if (response.status === 400 || response.status === 403) {
    if (/moderat|nsfw|safety|prohibited content/i.test(detail)) return refused(null, []);
    if (/not_enough_credits|insufficient (credits|balance)/i.test(detail))
      return outOfQuota(detail);
  }
  return explainStatus(response, detail);
}
