import { endedCredential, isValidKey, refusedKey, suspendedAccount } from "@atelier/accounts";
import {
  assertWithinBudget,
  bookHold,
  changedBalance,
  lowBalanceEvents,
  insufficientCredit,
  readSpendable,
  setAside,
  spendBudget,
  withinBudget,
} from "@atelier/billing";
import {
  newId,
  statement,
  type BoundStatement,
  type Database,
  type GenerationOperation,
  type Sql,
} from "@atelier/database";
import {
  createReceiver,
  hasDeliveries,
  recordEvents,
  wakeDeliveries,
  type NewReceiver,
} from "@atelier/events";
import {
  AppError,
  isKeptKey,
  quotaOf,
  renderIdOf,
  totalPrice,
  uploadIdOf,
  type EventType,
  type GenerationPlan,
  type PlannedRender,
} from "@atelier/schemas";
import type { AnswerClaim } from "./answers.ts";
import { isNextLine, type BatchLine } from "./batches/batch-line.ts";
import { batchPlaceChannel } from "./batches/places.ts";
import { assertNextLine } from "./batches/take-lines.ts";
import type { Dispatch } from "./claims/dispatch.ts";
import { keepingChannel } from "./kept/keeping-channel.ts";
import { overloaded } from "./overloaded.ts";
import { exactTerms, searchedText } from "./search-terms.ts";
import { withoutShared } from "./share-spec.ts";

export interface AcceptRequest {
  readonly accountId: string;
  /** The requesting API key; its budget is checked and charged. */
  readonly keyId: string;
  /** Hashes of the key's secret in the request, which may have been replaced since; null for a session. */
  readonly secretHashes?: readonly Uint8Array[] | null;
  /** Session of Studio of the request, which may have been ended since. */
  readonly sessionId?: string | null;
  readonly plan: GenerationPlan;
  /**
   * Time from acceptance until unfinished work fails, in milliseconds; of a line of a batch, from its first
   * claim, and at least the time of its batch until then.
   */
  readonly deadlineMs: number;
  readonly maxUnfinishedJobs: number;
  /** Images that an account may request with test keys a day (UTC). Default: none. */
  readonly maxTestImages?: number;
  /**
   * The service is overloaded: an account with unfinished jobs is refused, so that an account without
   * any is still served.
   */
  readonly isBehind?: boolean;
  /** Where the events of the job are sent, as the request says. Default: nowhere besides the account's webhooks. */
  readonly webhook?: RequestWebhook | null;
  /** `X-Request-Id` of the request, by which its job is found. */
  readonly requestId?: string;
  /** Trace context of the request (W3C Trace Context), if any. */
  readonly traceParent?: string | null;
  readonly idempotency: {
    readonly key: string;
    /** SHA-256 of the request. */
    readonly requestHash: Buffer;
    /** Maximum time that the first request waits for its response, in milliseconds. */
    readonly answerWithinMs: number;
  } | null;
  /** By which a repeated request joins the job. Default: it cannot be joined. */
  readonly answer?: Pick<AnswerClaim, "hash" | "requestId"> | null;
  /** The line of a batch that it is accepted for, which must be the next one; null for a request of its own. */
  readonly batch?: BatchLine | null;
}

/** The `webhook_url` of a request. */
export interface RequestWebhook {
  /** The receiver of its account, key and URL. */
  readonly webhookId: string;
  /** The transaction that accepts the request creates the receiver. */
  readonly isNew: boolean;
  readonly url: string;
  readonly events: readonly EventType[];
}

/** An earlier request with the same key. */
export interface IdempotentUse {
  readonly generationId: string;
  readonly sameRequest: boolean;
  /** The first request may still be waiting for its response. */
  readonly answerPending: boolean;
}

export type Acceptance =
  | {
      readonly kind: "accepted";
      readonly generationId: string;
      readonly ready: readonly Dispatch[];
    }
  /** The key was already used. */
  | ({ readonly kind: "replayed" } & IdempotentUse);

/** Retention of idempotency keys, as a Postgres interval. */
export const idempotencyKeysKeptFor = "24 hours";

