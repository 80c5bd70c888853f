import { statement, type Database, type Sql } from "@atelier/database";
import { AppError, formatEur, type BudgetPeriod } from "@atelier/schemas";

/**
 * Budgets of keys. A key's row contains the sum of the holds and charges of its jobs in the current
 * budget period:
 *
 *   accept   spent +price     in the statement that holds the price
 *   settle   spent −(price − charge)
 *   release  spent −price
 *
 * A hold and its charge count in the period in which the job was accepted. Periods begin at midnight
 * UTC; the first job of a period resets the sum. A job that waited for a lock while another one began
 * the next period was accepted in the earlier period, and changes nothing. The key is locked after the
 * account: see packages/database/lock-order.md.
 */

/** SQL expression over `api_key` or `budget`: the start of the current budget period. */
export const periodStart = `CASE WHEN budget_period = 'total' THEN '-infinity'
  ELSE date_trunc(budget_period::text, now(), 'UTC') END`;

/** SQL expression over `api_key` or `budget`: the amount spent in the current period. */
export const spentNow = `CASE WHEN spent_since < ${periodStart} THEN 0 ELSE spent_micro_eur END`;

/** SQL condition on `api_key` or `budget`: the budget allows `amount`, an SQL expression. */
export const withinBudget = (amount: string) =>
  `(budget_micro_eur IS NULL OR ${spentNow} + ${amount} <= budget_micro_eur)`;

const restOfOne = `CASE WHEN budget_micro_eur IS NOT NULL THEN greatest(budget_micro_eur - ${spentNow}, 0) END`;

/** SQL expression over `api_key`: the rest of its budgets, its own and the shared one; null without any. */
export const restOfBudget = `least(${restOfOne}, CASE WHEN api_key.budget_id IS NOT NULL AND api_key.mode = 'live' THEN (
  SELECT ${restOfOne} FROM budget WHERE budget.id = api_key.budget_id) END)::bigint`;

/** Returns the amount that a key may still spend, in micro-EUR: a test key spends nothing. */
export async function readSpendable(sql: Sql, keyId: string): Promise<bigint> {
  const [key] = await sql.query<{ spendable: bigint }>(
    `SELECT CASE mode WHEN 'test' THEN 0 ELSE least(balance_micro_eur, ${restOfBudget}) END::bigint AS spendable
       FROM api_key JOIN account ON account.id = account_id WHERE api_key.id = $1`,
    [keyId],
  );
  return key?.spendable ?? 0n;
}

/**
 * Assignments to the key's row for a hold of `amount`, an SQL expression. `now()` is the job's
 * `created_at`, by which `refundBudget` decides as well.
 */
export const spendBudget = (amount: string) =>
  `spent_micro_eur = CASE WHEN spent_since > now() THEN spent_micro_eur ELSE ${spentNow} + ${amount} END,
   spent_since = greatest(spent_since, ${periodStart})`;

/**
 * Common table expressions that subtract the uncharged part of each hold in `resolved` from the spent
 * amount of the generation's key. Jobs of earlier periods change nothing.
 *
 * @param after a relation that is not empty once the account is updated, so that the key is locked last.
 */
export const refundBudget = (after: string) => `refunded_key AS (
    SELECT api_key.id,
           CASE WHEN generation.created_at >= spent_since THEN resolved.amount - resolved.charge
                ELSE 0 END AS refund
      FROM ${after}, resolved JOIN generation ON generation.id = resolved.generation_id
      JOIN api_key ON api_key.id = generation.key_id
     WHERE resolved.amount > resolved.charge
       FOR NO KEY UPDATE OF api_key
  ), refunded AS (
    UPDATE api_key SET spent_micro_eur = spent_micro_eur - refund
      FROM refunded_key WHERE api_key.id = refunded_key.id AND refund > 0
  )`;

/**
 * SQL: the end of the budget period that contains a time. Computed in UTC: a day or month of another time zone may be
 * an hour longer or shorter.
 */
export const periodEnd = (period: string, time: string) =>
  `(date_trunc(${period}::text, ${time} AT TIME ZONE 'UTC') + ('1 ' || ${period})::interval) AT TIME ZONE 'UTC'`;

/** SQL expression over `api_key` or `budget`: the start of the next budget period; null for a total budget. */
export const resetsAt = `CASE WHEN budget_period <> 'total' THEN ${periodEnd("budget_period", "now()")} END`;

/** A budget in its current period. Amounts are in micro-EUR. */
interface BudgetState {
  readonly budgetMicroEur: bigint | null;
  readonly spentMicroEur: bigint;
  /** Start of the next period; null for a total budget. */
  readonly resetsAt: Date | null;
}

