import { listUnits } from "@atelier/generations/claims";
import type { FoundGeneration, FoundImage } from "@atelier/generations/jobs";
import { presentResult } from "@atelier/presentation";
import type { ImageFormat, OpenAIImages } from "@atelier/schemas";
import type { Response } from "express";
import type { ApiDependencies, Needs } from "../dependencies.ts";
import { signWith } from "../generations/answer/sign.ts";
import { filesExpired, sendPieces, type Piece } from "../http/answer/send-files.ts";
import { contextOf } from "../http/context.ts";
import type { Shares } from "../http/limits/shares.ts";
import { parsePixels } from "./pick-size.ts";
import { tokenUsageOf } from "./token-usage.ts";

/** How a client wants its images. */
export interface ImageDelivery {
  readonly responseFormat: "url" | "b64_json" | "both";
  readonly outputFormat: ImageFormat;
  /** The pixels of the request, such as `1536x1024`. */
  readonly requestedSize: string | undefined;
  /** The type of the events of a stream; null for one JSON body. */
  readonly eventType: "image_generation.completed" | "image_edit.completed" | null;
}

/** Parameters of a request that say how its images are sent. */
interface DeliveryFields {
  readonly model?: string | undefined;
  readonly response_format?: "url" | "b64_json" | undefined;
  readonly output_format?: ImageFormat | undefined;
  readonly size?: string | undefined;
  readonly stream?: boolean | undefined;
}

/**
 * Reads how a client wants its images. Without `response_format`, clients of the names `dall-e-*` read URLs,
 * and all others read base64, as with OpenAI.
 *
 * @param eventType type of the events, if it wants a stream.
 */
export function readDelivery(
  { model, response_format, output_format = "png", size, stream = false }: DeliveryFields,
  eventType: NonNullable<ImageDelivery["eventType"]>,
  { OPENAI_DEFAULT_RESPONSE }: Pick<ApiDependencies["config"], "OPENAI_DEFAULT_RESPONSE">,
): ImageDelivery {
  const named = model?.toLowerCase().startsWith("dall-e-") === true ? "url" : "b64_json";
  return {
    responseFormat: response_format ?? (OPENAI_DEFAULT_RESPONSE === "both" ? "both" : named),
    outputFormat: output_format,
    requestedSize: size !== undefined && parsePixels(size) !== null ? size : undefined,
    eventType: stream ? eventType : null,
  };
}

/**
 * Sends the images of a completed generation: as one JSON body, or as a stream with one event for each.
 *
 * @throws AppError `file_not_found` when their files are no longer kept.
 */
export async function sendImages(
  response: Response,
  generation: FoundGeneration,
  delivery: ImageDelivery & { readonly signal: AbortSignal },
  dependencies: Needs<"config" | "database" | "storage"> & {
    readonly memory: Shares;
  },
): Promise<void> {
  const { responseFormat, outputFormat, eventType } = delivery;
  const files = generation.renders.map(({ images }) => findFile(images, outputFormat));
  const units = await listUnits(dependencies.database.repeatable, generation.id);
  const usage = tokenUsageOf(units);
  const facts = describe(generation, files, outputFormat);
  nameAdjusted(response, delivery.requestedSize, facts.size);
  const body = { ...facts, ...(usage !== null && { usage }) };
  const isStream = eventType !== null;
  const urls =
    isStream || responseFormat === "b64_json"
      ? []
      : await signUrls(generation, outputFormat, dependencies);
  if (!isStream && responseFormat === "url") {
    response.json({ ...body, data: urls.map((url) => ({ url })) } satisfies OpenAIImages);
    return;
  }
  const pieces = isStream
    ? writeEvents(files, units, { ...facts, type: eventType })
    : writeBody(files, urls, body);
  const { accountId } = contextOf(response).caller;
  const type = isStream ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8";
  await sendPieces(response, pieces, { accountId, type, signal: delivery.signal }, dependencies);
}

export function findFile(images: readonly FoundImage[], format: ImageFormat): FoundImage {
  const file = images.find((image) => image.format === format && !image.deleted);
  if (file === undefined) throw filesExpired();
  return file;
}

/** The properties of the response besides its images. */
type Facts = Omit<OpenAIImages, "data">;

function describe(
  { completedAt, request }: FoundGeneration,
  [first]: readonly FoundImage[],
  output_format: ImageFormat,
): Facts {
  const { background } = request as { readonly background?: unknown };
  // A JPEG has no transparency: it is flattened.
  const isTransparent = background === "transparent" && output_format !== "jpeg";
  return {
    created: Math.floor((completedAt ?? new Date()).getTime() / 1_000),
    background: isTransparent ? "transparent" : "opaque",
    output_format,
    ...(first === undefined ? {} : { size: `${first.width}x${first.height}` }),
  };
}

/** Names the size that was made in the header `Atelier-Adjusted` when it is not the requested one. */
function nameAdjusted(response: Response, requested?: string, made = requested): void {
  // A stream that was kept open has its headers already; its events name the size.
  if (requested === made || requested === undefined || response.headersSent) return;
  response.set("Atelier-Adjusted", `size=${made}`);
}

async function signUrls(
  generation: FoundGeneration,
  format: ImageFormat,
  dependencies: Needs<"config" | "storage">,
): Promise<string[]> {
  const { formats, images = [{ formats }] } = await presentResult(
    generation,
    signWith(dependencies),
  );
  return images.map((image) => {
    const url = image.formats?.[format]?.url;
    if (url === undefined) throw filesExpired();
    return url;
  });
}

/** JSON of an `OpenAIImages` with files in place of their base64. */
function writeBody(files: readonly FoundImage[], urls: readonly string[], facts: Facts): Piece[] {
  const { created, ...others } = facts;
  const entries = files.flatMap((file, index): Piece[] => {
    const url = urls[index] === undefined ? "" : `"url":${JSON.stringify(urls[index])},`;
    return [`${index === 0 ? "" : ","}{${url}"b64_json":"`, file, '"}'];
  });
  return [`{"created":${created},"data":[`, ...entries, `],${JSON.stringify(others).slice(1)}`];
}

/** Tokens of an event whose vendor counts none: OpenAI's clients may read them from every final event. */
const noTokens = {
  input_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
};

/**
 * One event for each image, as OpenAI's clients read them; images cannot be sent as URLs. The quality is
 * `auto`, since the parameter has no effect.
 */
function writeEvents(
  files: readonly FoundImage[],
  units: Awaited<ReturnType<typeof listUnits>>,
  { type, created, ...others }: Facts & { readonly type: string },
): Piece[] {
  return files.flatMap((file, index): Piece[] => {
    const usage = tokenUsageOf([units[index] ?? null]) ?? noTokens;
    const rest = { ...others, quality: "auto", created_at: created, usage };
    return [
      `event: ${type}\ndata: {"type":"${type}","b64_json":"`,
      file,
      `",${JSON.stringify(rest).slice(1)}\n\n`,
    ];
  });
}
