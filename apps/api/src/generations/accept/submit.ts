import { assertScope, type Caller } from "@atelier/accounts";
import {
  findIdempotentUse,
  joinAnswer,
  type AnswerClaim,
  type IdempotentUse,
} from "@atelier/generations/accept";
import { findGeneration, isFinal, type FoundGeneration } from "@atelier/generations/jobs";
import { AppError, type Operation } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { idempotencyKeyReused } from "../../http/idempotency-key.ts";
import { visibleTo } from "../../http/permissions.ts";
import type { OperationRequest } from "../plan/operations.ts";
import { acceptRequest, dispatchAccepted, type AcceptDependencies } from "./accept-request.ts";

/** Accepting a request and waiting for its job needs these. */
export type SubmitDependencies = AcceptDependencies & Needs<"queues" | "waiters">;

/** A generation to submit. */
interface Order<Name extends Operation> {
  /** Time to wait for the result before responding with 202, in milliseconds; 0 does not wait. */
  readonly waitMs: number;
  /**
   * Returns the request, perhaps converted from another protocol. Not called for a replay: what it names,
   * such as a model, may be gone by then.
   */
  readonly request: () => OperationRequest<Name>;
}

/** The requester of a generation, over any protocol. */
export interface Requester {
  readonly requestId: string;
  readonly caller: Caller;
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
  /** Identifies equal requests: this one joins the job of an earlier one, and later ones join its job. Default: never. */
  readonly answer?: (AnswerClaim & { readonly joins: Joins }) | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called with the job's id once it exists: later errors belong to that job. */
  readonly onJob: (generationId: string) => void;
}

/** Jobs of equal requests that a request joins: those whose response was lost, or also those that are waited for. */
export type Joins = "none" | "lost" | "waiting";

export type Submission =
  | {
      readonly kind: "accepted";
      readonly generationId: string;
      /** Resolves to whether the generation is final when the wait ends; null without a wait. */
      readonly waiting: Promise<boolean> | null;
    }
  /** A replay of an earlier request, of the same idempotency key or one whose response was lost. */
  | {
      readonly kind: "replayed";
      readonly generationId: string;
      /** Null while the generation is not final. */
      readonly final: FoundGeneration | null;
    };

/**
 * Submits a generation: finds an earlier request with the same idempotency key, or an equal one whose response
 * was lost, or plans, moderates and accepts the generation and dispatches its ready renders.
 *
 * @throws AppError when the request is refused, and `idempotency_in_progress` while the first request
 *   with its key is still waiting for its response.
 */
export async function submit<Name extends Operation>(
  { requestId, caller, idempotency, answer = null, signal, onJob }: Requester,
  { request, waitMs }: Order<Name>,
  dependencies: SubmitDependencies,
): Promise<Submission> {
  const { database, waiters } = dependencies;
  const { accountId } = caller;
  assertScope(caller, "generate");

  // Looked up first: inputs that were valid at acceptance may be invalid now, such as a signed URL.
  const earlier = idempotency && (await findIdempotentUse(database, { accountId, ...idempotency }));
  if (earlier !== null) return replay(caller, earlier, onJob, dependencies);
  const joined = answer && (await join(caller, answer, dependencies));
  if (joined !== null) {
    const use = { generationId: joined, sameRequest: true, answerPending: false };
    return replay(caller, use, onJob, dependencies);
  }

  const acceptance = await acceptRequest(
    {
      requestId,
      caller,
      waitMs,
      idempotency: idempotency && { ...idempotency, answerWithinMs: waitMs },
      answer,
    },
    request(),
    dependencies,
  );
  if (acceptance.kind === "replayed") return replay(caller, acceptance, onJob, dependencies);
  const { generationId } = acceptance;
  onJob(generationId);
  // Starts before the dispatch, so that the notification of a quick result is not missed.
  const waiting =
    waitMs === 0 ? null : waiters.waitFor({ accountId, generationId }, waitMs, signal);
  await dispatchAccepted(acceptance, requestId, dependencies);
  return { kind: "accepted", generationId, waiting };
}

/** Finds the job of an equal request that a request joins; null without one. */
async function join(
  { keyId }: Caller,
  answer: NonNullable<Requester["answer"]>,
  { database }: Needs<"database">,
): Promise<string | null> {
  if (answer.joins === "none") return null;
  // Only a client that says that it sends the request again may join a job that is still waited for.
  const isRetry = answer.joins === "waiting";
  return joinAnswer(database.repeatable, { ...answer, keyId, isRetry });
}

/** Finds the job of a repeated request. */
async function replay(
  caller: Caller,
  { generationId, sameRequest, answerPending }: IdempotentUse,
  onJob: (generationId: string) => void,
  { database }: Needs<"database">,
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
