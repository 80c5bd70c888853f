import {
  acceptGeneration,
  endIdempotentWait,
  findGeneration,
  findIdempotentUse,
  isFinal,
  presentResult,
  type FoundGeneration,
  type IdempotentUse,
} from "@atelier/generations";
import { AppError, type ErrorCode, type GenerationPlan, type JobAccepted } from "@atelier/schemas";
import { currentTraceParent } from "@atelier/telemetry";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf, disconnectSignal, setJob } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { checkLoad } from "./check-load.ts";
import { planWithFallback } from "./plan-with-fallback.ts";
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

/** Who asks for a generation, however the request was sent. */
export interface Requester {
  readonly requestId: string;
  readonly accountId: string;
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Told which job it is as soon as there is one: errors that come later belong to it. */
  readonly onJob: (generationId: string) => void;
}

/** What came of a request to generate. */
export interface Accepted {
  readonly generationId: string;
  /** It was asked for before, with the same idempotency key. */
  readonly replayed: boolean;
  /** Null when it is not final yet. */
  readonly final: FoundGeneration | null;
}

/** The whole of a `POST /v1/generate/…`: accept, wait, and answer. */
export async function acceptAndAnswer(
  request: Request,
  response: Response,
  generationRequest: GenerationRequest,
  dependencies: ApiDependencies,
): Promise<void> {
  const { requestId, caller } = contextOf(response);
  const requester = {
    requestId,
    accountId: caller.accountId,
    idempotency: readIdempotencyKey(request, generationRequest.body),
    signal: disconnectSignal(request, response),
    onJob: (generationId: string) => setJob(response, generationId),
  };
  const { generationId, replayed, final } = await acceptAndWait(
    requester,
    generationRequest,
    dependencies,
  );
  if (replayed) response.set("Idempotent-Replayed", "true");
  if (final === null) return sendAccepted(response, generationId, dependencies);
  return answer(response, final, dependencies);
}

/**
 * Answers a repeated request as the first one; else plans, accepts in one transaction, gives what is
 * ready to the queue, and waits for the result as long as the client likes.
 *
 * @throws AppError when the request is refused, and `idempotency_in_progress` while the first one
 *   with its key is still being answered.
 */
export async function acceptAndWait(
  requester: Requester,
  generationRequest: GenerationRequest,
  dependencies: ApiDependencies,
): Promise<Accepted> {
  const accepted = await accept(requester, generationRequest, dependencies);
  dependencies.failpoint("before-answer");
  return accepted;
}

async function accept(
  { requestId, accountId, idempotency, signal, onJob }: Requester,
  { makePlan, deadlineMs, waitMs }: GenerationRequest,
  dependencies: ApiDependencies,
): Promise<Accepted> {
  const { config, database, queues, waiters, logger, metrics, failpoint } = dependencies;

  // Looked up first: what was right when it was accepted may not be now, such as a signed URL.
  const earlier = idempotency && (await findIdempotentUse(database, { accountId, ...idempotency }));
  if (earlier !== null) return replay(accountId, earlier, onJob, dependencies);

  const plan = await resolveReferences(planWithFallback(makePlan(), dependencies), dependencies);
  failpoint("before-accept");
  const acceptance = await acceptGeneration(database, {
    accountId,
    plan,
    deadlineMs,
    maxUnfinishedJobs: config.MAX_UNFINISHED_JOBS,
    ...checkLoad(plan, dependencies),
    traceParent: currentTraceParent(),
    idempotency: idempotency && { ...idempotency, answerWithinMs: waitMs },
  });
  if (acceptance.kind === "replayed") return replay(accountId, acceptance, onJob, dependencies);
  failpoint("after-accept");
  const { generationId } = acceptance;

  metrics.jobAccepted(plan.kind);
  onJob(generationId);
  const final =
    waitMs === 0 || signal.aborted
      ? Promise.resolve(false)
      : waiters.waitFor({ accountId, generationId }, waitMs, signal);
  await queues.dispatch(acceptance.ready).catch((error: unknown) => {
    // The generation is accepted; recovery adds to the queue what could not be added now.
    logger.warn({ err: error, requestId, generationId }, "dispatch failed, left to recovery");
  });
  failpoint("after-dispatch");
  if (!(await final)) {
    if (idempotency !== null && waitMs > 0) {
      // Nobody waits any more: the same request is answered with the job from now on.
      await endIdempotentWait(database.repeatable, {
        accountId,
        generationId,
        key: idempotency.key,
      });
    }
    return { generationId, replayed: false, final: null };
  }
  const generation = await findGeneration(database.repeatable, { accountId, generationId });
  if (generation === null) throw new Error(`generation ${generationId} is gone`);
  return { generationId, replayed: false, final: generation };
}

/** Answers a repeated request as the first one was, or will be. */
async function replay(
  accountId: string,
  { generationId, sameRequest, answerPending }: IdempotentUse,
  onJob: (generationId: string) => void,
  { database }: ApiDependencies,
): Promise<Accepted> {
  if (!sameRequest) throw keyReused();
  onJob(generationId);
  const generation = await findGeneration(database.repeatable, { accountId, generationId });
  const final = generation !== null && isFinal(generation) ? generation : null;
  if (final === null && answerPending) throw inProgress(generationId);
  return { generationId, replayed: true, final };
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
  throw failureOf(generation);
}

/** Why a generation that is final was not completed. */
export function failureOf({ error }: FoundGeneration): AppError {
  return error === null
    ? new AppError(
        "job_cancelled",
        "This job was cancelled and nothing was charged. To have it made, send the request again with a new Idempotency-Key.",
      )
    : new AppError(error.error as ErrorCode, error.message, { details: error.details });
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
