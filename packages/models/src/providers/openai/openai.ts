import type { SvgDrawer } from "@atelier/svg";
import * as z from "zod";
import type { ImageFile, Provider, ProviderEdit, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithReferences } from "../describe-references.ts";
import { toTransparencyMask } from "../edit/mask-forms.ts";
import { createAdapter } from "../http/adapter.ts";
import { invalidRequest, unknown } from "../http/call-ended.ts";
import { encodeForm } from "../http/multipart.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import type { PixelSize } from "@atelier/schemas";
import { readJson } from "../http/read-json.ts";
import { readSvg } from "../http/read-svg.ts";
import { createSend, type CallLimits, type HttpResponse, type HttpRequest } from "../http/send.ts";
import { effortOf, type OpenAiComplexity, type OpenAiQuality } from "./openai-effort.ts";
import { explainOpenAiFailure } from "./openai-failure.ts";
import { describeSvg, type OpenAiSvgAuthor } from "./openai-svg.ts";
import { readOpenAiUsage } from "./openai-usage.ts";
import { openAiPixels } from "./openai-pixels.ts";

/*
 * OpenAI Images: `POST /images/generations`, and `POST /images/edits` when there are images to edit,
 * combine or follow. `quality` and `complexity` are always sent: without them, the price depends on the
 * vendor's choice.
 *
 * Verified with the vendor's SDK (openai 7.55.0): both paths, the fields sent and read, multipart
 * with `image[]`, `mask` (transparent pixels mark what to change) and `markup` (a PNG with transparent
 * pixels, of the size of the first image, not with `mask`, GPT Image 2.5; that 2.6 takes it, too, is a
 * report), `background`, Bearer, sizes and their limits, at most 16 images of less than 50 MB, the error
 * format, `moderation_blocked` with `moderation_details` (its stages `input`, `output`, `unknown`).
 *
 * From public reports, not from the vendor: the categories in the message when there are no
 * details, `content_policy_violation`, and the codes for exhausted credit.
 *
 * Not verified against the live service. There is no seed, and a lost response cannot be fetched
 * again.
 */

interface OpenAiOptions extends CallLimits {
  readonly apiKey: string;
  /** Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** Determines the price of an image, together with its size. Default `medium`. */
  readonly quality?: OpenAiQuality | undefined;
  /** How much GPT Image 2.6 plans an image, which costs tokens too. Default `high`, the vendor's. */
  readonly complexity?: OpenAiComplexity | undefined;
  /** The model that writes the SVG of graphics, and what draws it. Default: no graphics. */
  readonly svg?: { readonly author: OpenAiSvgAuthor; readonly drawer: SvgDrawer } | undefined;
}

const maxImages = 16;
const maxImageBytes = 50 * 1024 * 1024;
const maxMaskBytes = 4 * 1024 * 1024;

const imagesSchema = z.object({ data: z.array(z.object({ b64_json: z.string() })).min(1) });

