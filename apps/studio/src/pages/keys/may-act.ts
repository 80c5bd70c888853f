import type { ApiKey, MemberRole } from "@atelier/schemas";

type Key = Pick<ApiKey, "created_by" | "id" | "member_id">;

/** The session that acts: its key, and the member who is signed in. */
interface Actor {
  readonly keyId: string | null;
  readonly member: { readonly id: string; readonly role: MemberRole } | null;
}

/**
 * Whether a session may change and revoke a key, judged by the list of keys. A key may not act on a key that created
 * it, and a member may not act on a key above its role.
 *
 * @param keys all keys of the account.
 */
export function mayAct({ keyId, member }: Actor, key: Key, keys: readonly Key[]): boolean {
  if (key.id === keyId) return true;
  if (member === null) return !lineOf(keyId, keys).some(({ id }) => id === key.id);
  const root = lineOf(key.id, keys).at(-1);
  if (root === undefined || root.member_id !== null) return true;
  return member.role === "owner" && key.created_by !== null;
}

/** A key, the one that created it, and so on. */
function lineOf(id: string | null, keys: readonly Key[]): readonly Key[] {
  const key = keys.find((one) => one.id === id);
  return key === undefined ? [] : [key, ...lineOf(key.created_by, keys)];
}
