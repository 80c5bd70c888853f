import { type Database, newId, type Sql } from "@atelier/database";
import { createReceiver, wakeDeliveries } from "@atelier/events";
import type { NewGeneration, EarlierLocks, Insert, Inserted } from "./new-generation.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { findIdempotentUse, type IdempotentUse } from "./idempotent-use.ts";
import { bindInsert } from "./insert-generation.ts";
import { keptReferences, storedReferences, uploadsOf } from "./references.ts";
import { sourceJobOf } from "./search-terms.ts";
import { batchPlaceChannel } from "../batches/places.ts";
import type { Dispatch } from "../claims/dispatch.ts";
import { keepingChannel } from "../library/keeping-channel.ts";
import { overloaded } from "./overloaded.ts";

export type Acceptance =
  | {
      readonly kind: "accepted";
      readonly generationId: string;
      readonly ready: readonly Dispatch[];
    }
  /** The key was already used. */
  | ({ readonly kind: "replayed" } & IdempotentUse);

/** Maximum number of retries when the cause of a refusal has disappeared before it is read. */
const maxRounds = 10;

/**
 * Accepts a generation: inserts its rows, renders, hold and idempotency key in one statement. If the
 * process dies after it, recovery dispatches the ready renders.
 *
 * @param insertOnce runs the statement.
 * @throws AppError `insufficient_credit`, `key_budget_exhausted`, `budget_exhausted`, `too_many_jobs`, `overloaded`,
 *   `rate_limited` for a test job beyond the limit of a day, `too_many_webhooks` for a new `webhook_url`,
 *   `reference_unreachable` for a reference past its retention, or `unauthorized`, `account_suspended`
 *   or `key_not_permitted` for a right that has ended since the request began. Nothing is stored then.
 * @throws LineTakenError when the line of the batch is not the next one.
 */
export async function acceptGeneration(
  database: Database,
  request: NewGeneration,
  insertOnce = (insert: Insert) => insertAlone(database, insert),
): Promise<Acceptance> {
  const { accountId, keyId, plan, idempotency, batch = null } = request;
  const generationId = newId();
  const renders = plan.renders.map((render, position) => ({ ...render, position, id: newId() }));
  /** The priority falls with the unfinished renders of the account: see `Inserted`. */
  const accepted = (priority: number): Acceptance => ({
    kind: "accepted",
    generationId,
    ready: renders
      // Images of batches wait for a place, not in the queue.
      .filter(({ waitsFor }) => batch === null && waitsFor.length === 0)
      .map(({ id, lane }) => ({ renderId: id, lane, priority })),
  });
  const sourceJobId = sourceJobOf(plan);
  const locks: EarlierLocks = {
    sessionIds: request.sessionId == null ? [] : [request.sessionId],
    sourceJobIds: sourceJobId === null ? [] : [sourceJobId],
    sourceAccountIds: sourceJobId === null ? [] : [accountId],
    imageKeys: storedReferences(plan).map(({ key }) => key),
    uploadIds: uploadsOf(plan).map(({ id }) => id),
    keptKeys: keptReferences(plan).map(({ key }) => key),
  };
  let webhook = request.webhook ?? null;
  const announce = ({ hasDeliveries }: Pick<Inserted, "hasDeliveries">) => {
    if (hasDeliveries) wakeDeliveries(database);
    const keepsImages = plan.isKept === true || plan.castMember !== undefined;
    if (keepsImages) database.notify(keepingChannel, "");
    if (batch !== null) database.notify(batchPlaceChannel, "");
  };
  const sql = database.repeatable;

  for (let round = 1; round <= maxRounds; round++) {
    const bound = bindInsert({ ...request, webhook }, generationId, renders);
    const receiver =
      webhook?.isNew === true
        ? { id: webhook.webhookId, accountId, keyId, url: webhook.url }
        : null;
    let account: Inserted | undefined;
    try {
      account = await insertOnce({ bound, locks, receiver });
    } catch (error) {
      if (webhook === null || !(error instanceof ReceiverTakenError)) throw error;
      webhook = { ...webhook, webhookId: error.receiverId, isNew: false };
      continue;
    }
    if (account !== undefined) {
      announce(account);
      return accepted(account.unfinishedRenders);
    }
    const earlier = idempotency && (await findIdempotentUse(sql, { accountId, ...idempotency }));
    if (earlier !== null && earlier.generationId !== generationId) {
      return { kind: "replayed", ...earlier };
    }
    // Fixed ids make a second run harmless: the first was committed, and only its response was lost.
    if (await isStored(sql, generationId)) {
      announce({ hasDeliveries: true });
      return accepted(1);
    }
    await explainRefusal(sql, request);
    // The cause of the refusal has disappeared; try again.
  }
  throw overloaded();
}

/** Another request has created the receiver of the `webhook_url`. */
class ReceiverTakenError extends Error {
  override readonly name = "ReceiverTakenError";
  readonly receiverId: string;

  constructor(receiverId: string) {
    super(`receiver ${receiverId} exists`);
    this.receiverId = receiverId;
  }
}

/**
 * Like `insertIfAllowed`. When there is a receiver, a transaction also creates it.
 *
 * @throws ReceiverTakenError, and AppError `too_many_webhooks`. Nothing is stored then.
 */
export function insertAlone(database: Database, insert: Insert): Promise<Inserted | undefined> {
  const { receiver } = insert;
  if (receiver === null) return insertIfAllowed(database.repeatable, insert);
  return database.transaction(async (sql) => {
    const account = await insertIfAllowed(sql, insert);
    if (account === undefined) return undefined;
    const receiverId = await createReceiver(sql, receiver);
    if (receiverId !== receiver.id) throw new ReceiverTakenError(receiverId);
    return account;
  });
}

/**
 * Inserts the generation unless a condition fails or its idempotency key is taken.
 *
 * @returns the account if the generation was accepted.
 */
async function insertIfAllowed(sql: Sql, { bound }: Insert): Promise<Inserted | undefined> {
  try {
    const [account] = await sql.query<Inserted>(...bound);
    return account;
  } catch (error) {
    // An earlier run, whose connection was lost, committed after this one had started.
    if ((error as { constraint?: unknown }).constraint === "generation_pkey") return undefined;
    throw error;
  }
}

async function isStored(sql: Sql, generationId: string): Promise<boolean> {
  const rows = await sql.query("SELECT id FROM generation WHERE id = $1", [generationId]);
  return rows.length > 0;
}
