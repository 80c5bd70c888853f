import type { GraphicTask } from "@atelier/schemas";
import type { SvgDrawer } from "@atelier/svg";
import * as z from "zod";
import type { Provider, ProviderEdit, ProviderRequest } from "../../provider.ts";
import { promptWithEditArea } from "../describe-references.ts";
import { promptOfGraphic, toRgb } from "../graphic.ts";
import { createAdapter } from "../http/adapter.ts";
import { invalidRequest, outOfQuota, refused, unknown } from "../http/call-ended.ts";
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
 * Recraft: `POST /images/generations/{raster|vector}`, `/images/imageToImage`, `/images/inpaint`.
 *
 * From the vendor's documentation (recraft.ai/docs/api-reference, November 2026): paths, Bearer,
 * fields, sizes as `w:h` and their pixels, `controls.colors` and `controls.background_color`,
 * `response_format`, that vector models return SVG, that only V3 inpaints (white marks what to
 * change) and takes `negative_prompt`, the lengths of prompts, and input of at most 10 MB.
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
    capabilities: ["edit", "mask", "negative_prompt", "graphic"],
    editSize: sizeOf,
    async makeImage(request, { signal }) {
      const size = sizeOf(request);
      const order = await orderOf(request);
      const response = await send({ method: "POST", ...order, signal, purpose: "generate" });
      if (response.status !== 200) throw explainRecraftFailure(response);
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

function sizeOf({ aspectRatio, imageSize, model }: ProviderRequest): PixelSize {
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
