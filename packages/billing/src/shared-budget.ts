import { isValidKey } from "@atelier/accounts";
import type { Sql } from "@atelier/database";
import { AppError, type SharedBudgetPeriod } from "@atelier/schemas";
import {
  describeShortage,
  findExhaustedKeyBudget,
  periodStart,
  resetsAt,
  spendBudget,
  spentNow,
} from "./key-budget.ts";
import { asEur } from "./low-balance.ts";

/**
 * Shared budgets. A row of `budget` has the columns of a key's budget, so that the SQL of `key-budget.ts` applies
 * to it as well: a live job is checked against it and counted in the statement that accepts the job, with the row
 * locked after that of the key. The job stores the budget. Its end is counted by the trigger
 * `generation_settled_in_budget`, so that workers of every version count it.
 */

/** SQL condition on a row of `budget`: its sums are those of the current period. */
const isCurrent = `spent_since >= ${periodStart}`;

/** SQL expression over `budget`: what unfinished jobs of the current period hold. */
const heldNow = `CASE WHEN ${isCurrent} THEN held_micro_eur ELSE 0 END`;

/**
 * Assignments to the row of `budget` for a hold of `amount`, an SQL expression. As with a key, a job that waited
 * while another one began the next period changes nothing. A budget is low from 80 % on.
 */
export const spendSharedBudget = (amount: string) =>
  `${spendBudget(amount)},
   held_micro_eur = CASE WHEN spent_since > now() THEN held_micro_eur ELSE ${heldNow} + ${amount} END,
   is_low = CASE WHEN spent_since > now() THEN is_low
                 ELSE is_low AND ${isCurrent} OR (${spentNow} + ${amount}) * 5 >= budget_micro_eur * 4 END`;

/** SQL columns that the statement with `spendSharedBudget` returns for `lowBudgetEvents`. */
export const changedBudget = `budget.id, budget.account_id, budget.name, budget.budget_micro_eur, budget.budget_period,
   new.spent_micro_eur,
   new.is_low AND NOT (old.is_low AND old.spent_since = new.spent_since) AS becomes_low`;

/**
 * A query for `recordEvents`: one event in each period of a budget, when its jobs reach 80 % of it.
 *
 * @param from relation with the columns of `changedBudget`.
 */
export const lowBudgetEvents = (from: string) => `
  SELECT account_id, NULL::uuid AS generation_id, 'budget.low' AS type,
         jsonb_build_object('id', id, 'name', name, 'eur', ${asEur("budget_micro_eur")},
                            'period', budget_period, 'spent_eur', ${asEur("spent_micro_eur")},
                            'resets_at', to_char(${resetsAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T00:00:00.000Z"')) AS data
    FROM ${from} WHERE becomes_low`;

/** A shared budget in its current period. Amounts are in micro-EUR. */
export interface SharedBudget {
  readonly id: string;
  readonly name: string;
  readonly budgetMicroEur: bigint;
  readonly period: SharedBudgetPeriod;
  /** Holds and charges of its jobs. */
  readonly spentMicroEur: bigint;
  /** The part of it that unfinished jobs hold. */
  readonly heldMicroEur: bigint;
  /** Start of the next period; null for a total budget. */
  readonly resetsAt: Date | null;
  /** Its keys that are neither revoked nor expired. */
  readonly keys: number;
  readonly createdAt: Date;
}

const columns = `id, name, budget_micro_eur AS "budgetMicroEur", budget_period AS period,
  (${spentNow})::bigint AS "spentMicroEur", (${heldNow})::bigint AS "heldMicroEur", ${resetsAt} AS "resetsAt",
  coalesce(keys, 0) AS keys, created_at AS "createdAt"`;

/** The budgets of an account with the numbers of their keys, newest first, or the one with an id. */
export function readSharedBudgets(
  sql: Sql,
  accountId: string,
  budgetId: string | null = null,
): Promise<SharedBudget[]> {
  return sql.query<SharedBudget>(
    `WITH counted AS (
       SELECT budget_id, count(*)::int AS keys FROM api_key
        WHERE budget_id IN (SELECT id FROM budget WHERE account_id = $1 AND ($2::uuid IS NULL OR id = $2))
          AND budget_id IS NOT NULL AND ${isValidKey("api_key")}
        GROUP BY budget_id
     )
     SELECT ${columns} FROM budget LEFT JOIN counted ON budget_id = id
      WHERE account_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY id DESC`,
    [accountId, budgetId],
  );
}

