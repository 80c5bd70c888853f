import * as z from "zod";
import type { Provider, ProviderReference } from "../provider.ts";
import { describeReference } from "./describe-references.ts";
import { fitReferences } from "./fit-references.ts";
import { explainGeminiFailure } from "./gemini-failure.ts";
import { continueTurns, findTurns, roomBeside, type Content } from "./gemini-turns.ts";
import { createAdapter } from "./http/adapter.ts";
import { invalidRequest, refused, unavailable, unknown } from "./http/call-ended.ts";
import { readBase64, readImage, type PixelSize } from "./http/read-image.ts";
import { readJson } from "./http/read-json.ts";
import { createSend, type CallLimits } from "./http/send.ts";

/*
 * Google Gemini: `POST /models/{id}:generateContent`.
 *
 * Verified with the vendor's SDK (@google/genai 3.1.0): the path, `x-goog-api-key`, the fields sent and
 * read, block and finish reasons, `thought` and `thoughtSignature`, and that a conversation is resumed by
 * sending the model's content back as it came.
 * Its newest client calls the same path under `v1` by default; `v1beta` is the one of the documentation.
 * From the vendor's documentation: an image model does not refuse a conversation whose signatures are
 * missing, and refuses one whose signatures were changed. They are always kept here.
 * From public reports: `RetryInfo` and `QuotaFailure` in the details of a 429, the wording when the credit
 * is used up, `API_KEY_INVALID` with status 400, and pixels of each size.
 * Not verified against the live service. Nothing can be asked for again when its answer was lost.
 */

export interface GeminiOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string | undefined;
}

/** Gemini's own words for shape and size are those of the catalogue. */
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
] as const;
/** The edge of a square of each size, in pixels; other shapes have about the same area. */
const edges: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };

/** Finish reasons that are the vendor's policy speaking; all others without an image are failures. */
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

const answerSchema = z.object({
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
 * Google's Gemini image models. A story is one conversation: each image's `turn` holds what was said so
 * far, with the model's own content and its thought signatures as they came.
 */
export function createGeminiProvider(options: GeminiOptions): Provider {
  const { apiKey, baseUrl = "https://generativelanguage.googleapis.com/v1beta" } = options;
  const send = createSend({ ...options, baseUrl, credentials: { "x-goog-api-key": apiKey } });
  return createAdapter({
    name: "gemini",
    lostCall: "repeat-blindly",
    secrets: [apiKey],
    limits: options,
    async makeImage(request, { signal }) {
      const { aspectRatio, imageSize, model, previousTurn, prompt, seed } = request;
      const size = pixelsOf(aspectRatio, imageSize);
      if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
      const turns = findTurns(previousTurn, model);
      // The scene before is the conversation's last picture; it is not shown twice.
      const references = await fitReferences(
        request.references.filter(({ role }) => turns.length === 0 || role !== "previous-scene"),
        roomBeside(turns),
      );
      const said: Content = {
        role: "user",
        parts: [...references.flatMap(showReference), { text: prompt }],
      };
      const answer = await send({
        method: "POST",
        url: `models/${encodeURIComponent(model)}:generateContent`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          contents: [...turns, said],
          generationConfig: {
            responseModalities: ["IMAGE"],
            imageConfig: { aspectRatio, imageSize },
            // The vendor's field is a signed integer of 32 bits.
            seed: Math.abs(Math.trunc(seed)) % 2 ** 31,
          },
        }),
        signal,
        asks: "to-make",
      });
      if (answer.status !== 200) throw explainGeminiFailure(answer);
      const { candidates, promptFeedback } = readJson(answer, answerSchema);
      if (promptFeedback?.blockReason !== undefined) {
        const { blockReason, safetyRatings } = promptFeedback;
        throw refused("request", [blockReason, ...blockedCategories(safetyRatings)]);
      }
      const [candidate] = candidates ?? [];
      if (candidate === undefined) throw unknown("an answer without a candidate");
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

function pixelsOf(aspectRatio: string, imageSize: string): PixelSize | null {
  const edge = Object.hasOwn(edges, imageSize) ? edges[imageSize] : undefined;
  if (edge === undefined || !aspectRatios.some((known) => known === aspectRatio)) return null;
  const [across = 1, down = 1] = aspectRatio.split(":").map(Number);
  const stretch = Math.sqrt(across / down);
  return { width: Math.round(edge * stretch), height: Math.round(edge / stretch) };
}

function showReference(reference: ProviderReference, index: number): Content["parts"] {
  const data = Buffer.from(reference.bytes).toString("base64");
  return [
    { text: describeReference(reference, index) },
    { inlineData: { mimeType: reference.mediaType, data } },
  ];
}

/** The picture in base64: the first that is not a draft from the model's thoughts. */
function findImage(content: z.infer<typeof contentSchema> | undefined): string | null {
  const picture = content?.parts?.find(
    ({ inlineData, thought }) => thought !== true && inlineData !== undefined,
  );
  return picture?.inlineData?.data ?? null;
}

function blockedCategories(ratings: z.infer<typeof ratingsSchema>): readonly string[] {
  return (ratings ?? []).filter(({ blocked }) => blocked === true).map(({ category }) => category);
}