/**
 * OpenAI's image models (`gpt-image-…`). Accepts up to 16 references; keeps no state between
 * images.
 */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { apiKey, baseUrl = "https://api.openai.com/v1" } = options;
  const { quality = "medium", complexity = "high", svg } = options;
  const credentials = { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });
  return createAdapter({
    name: "openai",
    lostCall: "repeat-blindly",
    secrets: [apiKey],
    limits: options,
    capabilities: [
      "edit",
      "mask",
      "markup",
      "combine",
      "transparency",
      ...(svg === undefined ? [] : (["graphic"] as const)),
    ],
    editSize: sizeOf,
    async makeImage(request, { onUsage, signal }) {
      const { background = "opaque", model, task } = request;
      const size = sizeOf(request);
      const images = inputImages(request);
      assertImages(images);
      const graphic = task?.kind === "graphic" ? task : null;
      if (graphic !== null && (images.length > 0 || !model.startsWith("gpt-image-2.6-"))) {
        throw invalidRequest("SVG files are made by GPT Image 2.6 of a prompt alone");
      }
      const fields = {
        model,
        prompt: promptWithReferences(request),
        n: 1,
        size: `${size.width}x${size.height}`,
        ...effortOf(model, quality, complexity),
        output_format: "png",
        ...(background === "transparent" ? { background } : {}),
        ...(graphic === null || svg === undefined ? {} : describeSvg(request, graphic, svg.author)),
      };
      const order =
        images.length === 0
          ? orderGeneration(fields)
          : orderEdit(fields, images, task?.kind === "edit" ? await hintFiles(task) : []);
      const response = await send({ method: "POST", ...order, signal, purpose: "generate" });
      if (graphic !== null && svg !== undefined) {
        // `usage` lacks the tokens of the text model, so that the cost of the call is not known.
        const bytes = readFirst(response);
        return { kind: "image", ...(await readSvg(bytes, size, svg.drawer)), turn: null };
      }
      onUsage(readOpenAiUsage(response));
      return { kind: "image", image: await readImages(response, size), turn: null };
    },
  });
}

/** The part of a request that describes the image. */
export type Order = Pick<HttpRequest, "url" | "headers" | "body">;

/** Builds a JSON generation request. */
export function orderGeneration(fields: object): Order {
  return {
    url: "images/generations",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
  };
}

/** A file in a form, with the name of its field. */
type FileField = readonly [field: string, file: ImageFile & { readonly name: string }];

/** Builds an edit request as a form, with the images in the given order and further files. */
export function orderEdit(
  fields: Readonly<Record<string, unknown>>,
  images: readonly ImageFile[],
  files: readonly FileField[] = [],
): Order {
  const { body, contentType } = encodeForm([
    ...Object.entries(fields).map(
      ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
    ),
    ...images.map(({ bytes, mediaType }, index) => {
      const name = `image-${index + 1}.${mediaType.slice("image/".length)}`;
      return ["image[]", { name, bytes, mediaType }] as const;
    }),
    ...files,
  ]);
  return { url: "images/edits", headers: { "content-type": contentType }, body };
}

/**
 * Reads the first image of a response in OpenAI's format.
 *
 * @throws CallEnded
 */
export async function readImages(
  response: HttpResponse,
  size: PixelSize,
): Promise<Awaited<ReturnType<typeof readImage>>> {
  return readImage(readFirst(response), size);
}

function readFirst(response: HttpResponse): Buffer {
  if (response.status !== 200) throw explainOpenAiFailure(response);
  const [image] = readJson(response, imagesSchema).data;
  if (image === undefined) throw unknown("a response without an image");
  return readBase64(image.b64_json);
}

function sizeOf({ aspectRatio, imageSize }: ProviderRequest): PixelSize {
  const size = openAiPixels(aspectRatio, imageSize);
  if (size === null) throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  return size;
}

/** The mask or the markup of an edit. */
async function hintFiles({ mask, markup = null }: ProviderEdit): Promise<FileField[]> {
  const mediaType = "image/png";
  return [
    ...(mask === null ? [] : [await maskFile(mask)]),
    ...(markup === null
      ? []
      : [["markup", { name: "markup.png", bytes: markup, mediaType }] as const]),
  ];
}

async function maskFile(mask: Uint8Array): Promise<FileField> {
  const bytes = await toTransparencyMask(mask);
  if (bytes.byteLength >= maxMaskBytes) throw invalidRequest("a mask of 4 MB or more");
  return ["mask", { name: "mask.png", bytes, mediaType: "image/png" }];
}

function assertImages(images: readonly ImageFile[]): void {
  if (images.length > maxImages) throw invalidRequest(`no more than ${maxImages} images`);
  if (images.some(({ bytes }) => bytes.byteLength >= maxImageBytes)) {
    throw invalidRequest("an image of 50 MB or more");
  }
}
