import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { findGeneration, presentResult, type FoundGeneration } from "@atelier/generations";
import {
  AppError,
  openaiImageRequest,
  parseRequest,
  toOpenAIError,
  type GenerationPlan,
  type OpenAIImageRequest,
  type OpenAIImages,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { acceptAndWait, failureOf } from "../generations/accept-and-wait.ts";
import { nearestSize } from "../generations/openai-size.ts";
import { planImage } from "../generations/plan-image.ts";
import { signWith } from "../generations/sign.ts";
import { contextOf, disconnectSignal, setJob } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { readPrefer } from "../http/prefer.ts";

/**
 * `POST /v1/images/generations`: one image, asked for and answered as with OpenAI. `X-Should-Retry`
 * tells OpenAI's clients, which would otherwise repeat every 409 and 5xx, not to ask twice for what
 * is paid for once: once there is a job, whatever happens to its answer.
 */
export function generateOpenAIImage(dependencies: ApiDependencies) {
  const { config, database, waiters } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(openaiImageRequest, request.body);
    const { waitMs } = readPrefer(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000);
    const { requestId, caller } = contextOf(response);
    const { accountId } = caller;
    const idempotency = readIdempotencyKey(request, body);
    const signal = disconnectSignal(request, response);
    const accepted = await acceptAndWait(
      {
        requestId,
        accountId,
        idempotency,
        signal,
        onJob(generationId) {
          setJob(response, generationId);
          response.set("X-Should-Retry", String(idempotency !== null));
        },
      },
      {
        body,
        makePlan: () => planOpenAIImage(body, response, dependencies),
        deadlineMs: config.IMAGE_DEADLINE_SECONDS * 1_000,
        waitMs,
      },
      dependencies,
    );
    const { generationId, replayed } = accepted;
    let generation = accepted.final;
    if (replayed) {
      response.set("Idempotent-Replayed", "true");
      // There is no 202 to send a client away with, so one that comes back waits again.
      const mayWait = generation === null && !signal.aborted;
      if (mayWait && (await waiters.waitFor({ accountId, generationId }, waitMs, signal))) {
        generation = await findGeneration(database.repeatable, { accountId, generationId });
      }
    }
    if (generation === null) {
      return sendUnfinished(response, generationId, idempotency !== null, dependencies);
    }
    if (generation.status !== "completed") {
      response.set("X-Should-Retry", "false");
      throw failureOf(generation);
    }
    await sendImage(response, generation, body, dependencies);
  };
}

function planOpenAIImage(
  { model, prompt, size, moderation }: OpenAIImageRequest,
  response: Response,
  dependencies: ApiDependencies,
): GenerationPlan {
  const { aspectRatio, imageSize } = nearestSize(dependencies.catalogue.find(model), size);
  const { strictness } = contextOf(response).caller;
  return planImage(
    {
      model,
      prompt,
      aspect_ratio: aspectRatio,
      image_size: imageSize,
      strictness: moderation === "low" ? "liberal" : undefined,
    },
    strictness,
    dependencies,
  );
}

async function sendImage(
  response: Response,
  generation: FoundGeneration,
  { response_format = "url", output_format = "png" }: OpenAIImageRequest,
  dependencies: ApiDependencies,
): Promise<void> {
  const created = Math.floor((generation.completedAt ?? new Date()).getTime() / 1_000);
  if (response_format === "url") {
    const { formats } = await presentResult(generation, signWith(dependencies));
    const url = formats?.[output_format]?.url;
    if (url === undefined) throw notKept();
    response.json({ created, data: [{ url }], output_format } satisfies OpenAIImages);
    return;
  }
  const images = generation.renders[0]?.images;
  const image = images?.find(({ format, deleted }) => format === output_format && !deleted);
  const stored = image && (await dependencies.storage.get(image.storageKey));
  if (stored == null) throw notKept();
  await sendBase64(response, stored.bytes, (b64_json) =>
    JSON.stringify({ created, data: [{ b64_json }], output_format } satisfies OpenAIImages),
  );
}

/** A multiple of 3, so that each part is whole in base64. */
const partBytes = 48 * 1_024;

/**
 * Sends JSON around bytes in base64, part by part: an image of many megabytes neither becomes one
 * string nor holds up other requests while it is encoded.
 *
 * @param write the JSON with some text in the place of the bytes.
 */
async function sendBase64(
  response: Response,
  { buffer, byteOffset, byteLength }: Uint8Array,
  write: (base64: string) => string,
): Promise<void> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  // Nowhere else in the JSON, not even in the name of the property.
  const mark = "BYTES";
  const [before = "", after = ""] = write(mark).split(mark);

  function* parts() {
    yield before;
    for (let at = 0; at < byteLength; at += partBytes) {
      yield bytes.toString("base64", at, at + partBytes);
    }
    yield after;
  }
  const length = before.length + Math.ceil(byteLength / 3) * 4 + after.length;
  response.type("json").set("Content-Length", String(length));
  await pipeline(Readable.from(parts()), response).catch((error: unknown) => {
    // Only a client that goes away ends it early.
    if (!response.destroyed) throw error;
  });
}

/** The wait is over before the image is done, which is 202 elsewhere. */
function sendUnfinished(
  response: Response,
  generationId: string,
  repeatable: boolean,
  { config }: ApiDependencies,
): void {
  const pollUrl = `${config.PUBLIC_URL}/v1/jobs/${generationId}`;
  const how = repeatable
    ? "Send the same request with the same Idempotency-Key to get it, or read"
    : "Sent again without an Idempotency-Key it would be made and charged twice: read";
  const code = "job_unfinished";
  response.locals["errorCode"] = code;
  const { status, body } = toOpenAIError({
    code,
    message: `The image is not done yet and is still being made, as job ${generationId}. ${how} GET ${pollUrl}.`,
    details: null,
  });
  response.status(status).set({ Location: pollUrl, "Retry-After": "2" }).json(body);
}

function notKept(): AppError {
  return new AppError(
    "file_not_found",
    "The files of this image are not kept any more. To have it made again, use a new Idempotency-Key.",
  );
}
