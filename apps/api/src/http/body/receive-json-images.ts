import { AppError } from "@atelier/schemas";
import type { Request, Response } from "express";
import { setImmediate } from "node:timers/promises";
import { contextOf } from "../context.ts";
import type { Shares } from "../limits/shares.ts";
import { createImageCutter, type ImageMembers, type InlineImage } from "./cut-images.ts";
import { isCompressed } from "./decode-body.ts";
import { readJson, requireJson } from "./read-body.ts";
import { declaredBytes, maxBodyBytes, readChunks } from "./receive-body.ts";
import { maxImagesBytes, type Receiving } from "./receive-form.ts";

/** A JSON body whose images were cut out. */
interface JsonWithImages {
  /** Each image is replaced by the id of the upload that it becomes. */
  readonly body: unknown;
  readonly images: readonly InlineImage[];
}

/**
 * Receives a JSON body and cuts its images out while they arrive. A body of at most 1 MB takes the steps of
 * `readBody`; a larger one is prepared before it is read.
 *
 * @param accepted the members that may be images, and how many images a body may have.
 * @throws AppError `unsupported_media_type`, `request_too_large`, `overloaded`, `upload_invalid` or
 *   `invalid_request`.
 */
export async function receiveJsonImages(
  request: Request,
  response: Response,
  accepted: ImageMembers & { readonly images: number },
  receiving: Receiving & { readonly newId: () => string },
): Promise<JsonWithImages> {
  requireJson(request);
  const declared = isCompressed(request) ? null : declaredBytes(request);
  if (declared !== null && declared > maxImagesBytes) throw tooManyBytes();
  const budget = request.app.locals["bodyBudget"] as Pick<Shares, "take">;
  const isLarge = declared !== null && declared > maxBodyBytes;
  const { accountId } = contextOf(response).caller;
  const release = budget.take(accountId, isLarge ? 0 : (declared ?? maxBodyBytes));
  try {
    const cutter = createImageCutter(accepted, accepted.images, receiving.newId);
    if (isLarge) await receiving.prepare(decodedBytes(declared), true);
    let isPrepared = isLarge;
    for await (const chunk of readChunks(request, response)) {
      receiving.receivedBytes += chunk.byteLength;
      if (receiving.receivedBytes > maxImagesBytes) throw tooManyBytes();
      if (!isPrepared && receiving.receivedBytes > maxBodyBytes) {
        await receiving.prepare(decodedBytes(maxImagesBytes), false);
        isPrepared = true;
      }
      // Parts of many requests may arrive in one turn of the event loop.
      if (isPrepared) await nextTurn();
      cutter.push(chunk);
    }
    if (isPrepared) await nextTurn();
    const { text, images } = cutter.end();
    response.locals["bodyBytes"] = text.byteLength;
    return { body: readJson(text), images };
  } finally {
    release();
  }
}

let turn: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop in which no other large request has its turn. */
function nextTurn(): Promise<void> {
  turn = turn.then(() => setImmediate());
  return turn;
}

/** The most bytes that are in base64 of a size. */
function decodedBytes(bytes: number): number {
  return Math.ceil((bytes * 3) / 4);
}

function tooManyBytes(): AppError {
  return new AppError(
    "request_too_large",
    `The body is larger than ${maxImagesBytes / 1_000_000} MB. Send images to POST /v1/uploads, and their ids.`,
  );
}
