import { statement, type Sql } from "@atelier/database";
import type { KeyMode, MemberKind } from "@atelier/schemas";
import type { Owner } from "../jobs/find.ts";

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
 * Locks a character or location and its item; null if it does not exist.
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
