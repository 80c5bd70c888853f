import * as z from "zod";
import type { Provider, ProviderReference } from "../provider.ts";
import { describeReferences } from "./describe-references.ts";
import { createAdapter } from "./http/adapter.ts";
import { invalidRequest, unknown } from "./http/call-ended.ts";
import { encodeForm } from "./http/multipart.ts";
import { readBase64, readImage, type PixelSize } from "./http/read-image.ts";
import { readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer, type HttpRequest } from "./http/send.ts";
import { explainOpenAiFailure } from "./openai-failure.ts";
import { openAiPixels } from "./openai-pixels.ts";

/*
 * OpenAI Images: `POST /images/generations`, and `POST /images/edits` when there are references.
 *
 * Verified with the vendor's SDK (openai 7.55.0): both paths, the fields sent and read, multipart with
 * `image[]`, Bearer, sizes and their limits, at most 16 images of less than 50 MB, the shape of errors,
 * `moderation_blocked` with `moderation_details` (its stages `input`, `output`, `unknown`).
 * From public reports, not from the vendor: the categories in the message when there are no details,
 * `content_policy_violation`, and the codes that mean that money ran out.
 * Not verified against the live service. There is no seed, and no way to ask for a lost answer again.
 */

export interface OpenAiOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** Decides what an image costs, together with its size. Default `medium`. */
  readonly quality?: "low" | "medium" | "high" | undefined;
}

const maxReferences = 16;
const maxReferenceBytes = 50 * 1024 * 1024;

const imagesSchema = z.object({ data: z.array(z.object({ b64_json: z.string() })).min(1) });

/** OpenAI's image models (`gpt-image-…`). Looks at up to 16 references; keeps no state between images. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { apiKey, baseUrl = "https://api.openai.com/v1", quality = "medium" } = options;
  const credentials = { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });
  return createAdapter({
    name: "openai",
    lostCall: "repeat-blindly",
    secrets: [apiKey],
    limits: options,
    async makeImage(request, { signal }) {
      const { aspectRatio, imageSize, model, references } = request;
      const size = openAiPixels(aspectRatio, imageSize);
      if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
      assertReferences(references);
      const fields = {
        model,
        prompt: describeReferences(request.prompt, references),
        n: 1,
        size: `${size.width}x${size.height}`,
        quality,
        output_format: "png",
      };
      const order =
        references.length === 0 ? orderGeneration(fields) : orderEdit(fields, references);
      const answer = await send({ method: "POST", ...order, signal, asks: "to-make" });
      return { kind: "image", image: await readImages(answer, size), turn: null };
    },
  });
}

/** The part of a request that says what to make. */
export type Order = Pick<HttpRequest, "url" | "headers" | "body">;

/** A generation in JSON. */
export function orderGeneration(fields: object): Order {
  return {
    url: "images/generations",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
  };
}

/** An edit in a form, its images in the order of the references. */
export function orderEdit(
  fields: Readonly<Record<string, string | number>>,
  references: readonly ProviderReference[],
): Order {
  const { body, contentType } = encodeForm([
    ...Object.entries(fields).map(([name, value]) => [name, String(value)] as const),
    ...references.map(({ bytes, mediaType }, index) => {
      const name = `reference-${index + 1}.${mediaType.slice("image/".length)}`;
      return ["image[]", { name, bytes, mediaType }] as const;
    }),
  ]);
  return { url: "images/edits", headers: { "content-type": contentType }, body };
}

/**
 * The first image of an answer in OpenAI's form.
 *
 * @throws CallEnded
 */
export async function readImages(
  answer: HttpAnswer,
  size: PixelSize,
): Promise<Awaited<ReturnType<typeof readImage>>> {
  if (answer.status !== 200) throw explainOpenAiFailure(answer);
  const [image] = readJson(answer, imagesSchema).data;
  if (image === undefined) throw unknown("an answer without an image");
  return readImage(readBase64(image.b64_json), size);
}

function assertReferences(references: readonly ProviderReference[]): void {
  if (references.length > maxReferences) {
    throw invalidRequest(`no more than ${maxReferences} references`);
  }
  if (references.some(({ bytes }) => bytes.byteLength >= maxReferenceBytes)) {
    throw invalidRequest("a reference of 50 MB or more");
  }
}
