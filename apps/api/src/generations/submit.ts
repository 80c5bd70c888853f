import { assertScope, type Caller } from "@atelier/accounts";
import {
  assertRoomToKeep,
  findGeneration,
  findIdempotentUse,
  isFinal,
  type AcceptRequest,
  type FoundGeneration,
  type IdempotentUse,
} from "@atelier/generations";
import { AppError, type GenerationPlan, type Operation } from "@atelier/schemas";
import { currentTraceParent } from "@atelier/telemetry";
import type { ApiDependencies } from "../dependencies.ts";
import { idempotencyKeyReused } from "../http/idempotency-key.ts";
import { visibleTo } from "../http/permissions.ts";
import { readPolicies } from "../http/rate-limit.ts";
import { assertAllowed } from "../moderation/assert-allowed.ts";
import { checkLoad } from "./check-load.ts";
import { forceOutcome } from "./force-outcome.ts";
import type { OperationRequest } from "./operations.ts";
import { keepQuota } from "./keep-quota.ts";
import { preparePlan } from "./prepare-plan.ts";
import { findRequestWebhook } from "./request-webhook.ts";

export interface GenerationRequest<
  Name extends Operation = Operation,
> extends OperationRequest<Name> {
  /** Time to wait for the result before responding with 202, in milliseconds; 0 does not wait. */
  readonly waitMs: number;
}

/** The requester of a generation, over any protocol. */
export interface Requester {
  readonly requestId: string;
  readonly caller: Caller;
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called with the job's id once it exists: later errors belong to that job. */
  readonly onJob: (generationId: string) => void;
}

export type Submission =
  | {
      readonly kind: "accepted";
      readonly generationId: string;
      /** Resolves to whether the generation is final when the wait ends; null without a wait. */
      readonly waiting: Promise<boolean> | null;
    }
  /** A replay of an earlier request with the same idempotency key. */
  | {
      readonly kind: "replayed";
      readonly generationId: string;
      /** Null while the generation is not final. */
      readonly final: FoundGeneration | null;
    };

/**
 * Submits a generation: finds an earlier request with the same idempotency key, or plans, moderates and
 * accepts the generation in one transaction and dispatches its ready renders.
 *
 * @throws AppError when the request is refused, and `idempotency_in_progress` while the first request
 *   with its key is still waiting for its response.
 */
export async function submit<Name extends Operation>(
  { requestId, caller, idempotency, signal, onJob }: Requester,
  { waitMs, ...operationRequest }: GenerationRequest<Name>,
  dependencies: ApiDependencies,
): Promise<Submission> {
  const { config, database, acceptor, queues, parts, waiters } = dependencies;
  const { logger, metrics, failpoint } = dependencies;
  const { accountId, keyId, secretHashes, sessionId } = caller;
  assertScope(caller, "generate");

  // Looked up first: inputs that were valid at acceptance may be invalid now, such as a signed URL.
  const earlier = idempotency && (await findIdempotentUse(database, { accountId, ...idempotency }));
  if (earlier !== null) return replay(caller, earlier, onJob, dependencies);

  const prepared = await preparePlan(caller, operationRequest, dependencies);
  const { uploadedPixels } = prepared;
  if (prepared.plan.isKept === true) await assertRoomToKeep(database, accountId, keepQuota(config));
  const load = checkLoad(prepared.plan, accountId, dependencies);
  await assertAllowed(prepared.plan, { accountId, requestId }, dependencies);
  const plan = caller.mode === "test" ? forceOutcome(prepared.plan, waitMs) : prepared.plan;
  const webhook = await findRequestWebhook(plan, caller, dependencies);
  failpoint("before-accept");
  const request: AcceptRequest = {
    accountId,
    keyId,
    secretHashes,
    sessionId,
    plan,
    deadlineMs: deadlineOf(plan, config),
    maxUnfinishedJobs: config.MAX_UNFINISHED_JOBS,
    maxTestImages: config.TEST_IMAGES_PER_DAY,
    ...load,
    webhook,
    requestId,
    traceParent: currentTraceParent(),
    idempotency: idempotency && { ...idempotency, answerWithinMs: waitMs },
  };
  const acceptance = await acceptor.accept(request);
  if (acceptance.kind === "replayed") return replay(caller, acceptance, onJob, dependencies);
  failpoint("after-accept");
  const { generationId } = acceptance;

  metrics.jobAccepted(plan.kind);
  await chargePixels(uploadedPixels, requestId, caller, dependencies);
  onJob(generationId);
  // Starts before the dispatch, so that the notification of a quick result is not missed.
  const waiting =
    waitMs === 0 ? null : waiters.waitFor({ accountId, generationId }, waitMs, signal);
  // The generation is accepted; recovery queues what cannot be queued now.
  if (parts.states.queue === "ok") {
    await queues.dispatch(acceptance.ready).catch((error: unknown) => {
      logger.warn({ err: error, requestId, generationId }, "dispatch failed, left to recovery");
    });
  }
  failpoint("after-dispatch");
  return { kind: "accepted", generationId, waiting };
}

/** The time until a generation must be final, in milliseconds. */
function deadlineOf({ kind }: GenerationPlan, config: ApiDependencies["config"]): number {
  const { STORY_DEADLINE_SECONDS, IMAGE_DEADLINE_SECONDS } = config;
  return (kind === "story" ? STORY_DEADLINE_SECONDS : IMAGE_DEADLINE_SECONDS) * 1_000;
}

/** Pixels of uploads that cost a generation one more request of its rate limit. */
const pixelsPerUnit = 1_000_000;

/**
 * Charges an accepted generation for the uploads that a worker will decode: one request for every
 * megapixel beyond the first. The price of an image does not depend on them.
 */
async function chargePixels(
  pixels: number,
  requestId: string,
  { keyId }: Caller,
  { config, admissions, logger }: ApiDependencies,
): Promise<void> {
  const units = Math.ceil(pixels / pixelsPerUnit) - 1;
  if (units < 1) return;
  await admissions
    .charge(keyId, readPolicies({ config }).generate, units)
    .catch((error: unknown) => {
      logger.warn({ err: error, requestId }, "the uploads of a request were not charged");
    });
}

/** Finds the job of a repeated request. */
async function replay(
  caller: Caller,
  { generationId, sameRequest, answerPending }: IdempotentUse,
  onJob: (generationId: string) => void,
  { database }: ApiDependencies,
): Promise<Submission> {
  if (!sameRequest) throw idempotencyKeyReused();
  const generation = await findGeneration(database.repeatable, {
    ...visibleTo(caller),
    generationId,
  });
  // Another key of the account made the request, and this key may not read its jobs.
  if (generation === null) throw idempotencyKeyReused();
  onJob(generationId);
  const final = isFinal(generation) ? generation : null;
  if (final === null && answerPending) throw inProgress(generationId);
  return { kind: "replayed", generationId, final };
}

function inProgress(generationId: string): AppError {
  return new AppError(
    "idempotency_in_progress",
    "The first request with this Idempotency-Key is still in progress. Send it again later, or read the job.",
    { details: { job_id: generationId }, retryAfterMs: 2_000 },
  );
}
