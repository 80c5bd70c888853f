import { statement, type Sql } from "@atelier/database";
import { formatEur } from "@atelier/schemas";
import { idAt } from "../jobs/id-at.ts";
import { clockSkewMs } from "../jobs/list.ts";

/** How an event of a job is shown. */
type Tone = "good" | "bad" | "plain";

/** An event in the life of a job. */
export interface JobEvent {
  readonly at: Date;
  /** The table that has it. */
  readonly source: "job" | "image" | "moderation" | "call" | "ledger" | "event" | "delivery";
  readonly event: string;
  /** Position of the image, from 0; null for the whole job. */
  readonly image: number | null;
  /** Facts about it, such as the model or the outcome, without those that are unknown. */
  readonly details: Readonly<Record<string, string | number>>;
  readonly tone: Tone;
}

/** An event as the statement returns it. */
interface Row {
  readonly at: Date;
  readonly source: JobEvent["source"];
  readonly event: string;
  readonly image: number | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Returns the life of a job of any account in the order of time, from its rows, the calls to providers, the ledger,
 * and the deliveries of its events, which are kept for ten days; null for a job that does not exist or is archived.
 * It reads by the id of the job, and the deliveries that the webhooks of the account got while it lasted.
 */
export async function explainJob(sql: Sql, jobId: string): Promise<readonly JobEvent[] | null> {
  const [job] = await sql.query<{ accountId: string; createdAt: Date; endedAt: Date | null }>(
    `SELECT account_id AS "accountId", created_at AS "createdAt", completed_at AS "endedAt"
       FROM generation WHERE id = $1`,
    [jobId],
  );
  if (job === undefined) return null;
  const endedAt = job.endedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const rows = await sql.query<Row>(
    ...readEvents.bind({
      jobId,
      accountId: job.accountId,
      firstDelivery: idAt(job.createdAt.getTime() - clockSkewMs),
      lastDelivery: idAt(endedAt + clockSkewMs),
    }),
  );
  return rows.map(present);
}

function present({ details, ...row }: Row): JobEvent {
  const known = Object.entries(details).flatMap(([name, value]) => describe(name, value));
  return { ...row, details: Object.fromEntries(known), tone: toneOf(row.event) };
}

/** Amounts in micro-EUR become EUR; what is unknown is left out. */
function describe(name: string, value: unknown): [string, string | number][] {
  if (value === null || value === undefined || value === "") return [];
  if (name.endsWith("_micro_eur")) {
    return [[name.replace(/_micro_eur$/, "_eur"), formatEur(BigInt(value as number))]];
  }
  if (typeof value === "number") return [[name, value]];
  return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
}

const good = new Set(["completed", "finished", "call image", "delivered", "stored", "settle"]);
const neutralEnds = new Set(["cancelled", "release"]);

function toneOf(event: string): Tone {
  if (good.has(event)) return "good";
  if (neutralEnds.has(event)) return "plain";
  return /failed|refused|^call (?!started)/.test(event) ? "bad" : "plain";
}

/** One row for each event; the order of the parts decides between events of the same time. */
const readEvents = statement(
  ["jobId", "accountId", "firstDelivery", "lastDelivery"],
  `WITH job AS MATERIALIZED (
     SELECT * FROM generation WHERE id = :jobId::uuid
   ), made AS MATERIALIZED (
     SELECT render.* FROM render WHERE generation_id = :jobId
   ), found AS (
     SELECT created_at AS at, 1 AS step, 'job' AS source, 'accepted' AS event, NULL::int AS image,
            json_build_object('account', account_id, 'key', key_id, 'mode', mode, 'operation', operation,
              'model', model, 'price_micro_eur', price_micro_eur, 'images', renders_total,
              'batch', batch_id, 'line', batch_line, 'deadline', deadline_at,
              'trace', split_part(trace_parent, '-', 2)) AS details FROM job
     UNION ALL
     SELECT started_at, 3, 'job', 'started', NULL, '{}' FROM job WHERE started_at IS NOT NULL
     UNION ALL
     SELECT cancel_requested_at, 5, 'job', 'cancellation requested', NULL, '{}' FROM job
      WHERE cancel_requested_at IS NOT NULL
     UNION ALL
     SELECT completed_at, 9, 'job', status::text, NULL,
            json_build_object('charged_micro_eur', charged_micro_eur, 'balance_after_micro_eur', balance_after_micro_eur,
              'error', error->>'error', 'message', error->>'message') FROM job WHERE completed_at IS NOT NULL
     UNION ALL
     SELECT redacted_at, 9, 'job', 'texts removed', NULL, '{}' FROM job WHERE redacted_at IS NOT NULL
     UNION ALL
     SELECT dispatched_at, 2, 'image', 'queued', position,
            json_build_object('role', role, 'lane', lane) FROM made WHERE dispatched_at IS NOT NULL
     UNION ALL
     SELECT claimed_at, 3, 'image', 'claimed', position,
            json_build_object('attempt', attempt, 'tries', tries) FROM made WHERE claimed_at IS NOT NULL
     UNION ALL
     SELECT finished_at, 7, 'image', CASE status WHEN 'done' THEN 'finished' ELSE status::text END, position,
            json_build_object('model', model, 'attempts', attempt,
              'error', CASE WHEN status <> 'done' THEN coalesce(last_error->>'error', last_error->>'message') END)
       FROM made WHERE finished_at IS NOT NULL
     UNION ALL
     SELECT min(stored.created_at), 6, 'image', 'stored', position,
            json_build_object('files', string_agg(format::text, ', ' ORDER BY format))
       FROM made JOIN image AS stored ON render_id = made.id GROUP BY position
     UNION ALL
     SELECT deleted_at, 9, 'image', 'files deleted', position,
            json_build_object('files', string_agg(format::text, ', ' ORDER BY format))
       FROM made JOIN image AS stored ON render_id = made.id
      WHERE deleted_at IS NOT NULL GROUP BY deleted_at, position
     UNION ALL
     SELECT decision.created_at, 4, 'moderation', CASE WHEN allowed THEN 'allowed' ELSE 'refused' END, position,
            json_build_object('moderator', moderator, 'category', category, 'path', path, 'certainty', certainty)
       FROM moderation_decision AS decision LEFT JOIN made ON made.id = render_id
      WHERE decision.generation_id = :jobId
     UNION ALL
     SELECT call.started_at, 5, 'call', 'call started', position,
            json_build_object('provider', provider, 'model', call.model, 'server', server, 'attempt', call.attempt)
       FROM made JOIN provider_call AS call ON render_id = made.id
     UNION ALL
     SELECT call.finished_at, 6, 'call', 'call ' || coalesce(outcome::text, 'ended'), position,
            json_build_object('provider', provider, 'provider_request', request_id, 'attempt', call.attempt,
              'seconds', round(extract(epoch FROM call.finished_at - call.started_at)::numeric, 1),
              'cost_micro_eur', cost_micro_eur)
       FROM made JOIN provider_call AS call ON render_id = made.id WHERE call.finished_at IS NOT NULL
     UNION ALL
     SELECT created_at, CASE kind WHEN 'hold' THEN 1 ELSE 8 END, 'ledger', kind::text, NULL,
            json_build_object('transfer', id,
              'available_micro_eur', (SELECT sum(amount_micro_eur)::bigint FROM ledger_entry
                 WHERE transfer_id = ledger_transfer.id AND book = 'available'),
              'charged_micro_eur', (SELECT sum(amount_micro_eur)::bigint FROM ledger_entry
                 WHERE transfer_id = ledger_transfer.id AND book = 'revenue'))
       FROM ledger_transfer WHERE generation_id = :jobId
     UNION ALL
     SELECT refund.created_at, 9, 'ledger', 'refund', NULL,
            json_build_object('transfer', transfer_id, 'available_micro_eur', amount_micro_eur, 'reference', reference)
       FROM refund JOIN ledger_transfer ON ledger_transfer.id = transfer_id WHERE refund.generation_id = :jobId
     UNION ALL
     SELECT created_at, 10, 'event', type::text, NULL, json_build_object('event', id)
       FROM event WHERE generation_id = :jobId
     UNION ALL
     SELECT coalesce((logged.entry->>'at')::timestamptz, delivery.created_at), 11, 'delivery',
            CASE WHEN logged.entry IS NULL THEN 'delivery ' || delivery.status::text
                 WHEN logged.entry->>'error' IS NULL THEN 'delivered' ELSE 'delivery failed' END, NULL,
            json_build_object('type', delivery.type, 'webhook', delivery.webhook_id, 'delivery', delivery.id,
              'status', logged.entry->'response_status', 'error', logged.entry->>'error')
       FROM webhook, LATERAL (
              SELECT * FROM webhook_delivery
               WHERE webhook_id = webhook.id AND id BETWEEN :firstDelivery AND :lastDelivery
                 AND generation_id = :jobId ORDER BY webhook_id, id DESC
            ) AS delivery LEFT JOIN LATERAL jsonb_array_elements(attempt_log) AS logged (entry) ON true
      WHERE webhook.account_id = :accountId
   )
   SELECT at, source, event, image, details FROM found ORDER BY at, step, image NULLS FIRST, (details->>'event')::bigint, event`,
);
