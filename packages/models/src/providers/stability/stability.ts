import * as z from "zod";
import type { Provider, ProviderRequest } from "../../provider.ts";
import { createAdapter } from "../http/adapter.ts";
import { invalidRequest, refused, unknown } from "../http/call-ended.ts";
import { explainStatus } from "../http/explain-status.ts";
import { encodeForm } from "../http/multipart.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { findJson, readJson } from "../http/read-json.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";

/*
 * Stability AI, Stable Image: `POST /v2beta/stable-image/generate/{ultra|core|sd3}` and
 * `/v2beta/stable-image/edit/inpaint`.
 *
 * The vendor has no SDK for this API, and nothing was tested against the live service. All of it is
 * from third-party descriptions and clients: paths, Bearer, multipart, `Accept`, fields and aspect
 * ratios, `finish_reason` on status 200, errors `{id, name, errors}`, 402 without credit, 403 with
 * the name `content_moderation` for a refused prompt (not charged).
 */

interface StabilityOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://api.stability.ai`. */
  readonly baseUrl?: string | undefined;
}

/**
 * Aspect ratios and pixels. The vendor produces about one megapixel for each, so 1K is the only
 * size.
 */
const pixels: Readonly<Record<string, PixelSize>> = {
  "1:1": { width: 1024, height: 1024 },
  "16:9": { width: 1344, height: 768 },
  "21:9": { width: 1536, height: 640 },
  "2:3": { width: 832, height: 1216 },
  "3:2": { width: 1216, height: 832 },
  "4:5": { width: 896, height: 1088 },
  "5:4": { width: 1088, height: 896 },
  "9:16": { width: 768, height: 1344 },
  "9:21": { width: 640, height: 1536 },
};

/** The model that edits. */
const inpaint = "edit/inpaint";

const maxSeed = 2 ** 32 - 2;

const responseSchema = z.object({
  image: z.string().optional(),
  finish_reason: z.string(),
  seed: z.number().nullish().catch(null),
});
const failureSchema = z.object({ name: z.string(), errors: z.array(z.string()).optional() });

/**
 * Stability's hosted models. The model is the last part of the path (`ultra`, `core`), followed by
 * a slash and the model name where the path serves several: `sd3/sd3.5-large`. The model
 * `edit/inpaint` repaints the white area of a mask. No references.
 */
export function createStabilityProvider(options: StabilityOptions): Provider {
  const { apiKey, baseUrl = "https://api.stability.ai" } = options;
  const credentials = { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });
  return createAdapter({
    name: "stability",
    lostCall: "repeat-blindly",
    secrets: [apiKey],
    limits: options,
    capabilities: ["edit", "mask", "negative_prompt"],
    editSize: sizeOf,
    async makeImage(request, { signal }) {
      const { negativePrompt = null, prompt, references, seed } = request;
      const size = sizeOf(request);
      if (references.length > 0) throw invalidRequest("no references");
      const { path, fields } = describe(request);
      const { body, contentType } = encodeForm([
        ["prompt", prompt],
        ...(negativePrompt === null ? [] : [["negative_prompt", negativePrompt] as const]),
        ...fields,
        // 0 means random; the maximum is 2^32 - 2.
        ["seed", String(seed === 0 ? maxSeed : Math.min(seed, maxSeed))],
        ["output_format", "png"],
      ]);
      const response = await send({
        method: "POST",
        url: `v2beta/stable-image/${path}`,
        headers: { "content-type": contentType },
        body,
        signal,
        purpose: "generate",
      });
      if (response.status !== 200) throw explainStabilityFailure(response);
      const { finish_reason: reason, image, seed: used } = readJson(response, responseSchema);
      if (reason === "CONTENT_FILTERED") throw refused("image", [reason]);
      if (image === undefined) throw unknown(`a response without an image: ${reason}`);
      const generated = await readImage(readBase64(image), size);
      return { kind: "image", image: generated, turn: null, seed: used ?? null };
    },
  });
}

function sizeOf({ aspectRatio, imageSize }: ProviderRequest): PixelSize {
  const size = Object.hasOwn(pixels, aspectRatio) ? pixels[aspectRatio] : undefined;
  if (size === undefined || imageSize !== "1K") {
    throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  }
  return size;
}

/** The path of a model and the fields that other models do not have. */
function describe({ aspectRatio, model, task }: ProviderRequest): {
  readonly path: string;
  readonly fields: Parameters<typeof encodeForm>[0];
} {
  if (model === inpaint) {
    if (task?.kind !== "edit" || task.mask === null) {
      throw invalidRequest("this model only edits an image with a mask");
    }
    const mask = { name: "mask.png", bytes: task.mask, mediaType: "image/png" };
    return {
      path: model,
      fields: [
        ["image", { ...task.image, name: "image.png" }],
        ["mask", mask],
      ],
    };
  }
  if (task !== undefined) throw invalidRequest(`${model} does not edit images`);
  const [endpoint = "", name] = model.split("/");
  return {
    path: `generate/${encodeURIComponent(endpoint)}`,
    fields: [
      ...(name === undefined ? [] : [["model", name] as const]),
      ["aspect_ratio", aspectRatio],
    ],
  };
}

function explainStabilityFailure(response: HttpResponse): Error {
  const failure = findJson(response, failureSchema);
  if (failure?.name === "content_moderation") return refused("request", [failure.name]);
  const detail = failure === null ? "" : [failure.name, ...(failure.errors ?? [])].join(": ");
  return explainStatus(response, detail);
}