/** Maximum number of retries when the cause of a refusal has disappeared before it is read. */
const maxRounds = 10;

/**
 * Accepts a generation: inserts its rows, renders, hold and idempotency key in one statement. If the
 * process dies after it, recovery dispatches the ready renders.
 *
 * @param insertOnce runs the statement.
 * @throws AppError `insufficient_credit`, `key_budget_exhausted`, `too_many_jobs`, `overloaded`,
 *   `rate_limited` for a test job beyond the limit of a day, `too_many_webhooks` for a new `webhook_url`,
 *   `reference_unreachable` for a reference past its retention, or `unauthorized`, `account_suspended`
 *   or `key_not_permitted` for a right that has ended since the request began. Nothing is stored then.
 * @throws LineTakenError when the line of the batch is not the next one.
 */
export async function acceptGeneration(
  database: Database,
  request: AcceptRequest,
  insertOnce = (insert: Insert) => insertAlone(database, insert),
): Promise<Acceptance> {
  const { accountId, keyId, plan, idempotency, batch = null } = request;
  const generationId = newId();
  const renders = plan.renders.map((render, position) => ({ ...render, position, id: newId() }));
  const accepted = (priority: number): Acceptance => ({
    kind: "accepted",
    generationId,
    ready: renders
      // Images of batches wait for a place, not in the queue.
      .filter(({ waitsFor }) => batch === null && waitsFor.length === 0)
      .map(({ id, lane }) => ({ renderId: id, lane, priority })),
  });
  const locks: EarlierLocks = {
    sessionIds: request.sessionId == null ? [] : [request.sessionId],
    imageKeys: storedReferences(plan).map(({ key }) => key),
    uploadIds: uploadsOf(plan).map(({ id }) => id),
    keptKeys: keptReferences(plan).map(({ key }) => key),
  };
  let webhook = request.webhook ?? null;
  const announce = ({ hasDeliveries: isAwaited }: Pick<Inserted, "hasDeliveries">) => {
    if (isAwaited) wakeDeliveries(database);
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

/** The statement that accepts a generation. */
export interface Insert {
  readonly bound: BoundStatement;
  readonly locks: EarlierLocks;
  /** Receiver of the `webhook_url` that is created in the same transaction; null for a known one. */
  readonly receiver: NewReceiver | null;
}

/** The account after a generation was accepted. */
export interface Inserted {
  /** The priority falls with it, so that ten thousand jobs of one account do not delay the first of another. */
  readonly unfinishedRenders: number;
  readonly hasDeliveries: boolean;
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
 * Like `insertIfAllowed`, in a transaction of its own, which also creates the receiver.
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

/** @throws AppError with the reason why an account cannot have a generation now, if there is one. */
async function explainRefusal(sql: Sql, request: AcceptRequest): Promise<void> {
  const { accountId, maxUnfinishedJobs, isBehind = false, plan, batch = null } = request;
  if (batch !== null) await assertNextLine(sql, batch);
  const [account] = await sql.query<{
    jobs: number;
    balance: bigint;
    erased: boolean;
    suspended: boolean;
  }>(
    `SELECT unfinished_jobs AS jobs, balance_micro_eur AS balance, erased_at IS NOT NULL AS erased,
            suspended_at IS NOT NULL AS suspended
       FROM account WHERE id = $1`,
    [accountId],
  );
  if (account === undefined) throw new Error(`account ${accountId} is gone`);
  if (account.erased) throw accountErased();
  if (account.suspended) throw suspendedAccount();
  await assertStillPermitted(sql, request);
  if (account.jobs >= maxUnfinishedJobs) {
    throw new AppError(
      "too_many_jobs",
      `The account has ${maxUnfinishedJobs} unfinished jobs, which is its limit. Wait until some are done, or cancel some.`,
      { details: { max_unfinished_jobs: maxUnfinishedJobs }, retryAfterMs: 5_000 },
    );
  }
  if (plan.mode === "test") await assertTestsLeft(sql, request);
  if (isBehind && account.jobs > 0) throw overloaded();
  await assertReferencesKept(sql, plan);
  const requiredMicroEur = totalPrice(plan.price);
  if (account.balance < requiredMicroEur) {
    const balanceMicroEur = await readSpendable(sql, request.keyId);
    throw insufficientCredit({ requiredMicroEur, balanceMicroEur });
  }
  await assertWithinBudget(sql, request.keyId, requiredMicroEur);
}

/** The error for a request whose account was erased after it was authenticated. */
export function accountErased(): AppError {
  return new AppError("account_suspended", "This account was erased. Use another account.");
}

/** SQL conditions on the row of the requesting key: what admission has checked still holds. */
const isStillPermitted = `${isValidKey("api_key", "clock_timestamp()")}
       AND 'generate' = ANY (scopes) AND (models = '{}' OR :namedModel::text = ANY (models))
       AND (:secretHashes::bytea[] IS NULL OR hash = ANY (:secretHashes)
            OR previous_hash = ANY (:secretHashes) AND previous_expires_at > clock_timestamp())`;

/** @throws AppError when the key or session of a request has ended, or lost the right, since it began. */
async function assertStillPermitted(
  sql: Sql,
  { keyId, secretHashes = null, sessionId = null, plan }: AcceptRequest,
): Promise<void> {
  const [key] = await sql.query<{
    revoked: boolean;
    expired: boolean;
    hasCredential: boolean;
    permitted: boolean;
  }>(...findPermission.bind({ keyId, secretHashes, sessionId, namedModel: namedModel(plan) }));
  if (key === undefined || key.revoked) throw refusedKey("revoked");
  if (key.expired) throw refusedKey("expired");
  if (!key.hasCredential) throw endedCredential();
  if (!key.permitted) {
    throw new AppError(
      "key_not_permitted",
      "The rights of this key were reduced. Use another key, or ask the owner of the account.",
      { details: { model: namedModel(plan) } },
    );
  }
}

/** The model that the key must permit. */
function namedModel({ model, namedModel: named = model }: GenerationPlan): string {
  return named;
}

const findPermission = statement(
  ["keyId", "secretHashes", "sessionId", "namedModel"],
  `SELECT revoked_at IS NOT NULL AS revoked, coalesce(expires_at <= clock_timestamp(), false) AS expired,
          (:sessionId::uuid IS NULL OR EXISTS (
             SELECT FROM studio_session AS session
              WHERE session.id = :sessionId AND session.expires_at > clock_timestamp()))
          AND (:secretHashes::bytea[] IS NULL OR hash = ANY (:secretHashes)
               OR coalesce(previous_hash = ANY (:secretHashes) AND previous_expires_at > clock_timestamp(), false)
              ) AS "hasCredential",
          ${isStillPermitted} AS permitted
     FROM api_key WHERE id = :keyId`,
);

/** SQL: the current day (UTC), by the database's clock. */
const today = "(now() AT TIME ZONE 'UTC')::date";

/** SQL over `account`: the images that its test keys have requested today. */
const testImagesToday = `CASE WHEN test_day = ${today} THEN test_images ELSE 0 END`;

/** SQL: the unfinished test jobs of an account. */
const unfinishedTests = `(SELECT count(*)::int FROM generation
          WHERE account_id = :accountId AND mode = 'test' AND kind = ANY (enum_range(NULL::generation_kind))
            AND status IN ('pending', 'processing'))`;

/** SQL condition on `account`: it may have another test job. */
const hasTestsLeft = `(${testImagesToday} + :rendersTotal::int <= :maxTestImages::int
            AND ${unfinishedTests} < :maxUnfinishedTests::int)`;

/** @throws AppError `too_many_jobs` or `rate_limited` when an account cannot have another test job. */
async function assertTestsLeft(
  sql: Sql,
  { accountId, maxUnfinishedJobs, maxTestImages = 0, plan }: AcceptRequest,
): Promise<void> {
  const [tests] = await sql.query<{ images: number; unfinished: number; resetsAt: Date }>(
    ...readTests.bind({ accountId }),
  );
  if (tests === undefined) throw new Error(`account ${accountId} is gone`);
  const max = quotaOf("test", maxUnfinishedJobs);
  if (tests.unfinished >= max) {
    throw new AppError(
      "too_many_jobs",
      `The account has ${max} unfinished test jobs, which is its limit. Wait until some are done, or cancel some.`,
      { details: { max_unfinished_test_jobs: max }, retryAfterMs: 5_000 },
    );
  }
  if (tests.images + plan.renders.length <= maxTestImages) return;
  throw new AppError(
    "rate_limited",
    `The test keys of an account may request ${maxTestImages} images a day, and this one has requested ${tests.images} today. The count starts again at ${tests.resetsAt.toISOString()}.`,
    {
      details: {
        max_test_images_per_day: maxTestImages,
        test_images: tests.images,
        resets_at: tests.resetsAt.toISOString(),
      },
      retryAfterMs: Math.max(1_000, tests.resetsAt.getTime() - Date.now()),
    },
  );
}

const readTests = statement(
  ["accountId"],
  `SELECT ${testImagesToday} AS images, ${unfinishedTests} AS unfinished,
          (${today} + 1)::timestamp AT TIME ZONE 'UTC' AS "resetsAt"
     FROM account WHERE id = :accountId`,
);

/** @throws AppError `reference_unreachable` for the first reference past its retention. */
export async function assertReferencesKept(sql: Sql, plan: GenerationPlan): Promise<void> {
  const uploads = uploadsOf(plan);
  if (uploads.length > 0) {
    const usable = await sql.query<{ id: string }>(
      "SELECT id FROM upload WHERE id = ANY ($1) AND deleted_at IS NULL AND expires_at > now()",
      [uploads.map(({ id }) => id)],
    );
    const expired = uploads.find((upload) => !usable.some(({ id }) => id === upload.id));
    if (expired !== undefined) throw referenceGone().at(expired.path);
  }
  const kept = keptReferences(plan);
  if (kept.length > 0) {
    const usable = await sql.query<{ key: string }>(
      `SELECT storage_key AS key FROM kept_file WHERE storage_key = ANY ($1) AND deleted_at IS NULL
       UNION SELECT source_key FROM kept_file WHERE source_key = ANY ($1) AND deleted_at IS NULL`,
      [kept.map(({ key }) => key)],
    );
    const released = kept.find((reference) => !usable.some(({ key }) => key === reference.key));
    if (released !== undefined) throw referenceGone().at(released.path);
  }
  const references = storedReferences(plan);
  if (references.length === 0) return;
  const deleted = await sql.query<{ key: string }>(
    `SELECT storage_key AS key FROM image
      WHERE render_id = ANY ($1::uuid[]) AND storage_key = ANY ($2::text[]) AND deleted_at IS NOT NULL`,
    [references.map(({ key }) => renderIdOf(key)), references.map(({ key }) => key)],
  );
  const deletedReference = references.find(({ key }) => deleted.some((image) => image.key === key));
  if (deletedReference !== undefined) throw referenceGone().at(deletedReference.path);
}

/** A lower-case UUID, as in storage keys. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Stored files that a plan's renders use as references. */
function storedSources(plan: GenerationPlan) {
  return plan.renders
    .flatMap(({ spec }) => spec.references.map(({ source }) => source))
    .filter((source) => source.kind === "stored");
}

/** Images of earlier jobs that a plan's renders use as references. */
function storedReferences(plan: GenerationPlan) {
  return storedSources(plan).filter(
    ({ key }) => uploadIdOf(key) === null && !isKeptKey(key) && uuid.test(renderIdOf(key)),
  );
}

/** Kept files that a plan's renders use, each once. */
function keptReferences(plan: GenerationPlan): { readonly key: string; readonly path: string }[] {
  const kept = storedSources(plan).filter(({ key }) => isKeptKey(key));
  return [...new Map(kept.map((source) => [source.key, source])).values()];
}

/** Uploads that a plan's renders use, each once. */
function uploadsOf(plan: GenerationPlan): { readonly id: string; readonly path: string }[] {
  const uploads = new Map<string, string>();
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    const id = source.kind === "stored" ? uploadIdOf(source.key) : null;
    if (source.kind === "stored" && id !== null) uploads.set(id, source.path);
  }
  return [...uploads].map(([id, path]) => ({ id, path }));
}

/** The error for a reference to an image past its retention. */
export function referenceGone(): AppError {
  return new AppError(
    "reference_unreachable",
    "This image has expired. Use another image, or generate it again.",
    { details: { reason: "gone" } },
  );
}

/** Finds the earlier request of an idempotency key; null when the key is unused or expired. */
export async function findIdempotentUse(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly requestHash: Buffer },
): Promise<IdempotentUse | null> {
  const [earlier] = await sql.query<IdempotentUse>(
    `SELECT generation_id AS "generationId", request_hash = $3 AS "sameRequest",
            answer_due_at > now() AS "answerPending"
       FROM idempotency_key
      WHERE account_id = $1 AND key = $2 AND created_at >= now() - interval '${idempotencyKeysKeptFor}'`,
    [use.accountId, use.key, use.requestHash],
  );
  return earlier ?? null;
}

/** Marks the first request of a key as answered: repeated requests then get the job. */
export async function endIdempotentWait(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly generationId: string },
): Promise<void> {
  await sql.query(
    `UPDATE idempotency_key SET answer_due_at = now()
      WHERE account_id = $1 AND key = $2 AND generation_id = $3`,
    [use.accountId, use.key, use.generationId],
  );
}

