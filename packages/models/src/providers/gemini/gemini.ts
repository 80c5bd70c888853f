import * as z from "zod";
import type { ImageFile, Provider, ProviderReference, ProviderRequest } from "../../provider.ts";
import { describeReference, promptWithEditArea } from "../describe-references.ts";
import { toBase64 } from "../encode-reference.ts";
import { fitImages } from "../fit-images.ts";
import { explainGeminiFailure } from "./gemini-failure.ts";
import { describeThinking, type GeminiThinking } from "./gemini-thinking.ts";
import { readGeminiUsage } from "./gemini-usage.ts";
import { continueTurns, findTurns, roomBeside, type Content } from "./gemini-turns.ts";
import { createAdapter } from "../http/adapter.ts";
import { invalidRequest, refused, unavailable, unknown } from "../http/call-ended.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { readJson } from "../http/read-json.ts";
import { createSend, type CallLimits } from "../http/send.ts";

/*
 * Google Gemini: `POST /models/{id}:generateContent`.
 *
 * Verified with the vendor's SDK (@google/genai 3.1.0): the path, `x-goog-api-key`, the fields sent
 * and read, block and finish reasons, `thought` and `thoughtSignature`, and that a conversation is
 * resumed by sending the model's content back unchanged. The newest SDK version calls the same path
 * under `v1` by default; the documentation uses `v1beta`.
 *
 * From the vendor's documentation: an image model accepts a conversation without signatures and
 * rejects one with modified signatures. The adapter always keeps them.
 *
 * From public reports: `RetryInfo` and `QuotaFailure` in the details of a 429, the message for
 * exhausted credit, `API_KEY_INVALID` with status 400, and the pixels of each size.
 *
 * Not verified against the live service. A lost response cannot be fetched again.
 */

interface GeminiOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string | undefined;
  /** Default: the model's own. */
  readonly thinking?: GeminiThinking | undefined;
}

/**
 * Gemini's names for aspect ratios and sizes, which the catalogue uses as well. The last four are for
 * Nano Banana only. Nano Banana 2.1 refuses the size 512 of the model before it.
 *
 * Sources: docs.cloud.google.com, "AspectRatio"; the release notes of @tanstack/ai-gemini 0.36.0
 * (2026-10-07). Read on 2026-11-24.
 */
const aspectRatios = [
  "1:1",
  "2:3",
  "3:2",
  "3:4",
  "4:3",
  "4:5",
  "5:4",
  "9:16",
  "16:9",
  "21:9",
  "1:4",
  "4:1",
  "1:8",
  "8:1",
] as const;
/** Edge length of a square image by size, in pixels; other ratios have about the same area. */
const edges: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };

/** Finish reasons that are policy refusals; any other reason without an image is a failure. */
const refusals: ReadonlySet<string> = new Set([
  "SAFETY",
  "PROHIBITED_CONTENT",
  "BLOCKLIST",
  "SPII",
  "RECITATION",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  "IMAGE_OTHER",
  "NO_IMAGE",
]);

const ratingsSchema = z
  .array(z.object({ category: z.string(), blocked: z.boolean().optional() }))
  .optional();

const contentSchema = z.looseObject({
  parts: z
    .array(
      z.looseObject({
        thought: z.boolean().optional(),
        inlineData: z.looseObject({ data: z.string() }).optional(),
      }),
    )
    .optional(),
});

const responseSchema = z.object({
  promptFeedback: z
    .object({ blockReason: z.string().optional(), safetyRatings: ratingsSchema })
    .optional(),
  candidates: z
    .array(
      z.object({
        content: contentSchema.optional(),
        finishReason: z.string().optional(),
        safetyRatings: ratingsSchema,
      }),
    )
    .optional(),
});

/**
 * Google's Gemini image models. A story is one conversation: each image's `turn` holds the messages
 * so far, with the model's own content and thought signatures unchanged.
 */
