import { statement, type Sql } from "@atelier/database";
import type { KeyMode, MemberKind } from "@atelier/schemas";
import type { Owner } from "../find.ts";

/** A character or location of an owner. */
export type MemberTarget = Owner & { readonly kind: MemberKind; readonly id: string };

/** A locked character or location. */
export interface LockedMember {
  readonly mode: KeyMode;
  readonly status: "requested" | "copying" | "kept" | "refused";
  readonly name: string;
  readonly description: string;
  /** The normal one first. */
  readonly looks: readonly StoredLook[];
}

/** A look as it is stored. */
export interface StoredLook {
  readonly state: string | null;
  readonly description: string;
  /** Omitted until the image is made. */
  readonly storageKey?: string;
  /** When the image replaced another; jobs from before were made with that one. */
  readonly since?: string;
}

/**
 * Locks a character or location; null if it does not exist. The files and the account are locked after it, as
 * acceptance locks files before the account.
 */
export async function lockMember(
  sql: Sql,
  { kind, id, accountId, keyId = null, mode = null }: MemberTarget,
): Promise<LockedMember | null> {
  const [found] = await sql.query<LockedMember>(
    ...locked.bind({ id, kind, accountId, keyId, mode }),
  );
  return found ?? null;
}

const locked = statement(
  ["id", "kind", "accountId", "keyId", "mode"],
  `SELECT item.status, mode, name, description, looks
     FROM cast_member AS member JOIN kept_item AS item USING (id)
    WHERE id = :id AND member.kind = :kind AND member.account_id = :accountId
      AND (:keyId::uuid IS NULL OR key_id = :keyId) AND (:mode::key_mode IS NULL OR mode = :mode)
      FOR UPDATE`,
);

/**
 * Locks the files of a character or location, so that a statement that follows sees every job that was
 * accepted with one of them.
 *
 * @returns their keys.
 */
export async function lockMemberFiles(sql: Sql, id: string): Promise<string[]> {
  const files = await sql.query<{ key: string }>(
    `SELECT storage_key AS key FROM kept_file
      WHERE item_id = $1 AND deleted_at IS NULL ORDER BY storage_key FOR UPDATE`,
    [id],
  );
  return files.map(({ key }) => key);
}