/** Reads the budgets of keys, by key id. */
export async function readKeyBudgets(
  sql: Sql,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, BudgetState>> {
  const rows = await sql.query<BudgetState & { keyId: string }>(
    `SELECT id AS "keyId", budget_micro_eur AS "budgetMicroEur",
            (${spentNow})::bigint AS "spentMicroEur", ${resetsAt} AS "resetsAt"
       FROM api_key WHERE id = ANY ($1)`,
    [keyIds],
  );
  return new Map(rows.map(({ keyId, ...budget }) => [keyId, budget]));
}

/** Returns the details of the error for an amount that a budget does not allow; null when it does. */
export function describeShortage(
  { budgetMicroEur, spentMicroEur, resetsAt: reset }: BudgetState,
  requiredMicroEur: bigint,
) {
  if (budgetMicroEur === null || spentMicroEur + requiredMicroEur <= budgetMicroEur) return null;
  return {
    budget_eur: formatEur(budgetMicroEur),
    spent_eur: formatEur(spentMicroEur),
    required_eur: formatEur(requiredMicroEur),
    resets_at: reset?.toISOString() ?? null,
  };
}

/** Returns the error for an amount that the key's own budget does not allow; null when it does. */
export async function findExhaustedKeyBudget(
  sql: Sql,
  keyId: string,
  requiredMicroEur: bigint,
): Promise<AppError | null> {
  const budget = (await readKeyBudgets(sql, [keyId])).get(keyId);
  const details = budget === undefined ? null : describeShortage(budget, requiredMicroEur);
  if (details === null) return null;
  const { budget_eur, spent_eur, required_eur, resets_at } = details;
  return new AppError(
    "key_budget_exhausted",
    `This costs ${required_eur} EUR, and this key has spent ${spent_eur} of its budget of ${budget_eur} EUR. ${
      resets_at === null
        ? "Ask the owner of the account to raise the budget, or use another key."
        : `The budget starts again at ${resets_at}.`
    }`,
    { details },
  );
}

/** Longer than any transaction that ends a job: see `statementTimeouts` of the database. */
const longestTransaction = "2 minutes";

/** Sums of a key's jobs that no transaction can change any more. */
export interface SettledSpending {
  /** Start of the budget period, in microseconds. */
  readonly since: string;
  /** Jobs that were completed before are in the sum. */
  readonly before: string;
  readonly spentMicroEur: bigint;
}

/**
 * Sets or removes the budget of a key and computes the amount spent in the new period. Accepted jobs
 * continue, even if a lower budget would have refused them.
 *
 * @param change.budgetMicroEur null removes the budget.
 */
export async function setKeyBudget(
  database: Pick<Database, "repeatable" | "transaction">,
  keyId: string,
  change: BudgetChange,
): Promise<void> {
  const settled = await sumSettledSpending(database.repeatable, keyId, change.period);
  if (settled === null) return;
  await database.transaction((sql) => writeKeyBudget(sql, keyId, change, settled));
}

interface BudgetChange {
  readonly budgetMicroEur: bigint | null;
  readonly period: BudgetPeriod;
}

/**
 * Sums a key's completed jobs in a budget period, archived ones included: a period begins with a day in UTC,
 * or with the key. To be called before the key is locked, since a key may have millions of them.
 *
 * @returns null for an unknown key.
 */
export async function sumSettledSpending(
  sql: Sql,
  keyId: string,
  period: BudgetPeriod,
): Promise<SettledSpending | null> {
  const [settled] = await sql.query<SettledSpending>(
    `SELECT since::text, before::text, (
              SELECT coalesce(sum(charged_micro_eur), 0)::bigint FROM generation
               WHERE key_id = changed.id AND status = 'completed'
                 AND generation.created_at >= since AND completed_at < before
            ) + (
              SELECT coalesce(sum(charged_micro_eur), 0)::bigint FROM archived_usage
               WHERE key_id = changed.id AND accepted_on >= (since AT TIME ZONE 'UTC')::date
            ) AS "spentMicroEur"
       FROM (SELECT id, greatest(created_at, ${periodStart}) AS since,
                    now() - interval '${longestTransaction}' AS before
               FROM (SELECT id, created_at, $2::budget_period AS budget_period
                       FROM api_key WHERE id = $1) AS wanted) AS changed`,
    [keyId, period],
  );
  return settled ?? null;
}

/**
 * Writes a budget in a transaction, which locks the key: the sum of {@link sumSettledSpending}, and the
 * jobs that were unfinished then.
 */
export async function writeKeyBudget(
  sql: Sql,
  keyId: string,
  { budgetMicroEur, period }: BudgetChange,
  settled: SettledSpending,
): Promise<void> {
  // The lock on the key stops other transactions from changing the spent amount.
  await sql.query(
    `UPDATE api_key SET budget_micro_eur = $2, budget_period = $3::budget_period WHERE id = $1`,
    [keyId, budgetMicroEur, period],
  );
  await sql.query(...addUnsettled.bind({ keyId, ...settled }));
}

/** Sets the spent amount: settled jobs, later completed ones, and the holds of unfinished ones. */
const addUnsettled = statement(
  ["keyId", "since", "before", "spentMicroEur"],
  `UPDATE api_key
      SET spent_since = :since::timestamptz,
          spent_micro_eur = :spentMicroEur::bigint + (
            SELECT coalesce(sum(charged_micro_eur), 0)
              FROM ledger_transfer JOIN generation ON generation.id = generation_id
             WHERE ledger_transfer.account_id = api_key.account_id
               AND ledger_transfer.kind = 'settle'
               AND ledger_transfer.created_at >= :before::timestamptz
               AND key_id = api_key.id AND generation.created_at >= :since::timestamptz
          ) + (
            SELECT coalesce(sum(amount_micro_eur), 0)
              FROM generation JOIN hold ON hold.generation_id = generation.id
             WHERE key_id = api_key.id AND generation.kind = ANY (enum_range(NULL::generation_kind))
               AND generation.status IN ('pending', 'processing')
               AND generation.created_at >= :since::timestamptz)
    WHERE id = :keyId`,
);
