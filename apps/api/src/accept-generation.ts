import {
  acceptGeneration,
  endIdempotentWait,
  findGeneration,
  findIdempotentUse,
  presentResult,
  type FoundGeneration,
  type IdempotentUse,
} from "@atelier/generations";
import { AppError, type ErrorCode, type GenerationPlan, type JobAccepted } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "./dependencies.ts";
import { contextOf, disconnectSignal } from "./http/context.ts";
import { readIdempotencyKey } from "./http/idempotency-key.ts";
import { resolveReferences } from "./resolve-references.ts";
import { signWith } from "./sign.ts";

export interface GenerationRequest {
  /** The body as it was understood. */
  readonly body: object;
  /** Made, and checked, only for a request that was not answered before. */
  readonly makePlan: () => GenerationPlan;
  readonly deadlineMs: number;
  /** How long to wait for the result before answering 202; 0 for at once. */
  readonly waitMs: number;
}

/**
 * The whole of a `POST /v1/generate/…`: answer a repeated request as the first one; else plan, accept
 * in one transaction, give what is ready to the queue, wait for the result as long as the client
 * likes, and answer.
 */
export async function acceptAndAnswer(
  request: Request,
  response: Response,
  { body, makePlan, deadlineMs, waitMs }: GenerationRequest,
  dependencies: ApiDependencies,
): Promise<void> {
  const { config, database, queues, waiters, logger } = dependencies;
  const { accountId } = contextOf(response).caller;
  const idempotency = readIdempotencyKey(request, body);

  // Looked up first: what was right when it was accepted may not be now, such as a signed URL.
  const earlier = idempotency && (await findIdempotentUse(database, { accountId, ...idempotency }));
  if (earlier !== null) return replay(response, earlier, dependencies);

  const acceptance = await acceptGeneration(database, {
    accountId,
    plan: await resolveReferences(makePlan(), dependencies),
    deadlineMs,
    maxUnfinishedJobs: config.MAX_UNFINISHED_JOBS,
    idempotency: idempotency && { ...idempotency, answerWithinMs: waitMs },
  });
  if (acceptance.kind === "replayed") return replay(response, acceptance, dependencies);
  const { generationId } = acceptance;

  response.set("X-Service-Job-Id", generationId);
  const final =
    waitMs === 0
      ? Promise.resolve(false)
      : waiters.waitFor(generationId, waitMs, disconnectSignal(request, response));
  await queues.dispatch(acceptance.ready).catch((error: unknown) => {
    // The generation is accepted; recovery adds to the queue what could not be added now.
    logger.warn({ err: error, generationId }, "dispatch failed, left to recovery");
  });
  if (!(await final)) {
    if (idempotency !== null && waitMs > 0) {
      // Nobody waits any more: the same request is answered with the job from now on.
      await endIdempotentWait(database, { accountId, generationId, key: idempotency.key });
    }
    return sendAccepted(response, generationId, dependencies);
  }
  const generation = await findGeneration(database, { accountId, generationId });
  if (generation === null) throw new Error(`generation ${generationId} is gone`);
  return answer(response, generation, dependencies);
}

/** Answers a repeated request as the first one was, or will be. */
async function replay(
  response: Response,
  { generationId, sameRequest, answerPending }: IdempotentUse,
  dependencies: ApiDependencies,
): Promise<void> {
  if (!sameRequest) throw keyReused();
  response.set("X-Service-Job-Id", generationId);
  const { accountId } = contextOf(response).caller;
  const generation = await findGeneration(dependencies.database, { accountId, generationId });
  const final = generation !== null && isFinal(generation);
  if (!final && answerPending) throw inProgress(generationId);
  response.set("Idempotent-Replayed", "true");
  if (final) return answer(response, generation, dependencies);
  return sendAccepted(response, generationId, dependencies);
}

function isFinal({ status }: FoundGeneration): boolean {
  return status !== "pending" && status !== "processing";
}

/** The answer to a final generation: its result, or why there is none. */
async function answer(
  response: Response,
  generation: FoundGeneration,
  dependencies: ApiDependencies,
): Promise<void> {
  if (generation.kind === "story") return sendAccepted(response, generation.id, dependencies);
  if (generation.status === "completed") {
    response.json(await presentResult(generation, signWith(dependencies)));
    return;
  }
  const { error } = generation;
  if (error === null) {
    throw new AppError(
      "job_cancelled",
      "This job was cancelled and nothing was charged. To have it made, send the request again with a new Idempotency-Key.",
    );
  }
  throw new AppError(error.error as ErrorCode, error.message, { details: error.details });
}

function sendAccepted(response: Response, generationId: string, { config }: ApiDependencies): void {
  const pollUrl = `${config.PUBLIC_URL}/v1/jobs/${generationId}`;
  response
    .status(202)
    .set({ Location: pollUrl, "Retry-After": "2" })
    .json({ job_id: generationId, poll_url: pollUrl, status: "pending" } satisfies JobAccepted);
}

function inProgress(generationId: string): AppError {
  return new AppError(
    "idempotency_in_progress",
    "The first request with this Idempotency-Key is still being answered. Send it again later, or read the job.",
    { details: { job_id: generationId }, retryAfterMs: 2_000 },
  );
}

function keyReused(): AppError {
  return new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request. Use a new key for each new request.",
  );
}
