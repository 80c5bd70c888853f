import { readMemberIds, type ApiKeyInfo } from "@atelier/accounts";
import { readKeyBudgets } from "@atelier/billing";
import type { Sql } from "@atelier/database";
import { formatEur, type ApiKey } from "@atelier/schemas";

/** Presents keys to the owner of their account, with what each has spent in its current period. */
export async function presentKeys(keys: readonly ApiKeyInfo[], sql: Sql): Promise<ApiKey[]> {
  const ids = keys.map(({ id }) => id);
  const budgets = await readKeyBudgets(sql, ids);
  const members = await readMemberIds(sql, ids);
  return keys.map((key) =>
    presentKey(key, {
      spentMicroEur: budgets.get(key.id)?.spentMicroEur ?? 0n,
      memberId: members.get(key.id) ?? null,
    }),
  );
}

/** Presents a key to operators: what it has spent follows from its row. */
export function presentKeyOf(key: ApiKeyInfo, memberId: string | null, now = new Date()): ApiKey {
  const spentMicroEur = key.spentSince < startOfPeriod(key, now) ? 0n : key.spentMicroEur;
  return presentKey(key, { spentMicroEur, memberId });
}

/** Start of the current period of a budget (UTC). */
function startOfPeriod({ budgetPeriod }: ApiKeyInfo, now: Date): Date {
  if (budgetPeriod === "total") return new Date(0);
  const day = budgetPeriod === "day" ? now.getUTCDate() : 1;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day));
}

function presentKey(
  key: ApiKeyInfo,
  { spentMicroEur, memberId }: { readonly spentMicroEur: bigint; readonly memberId: string | null },
): ApiKey {
  const { budgetMicroEur, budgetPeriod, models } = key;
  return {
    id: key.id,
    mode: key.mode,
    name: key.name,
    last_four: key.lastFour,
    scopes: [...key.scopes],
    models: models.length === 0 ? null : [...models],
    budget:
      budgetMicroEur === null ? null : { eur: formatEur(budgetMicroEur), period: budgetPeriod },
    spent_eur: formatEur(spentMicroEur),
    budget_id: key.budgetId,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_by: key.parentId,
    member_id: memberId,
  };
}