interface StoredRender extends PlannedRender {
  readonly id: string;
  readonly position: number;
}

/** Names of Prisma have underscores where those in the database have hyphens. */
type WithHyphens<Name extends string> = Name extends `${infer Start}_${infer End}`
  ? `${Start}-${WithHyphens<End>}`
  : Name;

/** Fills in the parameters of `insertGeneration`. */
function bindInsert(
  request: AcceptRequest,
  generationId: string,
  renders: readonly StoredRender[],
) {
  const { accountId, plan, idempotency, requestId } = request;
  return insertGeneration.bind({
    generationId,
    accountId,
    kind: plan.kind,
    // An operation needs its value in the database.
    operation: plan.operation satisfies WithHyphens<GenerationOperation>,
    model: plan.model,
    request: JSON.stringify(plan.request),
    metadata: JSON.stringify(plan.metadata),
    seed: plan.seed,
    searchedText: searchedText(plan),
    exactTerms: exactTerms({ ...plan, accountId, requestId }),
    strictness: plan.strictness,
    title: plan.title,
    priceMicroEur: totalPrice(plan.price),
    rendersTotal: renders.length,
    scenesTotal:
      plan.kind === "story" ? renders.filter(({ role }) => role === "scene").length : null,
    deadlineMs: request.deadlineMs,
    sharedSpec: JSON.stringify(renders[0]?.spec ?? {}),
    renders: JSON.stringify(
      renders.map(({ waitsFor, ...render }) => ({
        ...render,
        ...withoutShared(renders[0]?.spec ?? render.spec, render.spec),
        status: waitsFor.length === 0 ? "ready" : "waiting",
        waits_for: waitsFor.map((position) => renders[position]?.id),
      })),
    ),
    traceParent: request.traceParent ?? null,
    transferId: newId(),
    maxUnfinishedJobs: request.maxUnfinishedJobs,
    mode: plan.mode ?? "live",
    maxTestImages: request.maxTestImages ?? 0,
    maxUnfinishedTests: quotaOf("test", request.maxUnfinishedJobs),
    namedModel: namedModel(plan),
    isBehind: request.isBehind ?? false,
    idempotencyKey: idempotency?.key ?? null,
    requestHash: idempotency?.requestHash ?? null,
    answerWithinMs: idempotency?.answerWithinMs ?? null,
    referencedRenders: storedReferences(plan).map(({ key }) => renderIdOf(key)),
    referencedKeys: storedReferences(plan).map(({ key }) => key),
    uploadIds: uploadsOf(plan).map(({ id }) => id),
    keptKeys: keptReferences(plan).map(({ key }) => key),
    isKept: plan.isKept ?? false,
    castMember: plan.castMember === undefined ? null : JSON.stringify(plan.castMember),
    keyId: request.keyId,
    secretHashes: request.secretHashes ?? null,
    sessionId: request.sessionId ?? null,
    webhookId: request.webhook?.webhookId ?? null,
    webhookUrl: request.webhook?.url ?? null,
    webhookEvents: request.webhook?.events ?? null,
    batchId: request.batch?.id ?? null,
    batchLine: request.batch?.line ?? null,
    answerHash: request.answer?.hash ?? null,
    answerTo: request.answer?.requestId ?? null,
  });
}

