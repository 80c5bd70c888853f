import type { FoundGeneration, FoundImage } from "@atelier/generations/jobs";
import type { FormatVariant, GenerationResponse } from "@atelier/schemas";
import type { Response } from "express";
import { randomUUID } from "node:crypto";
import { sendPieces, type Piece, type SendingDependencies } from "../../http/answer/send-files.ts";
import { contextOf } from "../../http/context.ts";

/** The largest file that a response contains, in bytes; larger ones have their URL only. */
export const maxInlineBytes = 4_000_000;

/**
 * Sends a result with the bytes of its files as `base64`, which are streamed from the storage.
 *
 * @throws AppError `file_not_found` when the files are no longer kept.
 */
export async function sendInline(
  response: Response,
  result: GenerationResponse,
  generation: FoundGeneration,
  signal: AbortSignal,
  dependencies: SendingDependencies,
): Promise<void> {
  const pieces = writeInline(result, generation);
  const { accountId } = contextOf(response).caller;
  const type = "application/json; charset=utf-8";
  await sendPieces(response, pieces, { accountId, type, signal }, dependencies);
}

type Formats = NonNullable<GenerationResponse["formats"]>;

/** Writes a result as JSON, with the files in place of their base64. */
export function writeInline(
  result: GenerationResponse,
  { renders }: Pick<FoundGeneration, "renders">,
): Piece[] {
  const files = new Map(
    renders.flatMap(({ images }) => images).map((image) => [image.sha256, image] as const),
  );
  const marker = randomUUID();
  const placed: FoundImage[] = [];

  function withBase64(variant: FormatVariant): FormatVariant {
    const file = files.get(variant.hash);
    if (file === undefined || file.sizeBytes > maxInlineBytes) return variant;
    placed.push(file);
    return { ...variant, base64: marker };
  }
  function complete(formats: Formats | undefined): { formats?: Formats } {
    if (formats === undefined) return {};
    const entries = Object.entries(formats).map(([name, one]) => [name, withBase64(one)]);
    return { formats: Object.fromEntries(entries) };
  }

  const { images } = result;
  // The files of the first of several images are among `images` and are sent once.
  const completed =
    images === undefined
      ? { ...result, ...complete(result.formats) }
      : { ...result, images: images.map((image) => ({ ...image, ...complete(image.formats) })) };
  // The markers are in the order in which they were placed: the properties keep their order.
  const parts = JSON.stringify(completed).split(marker);
  return parts.flatMap((part, index) => [part, ...placed.slice(index, index + 1)]);
}
