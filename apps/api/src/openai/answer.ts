import { findGeneration, type FoundGeneration } from "@atelier/generations/jobs";
import { AppError, toOpenAIError, type Operation } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { submit, type Requester, type SubmitDependencies } from "../generations/accept/submit.ts";
import { failureOf } from "../generations/answer/respond.ts";
import { waitForResult } from "../generations/answer/wait-for-result.ts";
import type { OperationRequest } from "../generations/plan/operations.ts";
import { endWithError, keepOpen } from "../http/answer/keep-open.ts";
import { contextOf, disconnectSignal, setJob } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import type { Shares } from "../http/limits/shares.ts";
import { readPrefer } from "../http/prefer.ts";
import { claimAnswer } from "./claim-answer.ts";
import { sendImages, type ImageDelivery } from "./send-images.ts";

/** An answer of another form than a list of images. */
interface OtherDelivery {
  /** The type of the events of a stream; null for one JSON body. */
  readonly eventType: string | null;
  readonly send: (
    response: Response,
    generation: FoundGeneration,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** A request of an OpenAI-compatible operation. */
interface OpenAIRequest<Name extends Operation> {
  /** Converts it to a request of this service. Not called for a replay. */
  readonly convert: () => OperationRequest<Name>;
  /** The fields of the request, which the idempotency key is bound to. */
  readonly fields: object;
  readonly delivery: ImageDelivery | OtherDelivery;
  /** Called once the request has a job, before the wait for it. */
  readonly onJob?: () => void;
}

/**
 * Submits a generation, waits for it and sends its images as OpenAI's API does. OpenAI's clients retry broken
 * connections, and every 409 and 5xx, without an idempotency key: such a retry joins the job of the first
 * request. `X-Should-Retry` keeps them from a retry that would make a second job. A JSON response begins when its status is known: nothing, not even
 * white space, is sent while it waits.
 */
export async function answerWithImages<Name extends Operation>(
  request: Request,
  response: Response,
  { convert, fields, delivery, onJob }: OpenAIRequest<Name>,
  dependencies: SubmitDependencies & { readonly memory: Shares },
): Promise<void> {
  const { config, database, waiters } = dependencies;
  const { waitMs } = readPrefer(request.get("Prefer"), config.FACADE_MAX_WAIT_SECONDS * 1_000);
  const { requestId, caller } = contextOf(response);
  const { accountId } = caller;
  const idempotency = readIdempotencyKey(request, fields, caller);
  const signal = disconnectSignal(request, response);
  const claim = claimAnswer(request, fields, idempotency !== null, dependencies);
  const requester: Requester = {
    requestId,
    caller,
    idempotency,
    ...claim,
    signal,
    onJob(generationId) {
      setJob(response, generationId);
      onJob?.();
      claim.hold(generationId, signal);
      response.set("X-Should-Retry", String(idempotency !== null || claim.answer !== null));
    },
  };
  const submission = await submit(requester, { waitMs, request: convert }, dependencies);
  const { generationId } = submission;
  if (submission.kind === "replayed") response.set("Idempotent-Replayed", "true");
  const stopComments = delivery.eventType === null ? () => undefined : keepOpen(response);
  let generation: FoundGeneration | null;
  try {
    generation = await waitForResult(submission, requester, dependencies);
    // The OpenAI API has no 202, so a client that retries waits again.
    const shouldWait = submission.kind === "replayed" && generation === null && !signal.aborted;
    if (shouldWait && (await waiters.waitFor({ accountId, generationId }, waitMs, signal))) {
      generation = await findGeneration(database.repeatable, { accountId, generationId });
    }
  } finally {
    stopComments();
  }
  if (generation === null) {
    const isRepeatable = idempotency !== null || (await claim.lose());
    return sendUnfinished(response, generationId, isRepeatable, idempotency !== null, dependencies);
  }
  if (generation.status !== "completed") {
    if (!response.headersSent) response.set("X-Should-Retry", "false");
    throw failureOf(generation);
  }
  try {
    await claim.give();
    if ("send" in delivery) await delivery.send(response, generation, signal);
    else await sendImages(response, generation, { ...delivery, signal }, dependencies);
  } catch (error) {
    await leaveToRetry(response, error, idempotency !== null, claim);
    throw error;
  }
}

/**
 * Leaves a response that failed before its first byte to the next equal request, unless the files are gone: a
 * retry would then make a second job.
 */
async function leaveToRetry(
  response: Response,
  error: unknown,
  hasKey: boolean,
  claim: Pick<ReturnType<typeof claimAnswer>, "lose">,
): Promise<void> {
  const setShouldRetry = (isRepeatable: boolean) => {
    if (!response.headersSent) response.set("X-Should-Retry", String(isRepeatable));
  };
  // Stays so when the loss cannot be recorded.
  setShouldRetry(hasKey);
  if (error instanceof AppError && error.code === "file_not_found") setShouldRetry(false);
  else if (!hasKey) setShouldRetry(await claim.lose());
}

/** Responds when the wait ends before the image is done, where other routes send 202. */
function sendUnfinished(
  response: Response,
  generationId: string,
  isRepeatable: boolean,
  hasKey: boolean,
  { config }: Needs<"config">,
): void {
  const pollUrl = `${config.PUBLIC_URL}/v1/jobs/${generationId}`;
  const advice = isRepeatable
    ? `Send the same request ${hasKey ? "with the same Idempotency-Key" : "again at once"} to get it, or read`
    : "Sent again without an Idempotency-Key it would be made and charged twice: read";
  const code = "job_unfinished";
  response.locals["errorCode"] = code;
  const { status, body } = toOpenAIError({
    code,
    message: `The image is not done yet and is still being made, as job ${generationId}. ${advice} GET ${pollUrl}.`,
    details: null,
  });
  if (response.headersSent) return endWithError(response, body);
  const headers = { Location: pollUrl, "Retry-After": "2", "X-Should-Retry": String(isRepeatable) };
  response.status(status).set(headers).json(body);
}