/** Rows that a statement of `insertGeneration` locks before the account. */
interface EarlierLocks {
  readonly sessionIds: readonly string[];
  readonly imageKeys: readonly string[];
  readonly uploadIds: readonly string[];
  readonly keptKeys: readonly string[];
}

/**
 * The statement that takes the locks of a group of requests which come before that of the account, since the
 * second request of the group would take them after it.
 *
 * @returns undefined when no request needs any.
 */
export function lockBefore(inserts: readonly Pick<Insert, "locks">[]): BoundStatement | undefined {
  const all = (kind: keyof EarlierLocks) => [
    ...new Set(inserts.flatMap(({ locks }) => locks[kind])),
  ];
  const [sessionIds, imageKeys] = [all("sessionIds"), all("imageKeys")];
  const [uploadIds, keptKeys] = [all("uploadIds"), all("keptKeys")];
  if ([sessionIds, imageKeys, uploadIds, keptKeys].every(({ length }) => length === 0)) {
    return undefined;
  }
  const imageRenders = imageKeys.map(renderIdOf);
  return lockEarlier.bind({ sessionIds, imageRenders, imageKeys, uploadIds, keptKeys });
}

// The columns are computed from left to right.
const lockEarlier = statement(
  ["sessionIds", "imageRenders", "imageKeys", "uploadIds", "keptKeys"],
  `WITH sessions AS (
     SELECT id FROM studio_session WHERE id = ANY (:sessionIds::uuid[]) ORDER BY id FOR SHARE
   ), images AS (
     SELECT storage_key FROM image
      WHERE render_id = ANY (:imageRenders::uuid[]) AND storage_key = ANY (:imageKeys::text[])
      ORDER BY storage_key FOR SHARE
   ), uploads AS (
     SELECT id FROM upload WHERE id = ANY (:uploadIds::uuid[]) ORDER BY id FOR SHARE
   ), kept AS (
     SELECT storage_key FROM kept_file WHERE storage_key = ANY (:keptKeys::text[])
      ORDER BY storage_key FOR SHARE
   ), moved AS (
     SELECT storage_key FROM kept_file WHERE source_key = ANY (:keptKeys::text[])
      ORDER BY storage_key FOR SHARE
   )
   SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM images), (SELECT count(*) FROM uploads),
          (SELECT count(*) FROM kept), (SELECT count(*) FROM moved)`,
);

