import { ownedTables } from "@atelier/database";
import { operations } from "@atelier/schemas";
import { matchOperation } from "./match-operation.ts";

// Longer than 400 lines: one table, with the queries of each invariant.

/** A condition that holds in the database at any time. */
interface Invariant {
  readonly name: string;
  /** Query for the number of checked objects. */
  readonly checked: string;
  /** Command that repairs violations; absent if an operator must investigate first. */
  readonly repair?: string;
  /** Query for violations. A single statement sees one snapshot, so concurrent traffic is no violation. */
  readonly violations: string;
}

/**
 * Condition on a generation: its events are written and kept, which is for 24 hours, or until its account
 * is erased.
 */
const hasEvents = `generation.created_at > now() - interval '23 hours'
  AND generation.created_at > (SELECT min(created_at) FROM event)
  AND account_id NOT IN (SELECT id FROM account WHERE erased_at IS NOT NULL)`;

/**
 * The invariants of the service. Each query scans its tables once and uses hash joins, so that a million
 * generations take seconds.
 */
export const invariants: readonly Invariant[] = [
  {
    name: "The entries of every transfer sum to zero, and so do all entries.",
    checked: "SELECT count(*) FROM ledger_transfer",
    violations: `
      SELECT transfer_id AS transfer, sum(amount_micro_eur) AS sum
        FROM ledger_entry GROUP BY GROUPING SETS ((transfer_id), ())
      HAVING sum(amount_micro_eur) <> 0`,
  },
  {
    name: "An account's balances equal the sums of its entries, and are never negative.",
    checked: "SELECT count(*) FROM account",
    violations: `
      SELECT account.id AS account, balance_micro_eur AS balance, held_micro_eur AS held,
             coalesce(available_entries, 0) AS available_entries,
             coalesce(held_entries, 0) AS held_entries
        FROM account LEFT JOIN (
          SELECT account_id,
                 sum(amount_micro_eur) FILTER (WHERE book = 'available') AS available_entries,
                 sum(amount_micro_eur) FILTER (WHERE book = 'held') AS held_entries
            FROM ledger_entry GROUP BY account_id) AS entries ON account_id = account.id
       WHERE balance_micro_eur <> coalesce(available_entries, 0)
          OR held_micro_eur <> coalesce(held_entries, 0)
          OR balance_micro_eur < 0 OR held_micro_eur < 0`,
  },
  {
    name: "A hold is resolved exactly when its generation is final, and charges no more than was held.",
    checked: "SELECT count(*) FROM hold",
    violations: `
      SELECT hold.id AS hold, status, hold.amount_micro_eur AS held, transfer.id AS resolution,
             entry.amount_micro_eur AS charged
        FROM hold JOIN generation ON generation.id = hold.generation_id
        LEFT JOIN ledger_transfer AS transfer ON resolves_hold_id = hold.id
        LEFT JOIN ledger_entry AS entry ON entry.transfer_id = transfer.id AND book = 'revenue'
       WHERE (transfer.id IS NULL) <> (status IN ('pending', 'processing'))
          OR entry.amount_micro_eur > hold.amount_micro_eur`,
  },
  {
    name: "Completed means one settle and no release, or one release of a test job; failed or cancelled, one release and no settle.",
    checked: "SELECT count(*) FROM generation",
    violations: `
      SELECT generation.id AS generation, status, charged_micro_eur AS charged, transfers.*
        FROM generation LEFT JOIN (
          SELECT generation_id,
                 count(*) FILTER (WHERE kind = 'hold') AS holds,
                 count(*) FILTER (WHERE kind = 'settle') AS settles,
                 count(*) FILTER (WHERE kind = 'release') AS releases,
                 coalesce(sum(amount_micro_eur), 0) AS revenue
            FROM ledger_transfer LEFT JOIN ledger_entry ON transfer_id = id AND book = 'revenue'
           WHERE generation_id IS NOT NULL GROUP BY generation_id) AS transfers
          ON generation_id = generation.id
       WHERE holds IS DISTINCT FROM 1
          OR settles <> CASE WHEN status = 'completed' AND mode = 'live' THEN 1 ELSE 0 END
          OR releases <> CASE WHEN status IN ('failed', 'cancelled')
                                OR status = 'completed' AND mode = 'test' THEN 1 ELSE 0 END
          OR revenue <> coalesce(charged_micro_eur, 0)`,
  },
  {
    name: "The refunds of a job are at most its charge, and each is booked once, from the revenue to its account.",
    checked: "SELECT count(*) FROM refund",
    violations: `
      SELECT refunded.generation_id AS generation, refunded.amount AS refunded, charged, NULL AS transfer
        FROM (SELECT generation_id, sum(amount_micro_eur) AS amount FROM refund GROUP BY generation_id) AS refunded
        LEFT JOIN (
          SELECT generation_id, sum(amount_micro_eur) AS charged
            FROM ledger_transfer JOIN ledger_entry ON transfer_id = id AND book = 'revenue'
           WHERE kind = 'settle' AND generation_id IN (SELECT generation_id FROM refund)
           GROUP BY generation_id) AS settled ON settled.generation_id = refunded.generation_id
       WHERE refunded.amount > coalesce(charged, 0)
      UNION ALL
      SELECT refund.generation_id, refund.amount_micro_eur, -revenue.amount_micro_eur, transfer.id
        FROM (SELECT * FROM ledger_transfer WHERE kind = 'refund') AS transfer
        FULL JOIN refund ON transfer_id = transfer.id
        LEFT JOIN ledger_entry AS revenue ON revenue.transfer_id = transfer.id AND revenue.book = 'revenue'
        LEFT JOIN ledger_entry AS available ON available.transfer_id = transfer.id AND available.book = 'available'
        LEFT JOIN hold ON hold.generation_id = refund.generation_id
       WHERE transfer.id IS NULL OR refund.transfer_id IS NULL
          OR refund.amount_micro_eur IS DISTINCT FROM -revenue.amount_micro_eur
          OR refund.amount_micro_eur IS DISTINCT FROM available.amount_micro_eur
          OR refund.account_id <> transfer.account_id OR hold.account_id IS DISTINCT FROM refund.account_id`,
  },
  {
    name: "A key's spent amount equals the holds and charges of its jobs in the period.",
    checked: "SELECT count(*) FROM api_key",
    violations: `
      SELECT api_key.id AS key, spent_micro_eur AS spent, spent_since, coalesce(spent_by_jobs, 0) AS jobs
        FROM api_key LEFT JOIN (
          SELECT api_key.id AS key_id,
                 sum(CASE WHEN status IN ('failed', 'cancelled') THEN 0
                          ELSE coalesce(charged_micro_eur, amount_micro_eur) END) AS spent_by_jobs
            FROM api_key JOIN generation
              ON key_id = api_key.id AND generation.created_at >= spent_since
            JOIN hold ON hold.generation_id = generation.id
           GROUP BY api_key.id) AS jobs ON jobs.key_id = api_key.id
        LEFT JOIN (
          SELECT api_key.id AS key_id, sum(charged_micro_eur) AS spent_in_archive
            FROM api_key JOIN archived_usage AS usage
              ON usage.key_id = api_key.id AND accepted_on >= (spent_since AT TIME ZONE 'UTC')::date
           GROUP BY api_key.id) AS archived ON archived.key_id = api_key.id
       WHERE spent_micro_eur <> coalesce(spent_by_jobs, 0) + coalesce(spent_in_archive, 0)`,
  },
  {
    name: "A shared budget's spent and held amounts equal those of its jobs in the period.",
    checked: "SELECT count(*) FROM budget",
    violations: `
      SELECT budget.id AS budget, spent_micro_eur AS spent, held_micro_eur AS held, spent_since,
             coalesce(spent_by_jobs, 0) AS jobs, coalesce(held_by_jobs, 0) AS holds
        FROM budget LEFT JOIN (
          SELECT budget_id,
                 sum(CASE WHEN status IN ('failed', 'cancelled') THEN 0
                          ELSE coalesce(charged_micro_eur, amount_micro_eur) END) AS spent_by_jobs,
                 sum(amount_micro_eur) FILTER (WHERE completed_at IS NULL) AS held_by_jobs
            FROM budget JOIN generation
              ON budget_id = budget.id AND generation.created_at >= spent_since
            JOIN hold ON hold.generation_id = generation.id
           GROUP BY budget_id) AS jobs ON jobs.budget_id = budget.id
        LEFT JOIN (
          SELECT budget_id, sum(charged_micro_eur) AS spent_in_archive
            FROM budget JOIN archived_budget_usage
              ON budget_id = budget.id AND accepted_on >= (spent_since AT TIME ZONE 'UTC')::date
           GROUP BY budget_id) AS archived ON archived.budget_id = budget.id
       WHERE spent_micro_eur <> coalesce(spent_by_jobs, 0) + coalesce(spent_in_archive, 0)
          OR held_micro_eur <> coalesce(held_by_jobs, 0)`,
  },
  {
    name: "The shared budget of a key or a job is one of its account, and only live jobs have one.",
    checked: "SELECT count(*) FROM budget",
    violations: `
      SELECT api_key.id AS key, NULL AS generation, budget_id AS budget
        FROM api_key LEFT JOIN budget ON budget.id = budget_id
       WHERE budget_id IS NOT NULL AND budget.account_id IS DISTINCT FROM api_key.account_id
      UNION ALL
      SELECT key_id, generation.id, budget_id
        FROM generation LEFT JOIN budget ON budget.id = budget_id
       WHERE budget_id IS NOT NULL
         AND (mode <> 'live' OR budget.account_id <> generation.account_id)`,
  },
  {
    name: "A key neither outlives nor exceeds the key that created it.",
    checked: "SELECT count(*) FROM api_key WHERE parent_id IS NOT NULL",
    violations: `
      SELECT made.id AS key, maker.id AS created_by
        FROM api_key AS made LEFT JOIN api_key AS maker ON maker.id = made.parent_id
       WHERE made.parent_id IS NOT NULL
         AND made.revoked_at IS NULL AND (made.expires_at IS NULL OR made.expires_at > now())
         AND (maker.id IS NULL OR maker.account_id <> made.account_id
              OR maker.revoked_at IS NOT NULL OR maker.budget_micro_eur IS NOT NULL
              OR maker.expires_at < coalesce(made.expires_at, 'infinity')
              OR NOT made.scopes <@ maker.scopes
              OR maker.mode = 'test' AND made.mode <> 'test'
              OR maker.budget_id <> coalesce(made.budget_id, '00000000-0000-0000-0000-000000000000')
              OR maker.models <> '{}' AND (made.models = '{}' OR NOT made.models <@ maker.models))`,
  },
  {
    name: "A member acts through a live key of its account without a maker, with the scopes of its role.",
    checked: "SELECT count(*) FROM member",
    violations: `
      SELECT member.id AS member, key_id AS key
        FROM member JOIN account ON account.id = member.account_id LEFT JOIN api_key ON api_key.id = key_id
        CROSS JOIN LATERAL (
          SELECT CASE WHEN role <> 'maker' THEN ARRAY['generate', 'read', 'manage']
                      WHEN makers_read_all THEN ARRAY['generate', 'read']
                      ELSE ARRAY['generate'] END AS scopes) AS given
       WHERE api_key.id IS NULL OR api_key.account_id <> member.account_id OR api_key.mode <> 'live'
          OR parent_id IS NOT NULL OR expires_at IS NOT NULL
          OR revoked_at IS NULL
             AND (NOT (api_key.scopes <@ given.scopes AND given.scopes <@ api_key.scopes)
                  OR role <> 'maker' AND (budget_micro_eur IS NOT NULL OR api_key.budget_id IS NOT NULL OR models <> '{}'))`,
  },
  {
    name: "A generation has the mode of its key; one of a test key is free, without ledger entries, and in the lane of tests.",
    checked: "SELECT count(*) FROM generation WHERE key_id IS NOT NULL",
    violations: `
      SELECT generation.id AS generation, generation.mode, api_key.mode AS mode_of_key, price_micro_eur AS price
        FROM generation JOIN api_key ON api_key.id = key_id
       WHERE generation.mode <> api_key.mode
      UNION ALL
      SELECT generation.id, mode, NULL, price_micro_eur FROM generation
       WHERE mode = 'test'
         AND (price_micro_eur <> 0 OR coalesce(charged_micro_eur, 0) <> 0
              OR id IN (SELECT generation_id FROM ledger_transfer
                          JOIN ledger_entry ON transfer_id = ledger_transfer.id
                         WHERE generation_id IS NOT NULL))
      UNION ALL
      SELECT generation_id, mode, NULL, price_micro_eur
        FROM render JOIN generation ON generation.id = generation_id
       WHERE (lane = 'builtin-test') <> (mode = 'test')`,
  },
  {
    // The revocation may have waited for the lock of the account, as its time is that of its beginning.
    name: "No generation was accepted, and no delivery queued, after its key was revoked (30 seconds).",
    checked: "SELECT count(*) FROM api_key WHERE revoked_at IS NOT NULL",
    violations: `
      SELECT api_key.id AS key, generation.id AS generation, NULL AS delivery
        FROM api_key JOIN generation ON key_id = api_key.id
       WHERE generation.created_at > revoked_at + interval '30 seconds'
      UNION ALL
      SELECT api_key.id, NULL, delivery.id
        FROM api_key JOIN webhook ON key_id = api_key.id
        JOIN webhook_delivery AS delivery ON webhook_id = webhook.id
       WHERE delivery.created_at > revoked_at + interval '30 seconds'`,
  },
  {
    name: "A session of Studio has a key of its account that is not revoked.",
    checked: "SELECT count(*) FROM studio_session",
    violations: `
      SELECT session.id AS session, key_id AS key
        FROM studio_session AS session LEFT JOIN api_key ON api_key.id = key_id
       WHERE api_key.account_id IS DISTINCT FROM session.account_id OR revoked_at IS NOT NULL`,
  },
  {
    name: "Every generation that is not redacted can be found by its account's searches.",
    repair: "npm run atelier -- audit --repair",
    checked: "SELECT count(*) FROM generation",
    violations: `
      SELECT generation.id AS generation, search.account_id AS account
        FROM generation FULL JOIN generation_search AS search
          ON search.account_id = generation.account_id AND generation_id = generation.id
       WHERE generation.id IS NULL OR (generation_id IS NULL) <> (redacted_at IS NOT NULL)`,
  },
  {
    name: "No job is found by the words of another one whose texts were removed.",
    checked: "SELECT count(*) FROM generation_search WHERE terms @@ $$'source:':*$$",
    violations: `
      SELECT search.generation_id AS generation, source.id AS source
        FROM generation_search AS search, unnest(terms) AS term
        LEFT JOIN generation AS source
          ON source.id = CASE WHEN lexeme LIKE 'source:%' THEN substr(lexeme, 8)::uuid END
       WHERE terms @@ $$'source:':*$$ AND lexeme LIKE 'source:%'
         AND (source.id IS NULL OR redacted_at IS NOT NULL)`,
  },
  {
    name: "Each idempotency key has one generation, of the same account.",
    checked: "SELECT count(*) FROM idempotency_key",
    violations: `
      SELECT key.account_id AS account, min(key.key) AS key, generation_id AS generation, count(*) AS keys
        FROM idempotency_key AS key LEFT JOIN generation ON generation.id = generation_id
       GROUP BY key.account_id, generation_id, generation.account_id
      HAVING count(*) > 1 OR generation.account_id IS DISTINCT FROM key.account_id`,
  },
  {
    name: "No generation is past its deadline without being final (recovery has five seconds).",
    checked: "SELECT count(*) FROM generation WHERE completed_at IS NULL",
    violations: `
      SELECT id AS generation, status, deadline_at FROM generation
       WHERE completed_at IS NULL AND deadline_at < now() - interval '5 seconds'`,
  },
  {
    name: "A generation's operation matches its kind and the task of its renders.",
    checked: "SELECT count(*) FROM generation",
    violations: `
      SELECT generation.id AS generation, kind, operation, spec->'task'->>'kind' AS task
        FROM generation LEFT JOIN render ON generation_id = generation.id AND position = 0
       WHERE kind::text <> ${matchOperation(operations, ({ kind }) => kind)}
          OR coalesce(spec->'task'->>'kind', '') <> ${matchOperation(operations, ({ task }) => task ?? "")}`,
  },
  {
    name: "An upload is recorded as a whole, under the key of its id.",
    checked: "SELECT count(*) FROM upload",
    violations: `
      SELECT id AS upload, storage_key, format FROM upload
       WHERE num_nonnulls(storage_key, format, sha256, width, height) NOT IN (0, 5)
          OR storage_key <> 'uploads/' || id || '/image.' || format`,
  },
  {
    name: "A render has a PNG and one image of each chosen format exactly when it is done.",
    checked: "SELECT count(*) FROM render",
    violations: `
      SELECT render.id AS render, status, formats
        FROM render LEFT JOIN (
          SELECT render_id, array_agg(format ORDER BY format) FILTER (WHERE format NOT IN ('thumbnail', 'svg')) AS formats
            FROM image GROUP BY render_id) AS stored ON render_id = render.id
       WHERE coalesce(formats, '{}')
          <> CASE WHEN status <> 'done' THEN '{}'
                  WHEN spec ? 'output' THEN ARRAY(
                    SELECT 'png' UNION ALL SELECT jsonb_array_elements_text(spec->'output'->'formats'))
                  ELSE '{png,jpeg,webp}' END::image_format[]`,
  },
  {
    name: "Only finished graphics, diagrams and traced images have an SVG, and every finished diagram and traced image has one.",
    checked: "SELECT count(*) FROM render",
    violations: `
      SELECT render.id AS render, status, spec->'task'->>'kind' AS task
        FROM render LEFT JOIN image ON render_id = render.id AND format = 'svg'
       WHERE CASE WHEN storage_key IS NULL
                  THEN status = 'done' AND spec->'task'->>'kind' IN ('diagram', 'vectorize')
                  ELSE status <> 'done' OR coalesce(spec->'task'->>'kind', '') NOT IN ('graphic', 'diagram', 'vectorize')
             END`,
  },
  {
    name: "Ledger entries never change: the triggers that prevent it exist and are enabled.",
    checked: "SELECT 4",
    violations: `
      SELECT name AS missing_trigger
        FROM unnest(ARRAY['ledger_entry', 'ledger_transfer', 'hold', 'refund']) AS guarded,
             LATERAL (SELECT guarded || '_unchangeable' AS name) AS named
       WHERE NOT EXISTS (SELECT 1 FROM pg_trigger
                          WHERE tgrelid = guarded::regclass AND tgname = name AND tgenabled = 'O')`,
  },
  {
    name: "A provider is called again for a render only after its previous call is recorded as ended without an image.",
    checked: "SELECT count(*) FROM provider_call",
    violations: `
      SELECT render_id AS render, array_agg(outcome ORDER BY attempt) AS outcomes
        FROM provider_call GROUP BY render_id
      HAVING count(*) FILTER (WHERE outcome IS NULL OR outcome::text IN ('image', 'timed_out')) > 1`,
  },
  {
    name: "The cost of a provider call is an amount in a currency, or unknown and no amount.",
    checked: "SELECT count(*) FROM provider_call WHERE cost_basis IS NOT NULL",
    violations: `
      SELECT id AS call, cost_basis, cost_micro, cost_currency, cost_micro_eur
        FROM provider_call
       WHERE (cost_basis IS NOT NULL AND cost_basis <> 'unknown') <> (cost_micro IS NOT NULL)
          OR (cost_micro IS NULL) <> (cost_currency IS NULL)
          OR (cost_micro IS NULL AND cost_micro_eur IS NOT NULL)
          OR cost_micro < 0 OR cost_micro_eur < 0`,
  },
  {
    name: "A finished render has a provider call with the outcome image, to the model named in its manifest.",
    checked: "SELECT count(*) FROM render WHERE status = 'done'",
    violations: `
      SELECT render.id AS render, render.model, called.models AS models_that_answered
        FROM render LEFT JOIN (
          SELECT render_id, array_agg(model ORDER BY attempt) AS models
            FROM provider_call WHERE outcome = 'image' GROUP BY render_id) AS called
          ON render_id = render.id
       WHERE status = 'done' AND NOT coalesce(render.model = ANY (models), false)`,
  },
  {
    name: "A generation's status matches its renders: completed when all are done, final when all have ended.",
    checked: "SELECT count(*) FROM generation",
    violations: `
      SELECT generation.id AS generation, generation.status, statuses
        FROM generation LEFT JOIN (
          SELECT generation_id, array_agg(DISTINCT status) AS statuses
            FROM render GROUP BY generation_id) AS renders ON generation_id = generation.id
       WHERE CASE
         WHEN generation.status = 'completed' THEN statuses IS DISTINCT FROM '{done}'
         WHEN generation.status IN ('failed', 'cancelled') THEN statuses && '{waiting,ready,running}'
         ELSE NOT statuses && '{waiting,ready,running}' END`,
  },
  {
    name: "Every provider call of an ended render has an outcome.",
    checked: "SELECT count(*) FROM render WHERE status IN ('done', 'failed', 'cancelled')",
    violations: `
      SELECT render.id AS render, status FROM render JOIN provider_call ON render_id = render.id
       WHERE status IN ('done', 'failed', 'cancelled') AND outcome IS NULL`,
  },
  {
    name: "A redacted generation is final, and its request and prompts are removed.",
    checked: "SELECT count(*) FROM generation WHERE redacted_at IS NOT NULL",
    violations: `
      SELECT generation.id AS generation, status FROM generation
       WHERE redacted_at IS NOT NULL
         AND (completed_at IS NULL OR request <> '{}' OR metadata <> '{}' OR title IS NOT NULL OR answer_hash IS NOT NULL
              OR EXISTS (SELECT FROM render WHERE generation_id = generation.id AND spec ? 'prompt'))`,
  },
  {
    name: "Every upload that an unfinished job uses is there.",
    checked: "SELECT count(*) FROM upload",
    violations: `
      SELECT render.id AS render, source->>'key' AS key
        FROM render, jsonb_array_elements(spec->'references') AS reference,
             LATERAL (SELECT reference->'source') AS sources (source)
       WHERE finished_at IS NULL AND source->>'key' LIKE 'uploads/%'
         AND NOT EXISTS (SELECT FROM upload WHERE storage_key = source->>'key')`,
  },
  {
    name: "An erased account has no unfinished job, valid key, upload, batch, event, text, dossier, name or older archived job.",
    repair: "npm run atelier -- accounts erase <account-id> --yes",
    checked: "SELECT count(*) FROM account WHERE erased_at IS NOT NULL",
    violations: `
      SELECT id AS account, unfinished_jobs FROM account
       WHERE erased_at IS NOT NULL
         AND (unfinished_jobs > 0 OR suspended_at IS NULL OR name <> 'erased'
              OR EXISTS (SELECT FROM upload WHERE account_id = account.id AND deleted_at IS NULL)
              ${[...ownedTables, "event", "batch"]
                .map((table) => `OR EXISTS (SELECT FROM ${table} WHERE account_id = account.id)`)
                .join(" ")}
              -- Later parts have its jobs without texts.
              OR EXISTS (SELECT FROM archive_part WHERE account.id = ANY (account_ids)
                            AND created_at < erased_at + interval '1 day')
              OR erased_at < now() - interval '1 day'
                 AND (EXISTS (SELECT FROM generation WHERE account_id = account.id AND redacted_at IS NULL)
                      -- A sweep may have removed the texts since.
                      OR EXISTS (SELECT FROM generation JOIN render ON generation_id = generation.id
                                   JOIN mark ON render_id = render.id
                                  WHERE account_id = account.id AND dossier_attempt IS NOT NULL))
              OR EXISTS (SELECT FROM api_key WHERE account_id = account.id AND revoked_at IS NULL))`,
  },
  {
    name: "A batch counts each line once, as its job or refusal, and has the requests of all lines that may follow.",
    checked: "SELECT count(*) FROM batch",
    violations: `
      SELECT batch.id AS batch, lines_total, lines_taken, lines_refused, refusals, jobs_completed, jobs_failed,
             jobs_cancelled, charged_micro_eur AS charged, jobs.*
        FROM batch LEFT JOIN (
          SELECT batch_id, count(*) AS jobs, sum(charged_micro_eur) AS charged_for_jobs,
                 count(*) FILTER (WHERE status = 'completed') AS completed,
                 count(*) FILTER (WHERE status = 'failed') AS failed,
                 count(*) FILTER (WHERE status = 'cancelled') AS cancelled
            FROM generation WHERE batch_id IS NOT NULL GROUP BY batch_id) AS jobs ON jobs.batch_id = batch.id
        LEFT JOIN (
          SELECT batch_id, count(*) AS refusals FROM batch_refusal GROUP BY batch_id) AS refused
          ON refused.batch_id = batch.id
       WHERE lines_refused <> coalesce(refusals, 0) OR lines_taken < coalesce(jobs, 0) + lines_refused
          OR completed_at IS NOT NULL AND jobs_completed + jobs_failed + jobs_cancelled + lines_refused <> lines_taken
          -- Jobs of ended batches may be archived.
          OR (completed_at IS NULL OR batch.id > coalesce((SELECT max(last_id::text) FROM archive_part)::uuid,
                                                          '00000000-0000-0000-0000-000000000000'))
             AND (lines_taken <> coalesce(jobs, 0) + lines_refused
                  OR jobs_completed <> coalesce(completed, 0) OR jobs_failed <> coalesce(failed, 0)
                  OR jobs_cancelled <> coalesce(cancelled, 0) OR charged_micro_eur <> coalesce(charged_for_jobs, 0))
          OR status = 'processing' AND error IS NULL AND lines_taken < lines_total AND NOT EXISTS (
             SELECT FROM request_part
              WHERE owner_id = batch.id AND lines_taken + 1 BETWEEN first_line AND last_line)`,
  },
  {
    name: "A generation has one final event, of its state, exactly when it is final.",
    checked: `SELECT count(*) FROM generation WHERE ${hasEvents}`,
    violations: `
      SELECT generation.id AS generation, status, finals
        FROM generation LEFT JOIN (
          SELECT generation_id, array_agg(type::text) AS finals FROM event
           WHERE type IN ('job.completed', 'job.failed', 'job.cancelled')
           GROUP BY generation_id) AS events ON generation_id = generation.id
       WHERE ${hasEvents}
         AND coalesce(finals, '{}') <> CASE WHEN status IN ('pending', 'processing') THEN '{}'
                                            ELSE ARRAY['job.' || status] END`,
  },
  {
    name: "An event belongs to a generation of the same account, or to none.",
    checked: "SELECT count(*) FROM event",
    violations: `
      SELECT event.id AS event, type, generation_id AS generation
        FROM event LEFT JOIN generation ON generation.id = generation_id
       WHERE generation_id IS NOT NULL AND generation.account_id IS DISTINCT FROM event.account_id`,
  },
  {
    name: "A delivery is of an event of the webhook's account that the webhook receives.",
    checked: "SELECT count(*) FROM webhook_delivery",
    violations: `
      SELECT delivery.id AS delivery, delivery.type, event_id AS event, event.type AS type_of_event
        FROM webhook_delivery AS delivery LEFT JOIN event ON event.id = event_id
        LEFT JOIN webhook ON webhook.id = webhook_id
       WHERE delivery.type <> 'webhook.test' AND delivery.created_at > now() - interval '23 hours'
         AND (event.id IS NULL OR event.type::text <> delivery.type
              OR event.generation_id IS DISTINCT FROM delivery.generation_id
              OR event.account_id <> webhook.account_id
              OR webhook.requested_at IS NOT NULL AND NOT EXISTS (
                SELECT FROM generation_webhook AS requested
                 WHERE requested.generation_id = delivery.generation_id
                   AND requested.webhook_id = webhook.id AND delivery.type = ANY (requested.events))
              AND NOT EXISTS (
                SELECT FROM batch
                 WHERE batch.id = CASE WHEN delivery.type = 'batch.completed'
                                       THEN (delivery.data->>'id')::uuid END
                   AND batch.webhook_id = webhook.id))`,
  },
  {
    name: "A webhook receives events of jobs and batches of the mode of its key.",
    checked: "SELECT count(*) FROM webhook_delivery",
    violations: `
      SELECT delivery.id AS delivery, delivery.type, webhook_id AS webhook
        FROM webhook_delivery AS delivery JOIN webhook ON webhook.id = webhook_id
        LEFT JOIN api_key AS maker ON maker.id = webhook.key_id
        LEFT JOIN generation ON generation.id = delivery.generation_id
       WHERE coalesce(maker.mode, 'live')::text
             <> CASE WHEN delivery.type = 'batch.completed' THEN delivery.data->>'mode' ELSE generation.mode::text END`,
  },
  {
    name: "A ready image was dispatched, or waits for a place of its account's batches.",
    checked: "SELECT count(*) FROM render WHERE finished_at IS NULL AND status = 'ready'",
    violations: `
      SELECT render.id AS render, render.status, dispatched_at, place_account_id, batch_id
        FROM render JOIN generation ON generation.id = generation_id
       WHERE (finished_at IS NULL AND render.status = 'ready' AND dispatched_at IS NULL AND place_account_id IS NULL)
          OR (place_account_id IS NOT NULL AND (batch_id IS NULL OR place_account_id <> account_id))`,
  },
  {
    name: "A batch has the mode of its key.",
    checked: "SELECT count(*) FROM batch WHERE mode IS NOT NULL",
    violations: `
      SELECT batch.id AS batch, batch.mode, api_key.mode AS key_mode
        FROM batch JOIN api_key ON api_key.id = batch.key_id WHERE batch.mode <> api_key.mode`,
  },
  {
    name: "The receiver of a webhook_url is of the account and key of its job or batch.",
    checked: `SELECT (SELECT count(*) FROM generation_webhook)
                   + (SELECT count(*) FROM batch WHERE webhook_id IS NOT NULL) AS count`,
    violations: `
      SELECT requester.id AS job_or_batch, webhook.id AS receiver
        FROM (
          SELECT id, account_id, key_id, webhook_id
            FROM generation JOIN generation_webhook ON generation_id = generation.id
          UNION ALL
          SELECT id, account_id, key_id, webhook_id FROM batch
        ) AS requester JOIN webhook ON webhook.id = webhook_id
       WHERE webhook.account_id <> requester.account_id
          OR webhook.key_id IS DISTINCT FROM requester.key_id OR requested_at IS NULL`,
  },
  {
    name: "A webhook that has been disabled for five minutes has no pending delivery.",
    checked: "SELECT count(*) FROM webhook WHERE disabled_at IS NOT NULL",
    violations: `
      SELECT webhook.id AS webhook, disabled_at, count(*) AS pending
        FROM webhook JOIN webhook_delivery ON webhook_id = webhook.id
       WHERE disabled_at < now() - interval '5 minutes' AND status = 'pending'
       GROUP BY webhook.id, disabled_at`,
  },
  {
    name: "A place at a server ends with the deadline of its generation (the sweep has an hour).",
    checked: "SELECT count(*) FROM engine_place",
    violations: `
      SELECT render_id AS render, url, placed_at, expires_at FROM engine_place
       WHERE expires_at < now() - interval '1 hour'`,
  },
  {
    name: "A generation whose cancellation was requested ends with its image in progress (recovery has a minute).",
    checked: "SELECT count(*) FROM generation WHERE cancel_requested_at IS NOT NULL",
    violations: `
      SELECT generation.id AS generation, cancel_requested_at
        FROM generation JOIN render ON generation_id = generation.id
       WHERE cancel_requested_at < now() - interval '1 minute' AND completed_at IS NULL
       GROUP BY generation.id, cancel_requested_at
      HAVING NOT bool_or(render.status = 'running')
         AND max(greatest(dispatched_at, finished_at)) < now() - interval '1 minute'`,
  },
  {
    name: "The kept bytes of an account equal the sum of its kept items, and those of an item that of its files.",
    checked: "SELECT count(*) FROM kept_item",
    violations: `
      SELECT account.id AS account, NULL AS item, kept_bytes AS counted, bytes AS summed
        FROM account LEFT JOIN (
          SELECT account_id, sum(size_bytes) AS bytes FROM kept_item GROUP BY account_id) AS items
          ON account_id = account.id
       WHERE kept_bytes <> coalesce(bytes, 0)
      UNION ALL
      SELECT item.account_id, item.id, size_bytes, bytes
        FROM kept_item AS item LEFT JOIN (
          SELECT item_id, sum(size_bytes) AS bytes FROM kept_file
           WHERE deleted_at IS NULL GROUP BY item_id) AS files ON item_id = item.id
       WHERE size_bytes <> coalesce(bytes, 0)`,
  },
  {
    name: "A kept item belongs to a job, character or location of its account, and is kept once its files are copied.",
    checked: "SELECT count(*) FROM kept_item",
    violations: `
      SELECT item.id AS item, item.status
        FROM kept_item AS item LEFT JOIN generation
          ON generation.id = item.id AND generation.account_id = item.account_id
        LEFT JOIN cast_member AS member
          ON member.id = item.id AND member.account_id = item.account_id AND member.kind = item.kind
        LEFT JOIN (
          SELECT item_id, bool_or(source_key IS NOT NULL) AS copies FROM kept_file
           WHERE deleted_at IS NULL GROUP BY item_id) AS files ON item_id = item.id
       WHERE CASE item.kind WHEN 'job' THEN generation.id ELSE member.id END IS NULL
          OR copies IS DISTINCT FROM CASE item.status WHEN 'copying' THEN true WHEN 'kept' THEN false END`,
  },
  {
    name: "A character or location that is kept has a file for each of its looks, a lost normal one excepted, and no other.",
    checked: "SELECT count(*) FROM cast_member",
    violations: `
      SELECT member.id AS member, looks, files.keys AS files
        FROM cast_member AS member
        LEFT JOIN kept_item AS item ON item.id = member.id
        LEFT JOIN (
          SELECT item_id, jsonb_agg(storage_key ORDER BY storage_key) AS keys FROM kept_file
           WHERE deleted_at IS NULL GROUP BY item_id) AS files ON item_id = member.id
       WHERE item.id IS NULL
          OR item.status NOT IN ('requested', 'refused') AND files.keys IS DISTINCT FROM (
               SELECT jsonb_agg(look->>'storageKey' ORDER BY look->>'storageKey')
                        FILTER (WHERE look->>'state' IS NOT NULL OR look->>'storageKey' IS NOT NULL)
                 FROM jsonb_array_elements(looks) AS look)`,
  },
  {
    name: "A note belongs to a job of its account, has a title, a star or a book, and no text of a redacted job.",
    checked: "SELECT count(*) FROM job_note",
    violations: `
      SELECT note.account_id AS account, note.generation_id AS generation
        FROM job_note AS note LEFT JOIN generation
          ON generation.id = note.generation_id AND generation.account_id = note.account_id
       WHERE generation.id IS NULL
          OR note.title IS NULL AND NOT note.starred AND note.book IS NULL
          OR redacted_at IS NOT NULL AND (note.title IS NOT NULL OR note.book IS NOT NULL)`,
  },
  {
    name: "The result of a completed job equals its rows; a job that is noted, kept or redacted, or lost images, has none.",
    repair: "npm run atelier -- audit --repair",
    checked: "SELECT count(*) FROM generation WHERE result IS NOT NULL",
    violations: `
      WITH shown AS (
        SELECT generation_id, render.id, position, role, render.model, spec, mark.render_id AS registered,
               watermark_id, bool_and(deleted_at IS NULL) AS has_files,
               jsonb_agg(jsonb_build_array(format, storage_key, sha256, size_bytes, width, height, flattened)
                         ORDER BY format) AS files
          FROM generation JOIN render ON generation_id = generation.id
          LEFT JOIN image ON image.render_id = render.id LEFT JOIN mark ON mark.render_id = render.id
         WHERE result IS NOT NULL GROUP BY render.id, mark.render_id
      ), job AS (
        SELECT generation_id, bool_and(has_files AND coalesce(
                 spec->>'name', spec->>'state', spec->>'title', spec->>'engineCommands', spec->>'reading') IS NULL) AS may_have,
               jsonb_agg(jsonb_build_object(
                 'role', role, 'model', model, 'task', spec->'task'->'kind', 'seed', spec->'seed',
                 'scaledFrom', spec->'scaledFrom', 'files', files, 'isWatermarked',
                 CASE WHEN registered IS NOT NULL THEN watermark_id IS NOT NULL END) ORDER BY position) AS rows
          FROM shown GROUP BY generation_id
      )
      SELECT generation.id AS generation, generation.status, marks, redacted_at, result = rows AS equals_rows
        FROM generation LEFT JOIN job ON job.generation_id = generation.id
        LEFT JOIN job_note AS note ON note.account_id = generation.account_id AND note.generation_id = generation.id
        LEFT JOIN kept_item AS item ON item.id = generation.id
       WHERE result IS NOT NULL AND (redacted_at IS NOT NULL OR marks = 0 AND (
             generation.status <> 'completed' OR generation.kind <> 'image' OR may_have IS NOT TRUE OR result <> rows
             OR note.generation_id IS NOT NULL OR item.id IS NOT NULL))`,
  },
  {
    name: "A collection has jobs of its account and its mode, as many as it counts.",
    checked: "SELECT count(*) FROM collection",
    violations: `
      SELECT coalesce(collection.id, collection_id) AS collection, job_count AS counted, count(generation.id) AS jobs
        FROM collection FULL JOIN collection_job AS item ON collection_id = collection.id
        LEFT JOIN generation ON generation.id = item.generation_id
         AND generation.account_id = collection.account_id AND generation.mode = collection.mode
       GROUP BY collection.id, collection_id, job_count
      HAVING collection.id IS NULL OR job_count <> count(generation.id) OR job_count <> count(collection_id)`,
  },
  {
    name: "A share is of a job and a key of its account and its mode.",
    checked: "SELECT count(*) FROM share",
    violations: `
      SELECT share.id AS share, share.account_id AS account, generation_id AS generation, share.key_id AS key
        FROM share LEFT JOIN generation
          ON generation.id = generation_id AND generation.account_id = share.account_id
         AND generation.mode = share.mode
        LEFT JOIN api_key ON api_key.id = share.key_id AND api_key.account_id = share.account_id
         AND api_key.mode = share.mode
       WHERE generation.id IS NULL OR api_key.id IS NULL`,
  },
  {
    name: "A dossier whose deletion is repeated is not registered.",
    checked: "SELECT count(*) FROM undeleted_dossier",
    violations: `
      SELECT mark.render_id AS render, attempt
        FROM undeleted_dossier JOIN mark
          ON mark.render_id = undeleted_dossier.render_id AND dossier_attempt = attempt`,
  },
  {
    name: "A hold or transfer without its job is of an archived one, and resolved.",
    checked: "SELECT count(*) FROM ledger_transfer WHERE generation_id IS NOT NULL",
    violations: `
      WITH without_job AS MATERIALIZED (
        SELECT hold.id, hold.generation_id, resolution.id AS resolution
          FROM hold LEFT JOIN generation ON generation.id = hold.generation_id
          LEFT JOIN ledger_transfer AS resolution ON resolves_hold_id = hold.id
         WHERE generation.id IS NULL
      )
      SELECT generation_id AS generation, resolution, NULL::numeric AS without_job, NULL::numeric AS archived
        FROM without_job
       WHERE resolution IS NULL OR NOT EXISTS (
               SELECT FROM archive_part WHERE generation_id BETWEEN first_id AND last_id)
      UNION ALL
      SELECT transfer.generation_id, transfer.id, NULL, NULL
        FROM ledger_transfer AS transfer LEFT JOIN hold ON hold.generation_id = transfer.generation_id
       WHERE transfer.generation_id IS NOT NULL AND hold.id IS NULL
      UNION ALL
      SELECT NULL, NULL, found.jobs, archived.jobs
        FROM (SELECT count(*)::numeric AS jobs FROM without_job) AS found,
             (SELECT coalesce(sum(jobs_deleted), 0)::numeric AS jobs FROM archive_part) AS archived,
             (SELECT coalesce(sum(jobs), 0)::numeric AS jobs FROM archived_usage) AS summed
       WHERE found.jobs <> archived.jobs OR found.jobs <> summed.jobs`,
  },
  {
    name: "A part of the archive is complete within a day: it has its file, and all of its jobs are removed from the tables.",
    repair: "npm run atelier -- archive --before <month>",
    checked: "SELECT count(*) FROM archive_part",
    violations: `
      SELECT id AS part, month, jobs, jobs_deleted, storage_key, pending_key FROM archive_part
       WHERE created_at < now() - interval '1 day' AND (completed_at IS NULL OR pending_key IS NOT NULL)
          OR completed_at IS NOT NULL AND (jobs_deleted <> jobs OR storage_key IS NULL)
          OR jobs_deleted > jobs`,
  },
  {
    name: "An account's counters equal its unfinished generations and their renders.",
    checked: "SELECT count(*) FROM account",
    violations: `
      SELECT account.id AS account, unfinished_jobs, unfinished_renders, jobs, renders
        FROM account LEFT JOIN (
          SELECT account_id, count(*) AS jobs, sum(renders_total) AS renders FROM generation
           WHERE completed_at IS NULL GROUP BY account_id) AS counted
          ON account_id = account.id
       WHERE unfinished_jobs <> coalesce(jobs, 0) OR unfinished_renders <> coalesce(renders, 0)`,
  },
];
