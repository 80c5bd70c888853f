import {
  bookHold,
  changedBalance,
  changedBudget,
  lowBalanceEvents,
  lowBudgetEvents,
  setAside,
  spendBudget,
  spendSharedBudget,
  withinBudget,
} from "@atelier/billing";
import { type BoundStatement, type GenerationOperation, newId, statement } from "@atelier/database";
import { hasDeliveries, recordEvents } from "@atelier/events";
import { type PlannedRender, quotaOf, renderIdOf, totalPrice } from "@atelier/schemas";
import { isNextLine } from "../batches/batch-line.ts";
import { exactTerms, searchedText, sourceJobOf, termsOfSource } from "./search-terms.ts";
import { withoutShared } from "./share-spec.ts";
import type { NewGeneration, EarlierLocks, Insert } from "./new-generation.ts";
import {
  hasTestsLeft,
  isStillPermitted,
  namedModel,
  testImagesToday,
  today,
} from "./conditions.ts";
import { idempotencyKeysKeptFor } from "./idempotent-use.ts";
import { keptReferences, storedReferences, uploadsOf } from "./references.ts";

interface StoredRender extends PlannedRender {
  readonly id: string;
  readonly position: number;
}

/** Names of Prisma have underscores where those in the database have hyphens. */
type WithHyphens<Name extends string> = Name extends `${infer Start}_${infer End}`
  ? `${Start}-${WithHyphens<End>}`
  : Name;

/** Fills in the parameters of `insertGeneration`. */
export function bindInsert(
  request: NewGeneration,
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
    sourceJobId: sourceJobOf(plan),
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
  const [sourceJobIds, sourceAccountIds] = [all("sourceJobIds"), all("sourceAccountIds")];
  if (
    [sessionIds, sourceJobIds, imageKeys, uploadIds, keptKeys].every(({ length }) => length === 0)
  ) {
    return undefined;
  }
  const imageRenders = imageKeys.map(renderIdOf);
  return lockEarlier.bind({
    sessionIds,
    sourceJobIds,
    sourceAccountIds,
    imageRenders,
    imageKeys,
    uploadIds,
    keptKeys,
  });
}

// The columns are computed from left to right.
const lockEarlier = statement(
  [
    "sessionIds",
    "sourceJobIds",
    "sourceAccountIds",
    "imageRenders",
    "imageKeys",
    "uploadIds",
    "keptKeys",
  ],
  `WITH sessions AS (
     SELECT id FROM studio_session WHERE id = ANY (:sessionIds::uuid[]) ORDER BY id FOR SHARE
   ), sources AS (
     SELECT generation_id FROM generation_search
      WHERE account_id = ANY (:sourceAccountIds::uuid[]) AND generation_id = ANY (:sourceJobIds::uuid[])
      ORDER BY generation_id FOR SHARE
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
   SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM sources), (SELECT count(*) FROM images),
          (SELECT count(*) FROM uploads), (SELECT count(*) FROM kept), (SELECT count(*) FROM moved)`,
);

