import * as z from "zod";
import type { Provider } from "../provider.ts";
import { createAdapter } from "./http/adapter.ts";
import { invalidRequest, refused, unknown } from "./http/call-ended.ts";
import { explainStatus } from "./http/explain-status.ts";
import { encodeForm } from "./http/multipart.ts";
import { readBase64, readImage, type PixelSize } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";

/*
 * Stability AI, Stable Image: `POST /v2beta/stable-image/generate/{ultra|core|sd3}`.
 *
 * There is no SDK of the vendor's for this API and nothing here was tried against the live service. All of
 * it is from descriptions and clients that others published: paths, Bearer, multipart, `Accept`, fields and
 * aspect ratios, `finish_reason` on status 200, errors `{id, name, errors}`, 402 without credit, 403 with the
 * name `content_moderation` for a prompt that is refused (not charged).
 */

export interface StabilityOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://api.stability.ai`. */
  readonly baseUrl?: string | undefined;
}

/** The vendor takes these shapes and makes about a megapixel of each: there is one size, 1K. */
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

const answerSchema = z.object({ image: z.string().optional(), finish_reason: z.string() });
const failureSchema = z.object({ name: z.string(), errors: z.array(z.string()).optional() });

/**
 * Stability's hosted models. The model is the last part of the path (`ultra`, `core`), with the name of the
 * model behind a slash where the path has several: `sd3/sd3.5-large`. No references.
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
    async makeImage(request, { signal }) {
      const { aspectRatio, imageSize, prompt, references, seed } = request;
      const size = Object.hasOwn(pixels, aspectRatio) ? pixels[aspectRatio] : undefined;
      if (size === undefined || imageSize !== "1K") {
        throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
      }
      if (references.length > 0) throw invalidRequest("no references");
      const [endpoint = "", model] = request.model.split("/");
      const { body, contentType } = encodeForm([
        ["prompt", prompt],
        ...(model === undefined ? [] : [["model", model] as const]),
        ["aspect_ratio", aspectRatio],
        // 0 stands for a random one; the largest is 2^32 - 2.
        ["seed", String((Math.abs(Math.trunc(seed)) % (2 ** 32 - 2)) + 1)],
        ["output_format", "png"],
      ]);
      const answer = await send({
        method: "POST",
        url: `v2beta/stable-image/generate/${encodeURIComponent(endpoint)}`,
        headers: { "content-type": contentType },
        body,
        signal,
        asks: "to-make",
      });
      if (answer.status !== 200) throw explainStabilityFailure(answer);
      const { finish_reason: reason, image } = readJson(answer, answerSchema);
      if (reason === "CONTENT_FILTERED") throw refused("image", [reason]);
      if (image === undefined) throw unknown(`an answer without an image: ${reason}`);
      return { kind: "image", image: await readImage(readBase64(image), size), turn: null };
    },
  });
}

function explainStabilityFailure(answer: HttpAnswer): Error {
  const failure = findJson(answer, failureSchema);
  if (failure?.name === "content_moderation") return refused("request", [failure.name]);
  const said = failure === null ? "" : [failure.name, ...(failure.errors ?? [])].join(": ");
  return explainStatus(answer, said);
}