/** The names of the budgets of an account, by id, without deleted ones. */
export async function readBudgetNames(
  sql: Sql,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ id: string; name: string }>(
    "SELECT id, name FROM budget WHERE account_id = $1",
    [accountId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A budget to be created, with an id that is new. */
export interface NewSharedBudget {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly budgetMicroEur: bigint;
  readonly period: SharedBudgetPeriod;
}

/** Creates a budget. The caller holds the lock of the account. Safe to repeat. */
export async function createSharedBudget(sql: Sql, budget: NewSharedBudget): Promise<void> {
  const { id, accountId, name, budgetMicroEur, period } = budget;
  await sql.query(
    `INSERT INTO budget (id, account_id, name, budget_micro_eur, budget_period)
     VALUES ($1, $2, $3, $4, $5::shared_budget_period) ON CONFLICT (id) DO NOTHING`,
    [id, accountId, name, budgetMicroEur, period],
  );
}

/**
 * Changes the name or the amount of a budget; another amount may be low again. Accepted jobs continue, even if a
 * lower amount would have refused them. The caller holds the lock of the account.
 *
 * @param change null leaves a property unchanged.
 * @returns whether the account has the budget.
 */
export async function changeSharedBudget(
  sql: Sql,
  target: { readonly accountId: string; readonly budgetId: string },
  change: { readonly name: string | null; readonly budgetMicroEur: bigint | null },
): Promise<boolean> {
  const changed = await sql.query(
    `UPDATE budget SET name = coalesce($3, name), budget_micro_eur = coalesce($4::bigint, budget_micro_eur),
                       is_low = is_low AND coalesce($4::bigint, budget_micro_eur) = budget_micro_eur
      WHERE id = $2 AND account_id = $1 RETURNING id`,
    [target.accountId, target.budgetId, change.name, change.budgetMicroEur],
  );
  return changed.length > 0;
}

/**
 * SQL condition on a row of `api_key`: it is valid, or may become so again: the expiry of a key can be changed, and
 * a disabled member enabled. Other revoked keys stay revoked.
 */
const mayReturn = `(key.revoked_at IS NULL OR EXISTS (SELECT FROM member WHERE key_id = key.id))`;

/**
 * Deletes a budget without keys that are valid or may become so again. Revoked keys leave it; unfinished jobs
 * continue and are charged. The caller holds the lock of the account.
 *
 * @returns false when the account has no such budget.
 * @throws AppError `budget_in_use` when it has such keys: without it, they could spend the whole balance.
 */
export async function deleteSharedBudget(
  sql: Sql,
  target: { readonly accountId: string; readonly budgetId: string },
): Promise<boolean> {
  const [budget] = await sql.query<{ keys: number; members: number }>(
    `SELECT held.keys, held.members
       FROM budget,
            LATERAL (SELECT count(*)::int AS keys, count(member.id)::int AS members
                       FROM api_key AS key LEFT JOIN member ON member.key_id = key.id
                      WHERE key.account_id = $1 AND budget_id = budget.id AND ${mayReturn}) AS held
      WHERE budget.account_id = $1 AND budget.id = $2`,
    [target.accountId, target.budgetId],
  );
  if (budget === undefined) return false;
  if (budget.keys > 0) throw budgetInUse(budget);
  await sql.query("UPDATE api_key SET budget_id = NULL WHERE account_id = $1 AND budget_id = $2", [
    target.accountId,
    target.budgetId,
  ]);
  await sql.query("DELETE FROM budget WHERE account_id = $1 AND id = $2", [
    target.accountId,
    target.budgetId,
  ]);
  return true;
}

/** @param held how many keys a budget has, and how many of these are those of members. */
function budgetInUse({ keys, members }: { keys: number; members: number }): AppError {
  const others = keys - members;
  const parts = [
    ...(others > 0 ? [`${others} ${others === 1 ? "key" : "keys"}`] : []),
    ...(members > 0 ? [`${members} ${members === 1 ? "member" : "members"}`] : []),
  ];
  const steps = [
    ...(others > 0 ? ["move or revoke its keys, also expired ones"] : []),
    ...(members > 0 ? ["take its members out of it, and enable or remove disabled ones"] : []),
  ];
  return new AppError(
    "budget_in_use",
    `This budget has ${parts.join(" and ")}, which would have no limit without it. First ${steps.join("; ")}.`,
    { details: { keys, members } },
  );
}

/** @throws AppError `key_budget_exhausted` or `budget_exhausted` when a budget of a key does not allow an amount. */
export async function assertWithinBudgets(
  sql: Sql,
  keyId: string,
  requiredMicroEur: bigint,
): Promise<void> {
  const error = await findExhaustedBudget(sql, keyId, requiredMicroEur);
  if (error !== null) throw error;
}

/** Returns the error for an amount that a budget of a key does not allow, its own first; null when both allow it. */
export async function findExhaustedBudget(
  sql: Sql,
  keyId: string,
  requiredMicroEur: bigint,
): Promise<AppError | null> {
  const ownError = await findExhaustedKeyBudget(sql, keyId, requiredMicroEur);
  return ownError ?? findExhaustedSharedBudget(sql, keyId, requiredMicroEur);
}

async function findExhaustedSharedBudget(
  sql: Sql,
  keyId: string,
  requiredMicroEur: bigint,
): Promise<AppError | null> {
  const [budget] = await sql.query<Omit<SharedBudget, "keys" | "heldMicroEur" | "createdAt">>(
    `SELECT id, name, budget_micro_eur AS "budgetMicroEur", budget_period AS period,
            (${spentNow})::bigint AS "spentMicroEur", ${resetsAt} AS "resetsAt"
       FROM budget WHERE id = (SELECT budget_id FROM api_key WHERE id = $1 AND mode = 'live')`,
    [keyId],
  );
  if (budget === undefined) return null;
  const details = describeShortage(budget, requiredMicroEur);
  if (details === null) return null;
  const { budget_eur, spent_eur, required_eur, resets_at } = details;
  const next =
    resets_at === null
      ? "Ask the owner of the account to raise it."
      : `The budget starts again at ${resets_at}.`;
  return new AppError(
    "budget_exhausted",
    `This costs ${required_eur} EUR, and the keys of the budget "${budget.name}" have spent ${spent_eur} of its ${budget_eur} EUR. ${next}`,
    { details: { budget_id: budget.id, budget_name: budget.name, ...details } },
  );
}
