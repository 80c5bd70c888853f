import { suspensionOf } from "@atelier/audit";
import { statement, type Sql } from "@atelier/database";
import type { Strictness } from "@atelier/schemas";
import { idAt, lastId } from "../jobs/id-at.ts";
import { clockSkewMs } from "../jobs/list.ts";

/** An account with what it did lately, for operators. Amounts are in micro-EUR. */
export interface AccountOverview {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly strictness: Strictness;
  readonly retentionHours: number | null;
  readonly balanceMicroEur: bigint;
  readonly heldMicroEur: bigint;
  readonly unfinishedJobs: number;
  readonly suspendedAt: Date | null;
  /** Who requested its suspension, and why; null for an active account, and without a line in the operator log. */
  readonly suspension: { readonly actor: string; readonly reason: string | null } | null;
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
  /** When one of its keys was used last. */
  readonly lastUsedAt: Date | null;
  /** Live jobs that were accepted since a time, and failed. */
  readonly failedJobs: number;
  /** Charged and refunded since then. */
  readonly chargedMicroEur: bigint;
  readonly refundedMicroEur: bigint;
  /** Whether the last three are of all jobs, and not of the newest that were read. */
  readonly isComplete: boolean;
}

/**
 * Finds accounts, the newest first. A text is an id, an external id, or the beginnings of words of the name.
 *
 * @param query.before the last account of the page before; null for the first page.
 * @returns their ids.
 */
export async function findAccounts(
  sql: Sql,
  { text, before, limit }: { text: string | null; before: string | null; limit: number },
): Promise<string[]> {
  const page = { before: before ?? lastId, limit };
  const words = (text ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found =
    text === null
      ? await sql.query<{ id: string }>(...allAccounts.bind(page))
      : await sql.query<{ id: string }>(
          ...matchingAccounts.bind({
            ...page,
            text,
            // A text without letters and digits has no word to look for.
            terms: words.map((word) => `'${word}':*`).join(" & "),
          }),
        );
  return found.map(({ id }) => id);
}

const allAccounts = statement(
  ["before", "limit"],
  "SELECT id FROM account WHERE id < :before ORDER BY id DESC LIMIT :limit",
);

/**
 * The beginnings of the words that Postgres sees in the text, as in a name: some are longer than words of letters and
 * digits, such as hosts and numbers.
 */
const parsedText = String.raw`regexp_replace(plainto_tsquery('simple', :text)::text, '''( |$)', ''':*\1', 'g')::tsquery`;

const matchingAccounts = statement(
  ["before", "limit", "text", "terms"],
  `SELECT id FROM (
     SELECT id FROM account
      WHERE id = CASE WHEN :text::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN :text::text::uuid END
     UNION
     SELECT id FROM account WHERE external_id = :text
     UNION
     SELECT id FROM account WHERE to_tsvector('simple', name) @@ (:terms::tsquery || ${parsedText})
   ) AS found
   WHERE id < :before ORDER BY id DESC LIMIT :limit`,
);

/**
 * Reads accounts in the order of their ids, the newest first, with what they did since a time.
 *
 * @param options.maxJobs for each account, the most charges, failed jobs and refunds that are read.
 */
export function readAccounts(
  sql: Sql,
  ids: readonly string[],
  { since, maxJobs }: { readonly since: Date; readonly maxJobs: number },
): Promise<AccountOverview[]> {
  return sql.query<AccountOverview>(
    ...accountRows.bind({
      ids,
      since: since.toISOString(),
      first: idAt(since.getTime() - clockSkewMs),
      most: maxJobs,
    }),
  );
}

/** Amounts are read one by one by the primary key of the ledger: a join could read all of it. */
const accountRows = statement(
  ["ids", "since", "first", "most"],
  `SELECT account.id, name, external_id AS "externalId", strictness, retention_hours AS "retentionHours",
          balance_micro_eur AS "balanceMicroEur", held_micro_eur AS "heldMicroEur",
          unfinished_jobs AS "unfinishedJobs", suspended_at AS "suspendedAt", erased_at AS "erasedAt",
          account.created_at AS "createdAt",
          CASE WHEN suspended_at IS NOT NULL THEN ${suspensionOf("account.id")} END AS suspension,
          (SELECT max(last_used_at) FROM api_key WHERE account_id = account.id) AS "lastUsedAt",
          failed.jobs AS "failedJobs", charged.amount AS "chargedMicroEur", refunded.amount AS "refundedMicroEur",
          greatest(failed.jobs, charged.jobs, refunded.jobs) < :most::int AS "isComplete"
     FROM account,
          LATERAL (
            SELECT count(*)::int AS jobs FROM (
              SELECT FROM generation
               WHERE account_id = account.id AND mode = 'live' AND kind IN ('image', 'story') AND status = 'failed'
                 AND id >= :first AND created_at >= :since::timestamptz LIMIT :most) AS newest) AS failed,
          LATERAL (
            SELECT count(*)::int AS jobs, coalesce(sum((
                     SELECT amount_micro_eur FROM ledger_entry WHERE transfer_id = newest.id AND book = 'revenue'
                   )), 0)::bigint AS amount
              FROM (SELECT id FROM ledger_transfer
                     WHERE account_id = account.id AND kind = 'settle' AND created_at >= :since::timestamptz
                     ORDER BY created_at DESC LIMIT :most) AS newest) AS charged,
          LATERAL (
            SELECT count(*)::int AS jobs, coalesce(sum(amount_micro_eur), 0)::bigint AS amount
              FROM (SELECT amount_micro_eur FROM refund
                     WHERE account_id = account.id AND created_at >= :since::timestamptz
                     ORDER BY created_at DESC LIMIT :most) AS newest) AS refunded
    WHERE account.id = ANY (:ids::uuid[])
    ORDER BY account.id DESC`,
);
