import type { Caller } from "@atelier/accounts";
import type { Acceptance, NewGeneration } from "@atelier/generations/accept";
import { assertRoomToKeep } from "@atelier/generations/library";
import type { GenerationPlan, Operation } from "@atelier/schemas";
import { currentTraceParent } from "@atelier/telemetry";
import type { ApiDependencies, Needs } from "../../dependencies.ts";
import { readPolicies } from "../../http/limits/rate-limit.ts";
import { assertAllowed } from "../../moderation/assert-allowed.ts";
import type { OperationRequest } from "../plan/operations.ts";
import { preparePlan, type PreparationDependencies } from "../plan/prepare-plan.ts";
import { checkLoad } from "./check-load.ts";
import { forceOutcome } from "./force-outcome.ts";
import { keepQuota } from "./keep-quota.ts";
import { noteReadings } from "./note-readings.ts";
import { findRequestWebhook } from "./request-webhook.ts";

/** Accepting a planned request needs these. */
export type AcceptDependencies = PreparationDependencies &
  Needs<"acceptor" | "admissions" | "failpoint" | "laneLoad" | "logger" | "metrics">;

/** The origin of a request: an HTTP request, an MCP call or a line of a batch. */
interface Origin extends Pick<NewGeneration, "idempotency" | "answer" | "batch"> {
  readonly requestId: string;
  readonly caller: Caller;
  /** Time that the request waits for the result, in milliseconds. */
  readonly waitMs: number;
  /** Unfinished jobs above which the request is refused. Default: `MAX_UNFINISHED_JOBS`. */
  readonly maxUnfinishedJobs?: number;
}

/**
 * Plans and moderates a generation, and accepts it in one transaction. Its ready renders are not dispatched yet.
 *
 * @throws AppError when the request is refused.
 */
export async function acceptRequest<Name extends Operation>(
  {
    requestId,
    caller,
    waitMs,
    idempotency,
    answer = null,
    batch = null,
    maxUnfinishedJobs,
  }: Origin,
  operationRequest: OperationRequest<Name>,
  dependencies: AcceptDependencies,
): Promise<Acceptance> {
  const { acceptor, config, database, failpoint, metrics } = dependencies;
  const { accountId, keyId, mode, secretHashes, sessionId } = caller;
  const prepared = await preparePlan(caller, operationRequest, batch !== null, dependencies);
  const { uploadedPixels } = prepared;
  if (prepared.plan.isKept === true) {
    await assertRoomToKeep(database, { accountId, mode, quotaBytes: keepQuota(config) });
  }
  const load = checkLoad(prepared.plan, accountId, dependencies);
  await assertAllowed(prepared.plan, { accountId, requestId }, dependencies);
  const read = await noteReadings(prepared.plan, prepared.entry);
  // A prompt of a test key may force an outcome, such as an image that is made after the wait.
  const plan = caller.mode === "test" ? forceOutcome(read, waitMs) : read;
  const webhook = await findRequestWebhook(plan, caller, dependencies);
  failpoint("before-accept");
  const acceptance = await acceptor.accept({
    accountId,
    keyId,
    secretHashes,
    sessionId,
    plan,
    deadlineMs: deadlineOf(plan, config),
    maxUnfinishedJobs: maxUnfinishedJobs ?? config.MAX_UNFINISHED_JOBS,
    maxTestImages: config.TEST_IMAGES_PER_DAY,
    ...load,
    webhook,
    requestId,
    traceParent: currentTraceParent(),
    idempotency,
    answer,
    batch,
  });
  if (acceptance.kind === "replayed") return acceptance;
  failpoint("after-accept");
  metrics.jobAccepted(plan.kind);
  await chargePixels(uploadedPixels, requestId, caller, dependencies);
  return acceptance;
}

/** Dispatches the ready renders of an accepted generation. Recovery dispatches what cannot be dispatched now. */
export async function dispatchAccepted(
  { generationId, ready }: Extract<Acceptance, { readonly kind: "accepted" }>,
  requestId: string,
  { failpoint, logger, parts, queues }: Needs<"failpoint" | "logger" | "parts" | "queues">,
): Promise<void> {
  // The state of the queue as one of the parts that the service depends on.
  if (parts.states.queue === "ok") {
    await queues.dispatch(ready).catch((error: unknown) => {
      logger.warn({ err: error, requestId, generationId }, "dispatch failed, left to recovery");
    });
  }
  failpoint("after-dispatch");
}

/** The time in which a generation must be made, in milliseconds. */
function deadlineOf(
  { kind }: GenerationPlan,
  { STORY_DEADLINE_SECONDS, IMAGE_DEADLINE_SECONDS }: ApiDependencies["config"],
): number {
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
  { config, admissions, logger }: Needs<"admissions" | "config" | "logger">,
): Promise<void> {
  const units = Math.ceil(pixels / pixelsPerUnit) - 1;
  if (units < 1) return;
  await admissions
    .charge(keyId, readPolicies({ config }).generate, units)
    .catch((error: unknown) => {
      logger.warn({ err: error, requestId }, "the uploads of a request were not charged");
    });
}
