import type { Sql } from "@atelier/database";
import { isValidKey } from "./key-conditions.ts";
import type { KeyOwner, TargetKey } from "./rights.ts";

/** A key with its place in the lineage of its account. */
export interface LineageKey extends TargetKey {
  readonly parentId: string | null;
  readonly isRevoked: boolean;
}

/** The valid keys of an account and one more. */
export interface Lineage {
  readonly all: readonly LineageKey[];
  find(keyId: string): LineageKey | null;
  /** Valid keys that a key created, directly or through others, nearest first. */
  descendantsOf(keyId: string): readonly LineageKey[];
}

/** A key as it is stored. Its owner is the member who acts through the key itself. */
type Row = Omit<LineageKey, "ancestors">;

/**
 * Reads the valid keys of an account.
 *
 * @param targetId a key that is read although it may be revoked or expired.
 */
export async function readLineage(
  sql: Sql,
  accountId: string,
  targetId: string | null,
): Promise<Lineage> {
  const rows = await sql.query<Row>(
    `SELECT id, parent_id AS "parentId", mode, scopes, models, expires_at AS "expiresAt",
            budget_micro_eur IS NOT NULL AS "hasBudget", budget_id AS "budgetId", revoked_at IS NOT NULL AS "isRevoked",
            (SELECT jsonb_build_object('memberId', member.id, 'role', role) FROM member
              WHERE key_id = key.id) AS owner
       FROM api_key AS key
      WHERE account_id = $1 AND (id = $2::uuid OR ${isValidKey("key")})`,
    [accountId, targetId],
  );
  const keys = new Map(rows.map((row) => [row.id, row]));

  function ancestorsOf(key: Row): string[] {
    const ancestors: string[] = [];
    let parentId = key.parentId;
    while (parentId !== null && !ancestors.includes(parentId)) {
      ancestors.push(parentId);
      parentId = keys.get(parentId)?.parentId ?? null;
    }
    return ancestors;
  }

  function withAncestors(key: Row): LineageKey {
    const ancestors = ancestorsOf(key);
    // Only a key without a maker is one of a member.
    const owner: KeyOwner | null = keys.get(ancestors.at(-1) ?? key.id)?.owner ?? null;
    return { ...key, ancestors, owner };
  }

  return {
    all: rows.map(withAncestors),
    find(keyId) {
      const key = keys.get(keyId);
      return key === undefined ? null : withAncestors(key);
    },
    descendantsOf: (keyId) =>
      rows
        .map(withAncestors)
        .filter(({ ancestors }) => ancestors.includes(keyId))
        .toSorted((a, b) => a.ancestors.indexOf(keyId) - b.ancestors.indexOf(keyId)),
  };
}
