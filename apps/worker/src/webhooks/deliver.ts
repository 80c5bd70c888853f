import type { Database } from "@atelier/database";
import type { Peppers } from "@atelier/kit";
import {
  openSecret,
  readTestSecret,
  recordDelivery,
  releaseWebhook,
  signDelivery,
  takeDueDeliveries,
  type ClaimedWebhook,
  type DueDelivery,
} from "@atelier/events";
import { findGenerations, type FoundGeneration } from "@atelier/generations/jobs";
import type { GuardedPoster } from "@atelier/guarded-fetch";
import type { Sign } from "@atelier/presentation";
import type { Logger, WorkerMetrics } from "@atelier/telemetry";
import { backOff } from "./back-off.ts";
import { messageId, writePayload } from "./write-payload.ts";

export interface DeliveryDependencies {
  readonly database: Database;
  readonly poster: GuardedPoster;
  readonly sign: Sign;
  readonly peppers: Peppers;
  readonly logger: Logger;
  readonly metrics: Pick<WorkerMetrics, "webhookSent">;
}

/** Fewest and most requests to one webhook at the same time, for different jobs. */
const concurrency = { min: 4, max: 32 };

/** Longer than a round: its requests, and what is recorded about them. */
export const leaseMs = 30_000;

/** Rounds before other webhooks have their turn. */
const maxRounds = 20;

/**
 * Sends the due deliveries of a claimed webhook: per job one after another in the order of the events.
 * The number of requests at the same time doubles with each round without a failure, and halves with one
 * that has some. While the webhook fails, one request tries whether it works again.
 */
export async function deliver(
  claim: ClaimedWebhook,
  dependencies: DeliveryDependencies,
  stopped: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  let { failures } = claim;
  let width = claim.concurrency;
  let hasSent = false;
  for (let round = 0; round < maxRounds && !stopped.aborted; round++) {
    const limit = failures > 0 ? 1 : width;
    const due = await takeDueDeliveries(database, claim, { leaseMs, limit });
    if (due === null) break;
    if (due.deliveries.length === 0) {
      if (due.hasMore) continue;
      break;
    }
    const results = await sendRound(claim, due.deliveries, dependencies, stopped);
    if (stopped.aborted) break;
    if (!results.includes(true)) {
      // The deliveries have their own delay. One that could not be recorded says nothing of the receiver.
      if (hasSent || !results.includes(false)) break;
      const pauseMs = backOff(claim.failures + 1);
      return releaseWebhook(database, claim, {
        kind: "failure",
        pauseMs,
        concurrency: concurrency.min,
      });
    }
    width = results.includes(false)
      ? Math.max(width / 2, concurrency.min)
      : Math.min(width * 2, concurrency.max);
    failures = 0;
    hasSent = true;
  }
  await releaseWebhook(database, claim, {
    kind: hasSent ? "success" : "unchanged",
    concurrency: width,
  });
}

/** @returns for each delivery whether it succeeded; null if that could not be recorded. */
async function sendRound(
  claim: ClaimedWebhook,
  due: readonly DueDelivery[],
  dependencies: DeliveryDependencies,
  stopped: AbortSignal,
): Promise<(boolean | null)[]> {
  const ids = due.flatMap(({ generationId }) => generationId ?? []);
  const generations = await findGenerations(dependencies.database, ids);
  const sent = await Promise.allSettled(
    due.map((delivery) =>
      sendOnce(
        claim,
        delivery,
        generations.get(delivery.generationId ?? "") ?? null,
        dependencies,
        stopped,
      ),
    ),
  );
  // What could not be recorded is sent again when its lease ends.
  return sent.map((one, index) => {
    if (one.status === "fulfilled") return one.value;
    const deliveryId = due[index]?.id;
    dependencies.logger.warn({ err: one.reason as unknown, deliveryId }, "delivery not recorded");
    return null;
  });
}

async function sendOnce(
  claim: ClaimedWebhook,
  delivery: DueDelivery,
  generation: FoundGeneration | null,
  dependencies: DeliveryDependencies,
  stopped: AbortSignal,
): Promise<boolean> {
  const { database, logger, metrics } = dependencies;
  let responseStatus: number | null = null;
  let error: string | null;
  try {
    const { url } = delivery;
    responseStatus =
      url === null
        ? null
        : await send(claim, { ...delivery, url }, generation, dependencies, stopped);
    error = responseStatus === null ? "the URL is not kept any more" : problemOf(responseStatus);
  } catch (cause) {
    // Neither recorded nor counted: another worker repeats it.
    if (stopped.aborted) return false;
    // Never the message of an unknown error, which may contain addresses.
    error =
      cause instanceof Error && cause.name === "GuardedRequestError" ? cause.message : "failed";
    if (error === "failed")
      logger.error({ err: cause, deliveryId: delivery.id }, "delivery failed");
  }
  const retryAfterMs = backOff(delivery.attempts + 1);
  const result = { responseStatus, error, retryAfterMs };
  const status = await recordDelivery(database, claim, delivery.id, result);
  if (status !== null) metrics.webhookSent(status === "pending" ? "postponed" : status);
  logger.info(
    {
      webhookId: claim.id,
      deliveryId: delivery.id,
      type: delivery.type,
      responseStatus,
      status,
      error,
    },
    "webhook sent",
  );
  return error === null;
}

async function send(
  claim: ClaimedWebhook,
  delivery: DueDelivery & { readonly url: string },
  generation: FoundGeneration | null,
  { database, poster, sign, peppers }: DeliveryDependencies,
  stopped: AbortSignal,
): Promise<number> {
  const body = await writePayload(delivery, generation, sign);
  const secrets =
    claim.secret === null
      ? [(await readTestSecret(database, { accountId: claim.secretOf, peppers })).secret]
      : [claim.secret, claim.previousSecret]
          .filter((sealed) => sealed !== null)
          .map((sealed) => openSecret(sealed, peppers, claim.secretOf));
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = signDelivery({ id: messageId(delivery), timestamp, body }, secrets);
  const { status } = await poster.post(delivery.url, { headers, body }, stopped);
  return status;
}

/** Why a response is no success; null for one. */
function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  return `status ${status}`;
}