export function createGeminiProvider(options: GeminiOptions): Provider {
  const { apiKey, baseUrl = "https://generativelanguage.googleapis.com/v1beta" } = options;
  const send = createSend({ ...options, baseUrl, credentials: { "x-goog-api-key": apiKey } });
  return createAdapter({
    name: "gemini",
    lostCall: "repeat-blindly",
    secrets: [apiKey],
    limits: options,
    // The model takes no mask: the prompt names the area, and the adapter restores the rest.
    capabilities: ["edit", "mask", "combine"],
    editSize: sizeOf,
    async makeImage(request, { onUsage, signal }) {
      const { aspectRatio, imageSize, model, previousTurn, prompt, rawPrompt, seed, task } =
        request;
      const size = sizeOf(request);
      const turns = findTurns(previousTurn, model);
      const edited = task?.kind === "edit" ? [task.image] : [];
      // The conversation already contains the previous scene as its last image.
      const references = request.references.filter(
        ({ role }) => turns.length === 0 || role !== "previous-scene",
      );
      const images = await fitImages([...edited, ...references], roomBeside(turns));
      const userContent: Content = {
        role: "user",
        parts: [
          ...showReferences(references, images, rawPrompt),
          { text: await promptWithEditArea({ ...request, references: [] }) },
        ],
      };
      const response = await send({
        method: "POST",
        url: `models/${encodeURIComponent(model)}:generateContent`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          contents: [...turns, userContent],
          generationConfig: {
            responseModalities: ["IMAGE"],
            imageConfig: { aspectRatio, imageSize },
            ...describeThinking(model, options.thinking),
            // The vendor's field is a signed 32-bit integer.
            seed: Math.abs(Math.trunc(seed)) % 2 ** 31,
          },
        }),
        signal,
        purpose: "generate",
      });
      onUsage(readGeminiUsage(response));
      if (response.status !== 200) throw explainGeminiFailure(response);
      const { candidates, promptFeedback } = readJson(response, responseSchema);
      if (promptFeedback?.blockReason !== undefined) {
        const { blockReason, safetyRatings } = promptFeedback;
        throw refused("request", [blockReason, ...blockedCategories(safetyRatings)]);
      }
      const [candidate] = candidates ?? [];
      if (candidate === undefined) throw unknown("a response without a candidate");
      const { content, finishReason = "", safetyRatings } = candidate;
      if (refusals.has(finishReason)) {
        throw refused("image", [finishReason, ...blockedCategories(safetyRatings)]);
      }
      const data = findImage(content);
      if (content === undefined || data === null) {
        throw unavailable(`no image was made: ${finishReason}`);
      }
      const image = await readImage(readBase64(data), size);
      return { kind: "image", image, turn: continueTurns({ model, turns, prompt, content }) };
    },
  });
}

function sizeOf({ aspectRatio, imageSize }: ProviderRequest): PixelSize {
  const edge = Object.hasOwn(edges, imageSize) ? edges[imageSize] : undefined;
  if (edge === undefined || !aspectRatios.some((known) => known === aspectRatio)) {
    throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  }
  const [across = 1, down = 1] = aspectRatio.split(":").map(Number);
  const stretch = Math.sqrt(across / down);
  return { width: Math.round(edge * stretch), height: Math.round(edge / stretch) };
}

/**
 * Each image after a text that describes it; with a raw prompt, only the images.
 *
 * @param images the fitted images of the references, after the image to edit if there is one.
 */
function showReferences(
  references: readonly ProviderReference[],
  images: readonly ImageFile[],
  rawPrompt = false,
): Content["parts"] {
  const edited = images.length - references.length;
  return images.flatMap((image, index) => {
    const reference = references[index - edited];
    const part = inlineImage(image);
    if (rawPrompt || reference === undefined) return [part];
    return [{ text: describeReference(reference, index) }, part];
  });
}

function inlineImage(image: ImageFile): object {
  return { inlineData: { mimeType: image.mediaType, data: toBase64(image) } };
}

/** The base64 image: the first one that is not a draft in the model's thoughts. */
function findImage(content: z.infer<typeof contentSchema> | undefined): string | null {
  const picture = content?.parts?.find(
    ({ inlineData, thought }) => thought !== true && inlineData !== undefined,
  );
  return picture?.inlineData?.data ?? null;
}

function blockedCategories(ratings: z.infer<typeof ratingsSchema>): readonly string[] {
  return (ratings ?? []).filter(({ blocked }) => blocked === true).map(({ category }) => category);
}