/**
 * Locks the account before it claims the idempotency key, so that two requests with one key are
 * serialised here. Conditions are checked on locked rows, so that concurrent requests cannot all
 * pass: balance, limits, suspension, and the rights of the key. Referenced images are locked as well, so that retention does not mark them in the meantime.
 */
const insertGeneration = statement(
  [
    "generationId",
    "accountId",
    "kind",
    "operation",
    "model",
    "request",
    "metadata",
    "seed",
    "searchedText",
    "exactTerms",
    "strictness",
    "title",
    "priceMicroEur",
    "rendersTotal",
    "scenesTotal",
    "deadlineMs",
    "sharedSpec",
    "renders",
    "traceParent",
    "transferId",
    "maxUnfinishedJobs",
    "mode",
    "maxTestImages",
    "maxUnfinishedTests",
    "namedModel",
    "isBehind",
    "idempotencyKey",
    "requestHash",
    "answerWithinMs",
    "referencedRenders",
    "referencedKeys",
    "uploadIds",
    "keptKeys",
    "isKept",
    "castMember",
    "keyId",
    "secretHashes",
    "sessionId",
    "webhookId",
    "webhookUrl",
    "webhookEvents",
    "batchId",
    "batchLine",
    "answerHash",
    "answerTo",
  ],
  `
  WITH session AS (
    SELECT id FROM studio_session
     WHERE id = :sessionId::uuid AND expires_at > clock_timestamp() FOR SHARE
  ), referenced AS (
    SELECT deleted_at FROM image
     WHERE render_id = ANY (:referencedRenders::uuid[]) AND storage_key = ANY (:referencedKeys::text[])
     ORDER BY storage_key FOR SHARE
  ), uploaded AS (
    SELECT id FROM upload
     WHERE id = ANY (:uploadIds::uuid[]) AND deleted_at IS NULL AND expires_at > now() ORDER BY id FOR SHARE
  ), used AS (
    SELECT storage_key FROM kept_file
     WHERE storage_key = ANY (:keptKeys::text[]) AND deleted_at IS NULL ORDER BY storage_key FOR SHARE
  ), moved AS (
    SELECT source_key FROM kept_file
     WHERE source_key = ANY (:keptKeys::text[]) AND deleted_at IS NULL ORDER BY storage_key FOR SHARE
  ), payer AS (
    SELECT id FROM account
     -- In the order of the locks: the parts above run when these conditions read them.
     WHERE (:sessionId::uuid IS NULL OR EXISTS (SELECT FROM session))
       AND NOT EXISTS (SELECT FROM referenced WHERE deleted_at IS NOT NULL) AND id = :accountId AND erased_at IS NULL
       AND suspended_at IS NULL
       AND (SELECT count(*) FROM uploaded) = cardinality(:uploadIds::uuid[])
       AND (SELECT count(*) FROM (SELECT storage_key FROM used UNION SELECT source_key FROM moved) AS usable)
           = cardinality(:keptKeys::text[])
       AND balance_micro_eur >= :priceMicroEur::bigint
       AND (:mode::key_mode = 'live' OR ${hasTestsLeft})
       AND unfinished_jobs < :maxUnfinishedJobs AND NOT (:isBehind AND unfinished_jobs > 0)
       AND NOT EXISTS (SELECT FROM generation WHERE id = :generationId)
       FOR NO KEY UPDATE
  ), spender AS (
    SELECT api_key.id, payer.id AS account_id FROM payer JOIN api_key ON account_id = payer.id
     WHERE api_key.id = :keyId AND api_key.mode = :mode AND ${isStillPermitted}
       AND ${withinBudget(":priceMicroEur::bigint")}
       FOR NO KEY UPDATE OF api_key
  ), claimed AS (
    INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
    SELECT account_id, :idempotencyKey, :requestHash, :generationId, now() + :answerWithinMs * interval '1 ms' FROM spender WHERE :idempotencyKey::text IS NOT NULL
    ON CONFLICT (account_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, generation_id = excluded.generation_id,
          answer_due_at = excluded.answer_due_at, created_at = now()
      WHERE idempotency_key.created_at < now() - interval '${idempotencyKeysKeptFor}'
    RETURNING account_id
  ), taken AS (
    UPDATE batch SET lines_taken = :batchLine, waits_for = NULL
      FROM spender
     WHERE batch.id = :batchId::uuid AND batch.account_id = spender.account_id AND ${isNextLine(":batchLine::int")}
    RETURNING batch.id, expires_at
  ), debited AS (
    UPDATE account
       SET ${setAside(":priceMicroEur::bigint")},
           unfinished_jobs = unfinished_jobs + 1, unfinished_renders = unfinished_renders + :rendersTotal,
           test_images = CASE :mode WHEN 'test' THEN ${testImagesToday} + :rendersTotal ELSE test_images END,
           test_day = CASE :mode WHEN 'test' THEN ${today} ELSE test_day END
      FROM spender
     WHERE account.id = spender.account_id AND (:idempotencyKey::text IS NULL OR EXISTS (SELECT FROM claimed))
       AND (:batchId IS NULL OR EXISTS (SELECT FROM taken))
    RETURNING account.id, unfinished_renders, ${changedBalance}
  ), spent AS (
    UPDATE api_key SET ${spendBudget(":priceMicroEur::bigint")} FROM debited WHERE api_key.id = :keyId
  ), accepted AS (
    INSERT INTO generation (id, account_id, key_id, mode, kind, operation, model, request, metadata, seed, strictness, title,
                            price_micro_eur, renders_total, scenes_total, scenes_completed, deadline_at,
                            trace_parent, batch_id, batch_line, deadline_after_claim_ms, answer_hash, answer_to)
    SELECT :generationId, id, :keyId, :mode, :kind::generation_kind, :operation::generation_operation, :model, :request::jsonb, :metadata::jsonb, :seed::bigint, :strictness::strictness, :title, :priceMicroEur::bigint, :rendersTotal, :scenesTotal,
           CASE WHEN :scenesTotal::int IS NULL THEN NULL ELSE 0 END,
           greatest(now() + :deadlineMs * interval '1 ms', (SELECT expires_at FROM taken)), :traceParent, :batchId, :batchLine,
           CASE WHEN :batchId IS NOT NULL THEN :deadlineMs::int END, :answerHash::bytea, :answerTo::uuid
      FROM debited
    RETURNING id, account_id
  ), kept AS (
    INSERT INTO kept_item (id, account_id, kind, status)
    SELECT id, account_id, 'job', 'requested' FROM accepted WHERE :isKept
  ), drawn AS (
    INSERT INTO kept_item (id, account_id, kind, status)
    SELECT member.id, accepted.account_id, member.kind, 'requested'
      FROM accepted, jsonb_to_record(:castMember::jsonb) AS member (id uuid, kind kept_kind)
     WHERE :castMember::jsonb IS NOT NULL
  ), cast_members AS (
    INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks, story_job_id, drawn)
    SELECT member.id, accepted.account_id, :keyId, :mode, member.kind, name, description, looks, accepted.id, true
      FROM accepted, jsonb_to_record(:castMember::jsonb) AS member (
        id uuid, kind kept_kind, name text, description text, looks jsonb)
     WHERE :castMember::jsonb IS NOT NULL
  ), searchable AS (
    INSERT INTO generation_search (account_id, generation_id, terms)
    SELECT account_id, id,
           to_tsvector('simple', :searchedText) || array_to_tsvector(:exactTerms::text[])
      FROM accepted
  ), requested_webhook AS (
    INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
    SELECT id, :webhookId::uuid, :webhookUrl, :webhookEvents::text[] FROM accepted WHERE :webhookId::uuid IS NOT NULL
    RETURNING generation_id, webhook_id, events
  ), planned AS (
    INSERT INTO render (id, generation_id, position, role, status, lane, model, spec, waits_for, needs, dispatched_at, place_account_id)
    SELECT r.id, accepted.id, r.position, r.role, r.status, r.lane, r.model,
           CASE WHEN r.shares THEN :sharedSpec::jsonb || r.spec ELSE r.spec END, r.waits_for, coalesce(r.needs, 0),
           CASE WHEN r.status = 'ready' AND :batchId IS NULL THEN now() END,
           CASE WHEN r.status = 'ready' AND :batchId IS NOT NULL THEN accepted.account_id END
      FROM accepted, jsonb_to_recordset(:renders::jsonb) AS r (
        id uuid, position int, role render_role, status render_status, lane text, model text,
        spec jsonb, shares boolean, waits_for uuid[], needs smallint)
  ), price AS (
    SELECT :transferId::uuid AS transfer_id, account_id, id AS generation_id, :priceMicroEur::bigint AS amount FROM accepted
  ), ${bookHold("price")}, ${recordEvents(
    `
    SELECT account_id, id AS generation_id, 'job.updated' AS type, NULL::jsonb AS data FROM accepted
    UNION ALL ${lowBalanceEvents("debited")}`,
    ":mode",
    "JOIN requested_webhook AS requested USING (generation_id)",
  )}
  SELECT unfinished_renders AS "unfinishedRenders", ${hasDeliveries} AS "hasDeliveries" FROM debited`,
);
