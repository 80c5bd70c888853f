import { lockRights, type Caller } from "@atelier/accounts";
import type { Sql } from "@atelier/database";
import { createReceiver } from "@atelier/events";
import type { RequestWebhook } from "@atelier/generations/accept";
import {
  BatchKeyTakenError,
  createBatch,
  findBatchOfKey,
  storePart,
  type Batch,
  type NewPart,
} from "@atelier/generations/batches";
import type { Needs } from "../dependencies.ts";
import { findRequestWebhook } from "../generations/accept/request-webhook.ts";
import { idempotencyKeyReused } from "../http/idempotency-key.ts";
import { visibleTo } from "../http/permissions.ts";

/** Time in which the lines of a batch are accepted, in milliseconds. */
const acceptForMs = 24 * 3_600_000;

/** A batch, and whether an earlier request with the same Idempotency-Key created it. */
export interface CreatedBatch {
  readonly batch: Batch;
  readonly isReplayed: boolean;
}

interface NewBatch {
  readonly id: string;
  readonly caller: Caller;
  readonly linesTotal: number;
  /** Parts that are not stored yet. */
  readonly parts: readonly NewPart[];
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
  /** Where its event is sent. */
  readonly webhookUrl: string | undefined;
}

/**
 * Creates a batch, or finds the one of an earlier request with the same Idempotency-Key.
 *
 * @throws AppError `idempotency_key_reused`, `too_many_jobs`, those of a `webhook_url`, or the
 *   one for a key that may not generate.
 */
export async function createOnce(
  { id, caller, linesTotal, parts, idempotency, webhookUrl }: NewBatch,
  dependencies: Needs<"accountGate" | "config" | "database">,
): Promise<CreatedBatch> {
  const { accountGate, database } = dependencies;
  const { accountId, keyId } = caller;
  const earlier = await findEarlier();
  if (earlier !== null) return { batch: earlier, isReplayed: true };
  // A batch sends one type of event, `batch.completed`, whatever types its receiver gets of jobs.
  const webhook = await findRequestWebhook(
    webhookUrl === undefined ? {} : { webhook: { url: webhookUrl, events: [] } },
    caller,
    dependencies,
  );
  try {
    const batch = await accountGate.run(accountId, () =>
      database.transaction(async (sql) => {
        await lockRights(sql, caller, "generate");
        const newBatch = {
          id,
          accountId,
          keyId,
          linesTotal,
          acceptForMs,
          idempotency,
          webhook: webhook?.isNew === true ? await withReceiver(sql, webhook) : webhook,
        };
        for (const part of parts) await storePart(sql, id, part);
        return createBatch(sql, newBatch);
      }),
    );
    return { batch, isReplayed: false };
  } catch (error) {
    const first = error instanceof BatchKeyTakenError ? await findEarlier() : null;
    if (first === null) throw error;
    return { batch: first, isReplayed: true };
  }

  async function withReceiver(sql: Sql, named: RequestWebhook): Promise<RequestWebhook> {
    const receiver = { id: named.webhookId, accountId, keyId, url: named.url };
    return { ...named, webhookId: await createReceiver(sql, receiver) };
  }

  async function findEarlier(): Promise<Batch | null> {
    if (idempotency === null) return null;
    const found = await findBatchOfKey(database, { accountId, ...idempotency });
    if (found === null) return null;
    const { keyId: visibleKey } = visibleTo(caller);
    const isVisible = visibleKey === null || visibleKey === found.batch.keyId;
    if (!found.isSameRequest || !isVisible) throw idempotencyKeyReused();
    return found.batch;
  }
}