/**
 * Locks the account before it claims the idempotency key, so that two requests with one key are
 * serialised here. Conditions are checked on locked rows, so that concurrent requests cannot all
 * pass: balance, limits, suspension, the rights of the key, and its budgets. Referenced images are locked as well, so that retention does not mark them in the meantime, and the search terms of the job whose image is changed.
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
    "sourceJobId",
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
  ), source AS (
    -- A redaction that runs meanwhile would leave the words behind.
    SELECT generation_id, terms FROM generation_search
     WHERE account_id = :accountId AND generation_id = :sourceJobId::uuid FOR SHARE
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
       AND (SELECT count(*) FROM source) >= 0
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
    SELECT api_key.id, payer.id AS account_id, CASE :mode WHEN 'live' THEN budget_id END AS budget_id
      FROM payer JOIN api_key ON account_id = payer.id
     WHERE api_key.id = :keyId AND api_key.mode = :mode AND ${isStillPermitted}
       AND ${withinBudget(":priceMicroEur::bigint")}
       FOR NO KEY UPDATE OF api_key
  ), shared AS (
    SELECT budget.id FROM spender JOIN budget ON budget.id = spender.budget_id
     WHERE ${withinBudget(":priceMicroEur::bigint")}
       FOR NO KEY UPDATE OF budget
  ), permitted AS (
    SELECT * FROM spender WHERE budget_id IS NULL OR EXISTS (SELECT FROM shared)
  ), claimed AS (
    INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
    SELECT account_id, :idempotencyKey, :requestHash, :generationId, now() + :answerWithinMs * interval '1 ms' FROM permitted WHERE :idempotencyKey::text IS NOT NULL
    ON CONFLICT (account_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, generation_id = excluded.generation_id,
          answer_due_at = excluded.answer_due_at, created_at = now()
      WHERE idempotency_key.created_at < now() - interval '${idempotencyKeysKeptFor}'
    RETURNING account_id
  ), taken AS (
    UPDATE batch SET lines_taken = :batchLine, waits_for = NULL
      FROM permitted
     WHERE batch.id = :batchId::uuid AND batch.account_id = permitted.account_id AND ${isNextLine(":batchLine::int")}
    RETURNING batch.id, expires_at
  ), debited AS (
    UPDATE account
       SET ${setAside(":priceMicroEur::bigint")},
           unfinished_jobs = unfinished_jobs + 1, unfinished_renders = unfinished_renders + :rendersTotal,
           test_images = CASE :mode WHEN 'test' THEN ${testImagesToday} + :rendersTotal ELSE test_images END,
           test_day = CASE :mode WHEN 'test' THEN ${today} ELSE test_day END
      FROM permitted
     WHERE account.id = permitted.account_id AND (:idempotencyKey::text IS NULL OR EXISTS (SELECT FROM claimed))
       AND (:batchId IS NULL OR EXISTS (SELECT FROM taken))
    RETURNING account.id, unfinished_renders, permitted.budget_id, ${changedBalance}
  ), spent AS (
    UPDATE api_key SET ${spendBudget(":priceMicroEur::bigint")} FROM debited WHERE api_key.id = :keyId
  ), shared_spent AS (
    UPDATE budget SET ${spendSharedBudget(":priceMicroEur::bigint")} FROM debited WHERE budget.id = debited.budget_id
    RETURNING ${changedBudget}
  ), accepted AS (
    INSERT INTO generation (id, account_id, key_id, mode, kind, operation, model, request, metadata, seed, strictness, title,
                            price_micro_eur, renders_total, scenes_total, scenes_completed, deadline_at,
                            trace_parent, batch_id, batch_line, deadline_after_claim_ms, answer_hash, answer_to, budget_id)
    SELECT :generationId, id, :keyId, :mode, :kind::generation_kind, :operation::generation_operation, :model, :request::jsonb, :metadata::jsonb, :seed::bigint, :strictness::strictness, :title, :priceMicroEur::bigint, :rendersTotal, :scenesTotal,
           CASE WHEN :scenesTotal::int IS NULL THEN NULL ELSE 0 END,
           greatest(now() + :deadlineMs * interval '1 ms', (SELECT expires_at FROM taken)), :traceParent, :batchId, :batchLine,
           CASE WHEN :batchId IS NOT NULL THEN :deadlineMs::int END, :answerHash::bytea, :answerTo::uuid, budget_id
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
           to_tsvector('simple', :searchedText) || array_to_tsvector(:exactTerms::text[]) || coalesce((
             SELECT ${termsOfSource("source")} FROM source), '')
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
    UNION ALL ${lowBalanceEvents("debited")}
    UNION ALL ${lowBudgetEvents("shared_spent")}`,
    ":mode",
    "JOIN requested_webhook AS requested USING (generation_id)",
  )}
  SELECT unfinished_renders AS "unfinishedRenders", ${hasDeliveries} AS "hasDeliveries" FROM debited`,
);
