import { statement, type Sql } from "@atelier/database";
import { AppError, type KeyScope, type MemberRole } from "@atelier/schemas";
import type { Ended } from "./end-keys.ts";
import { isValidKey } from "./key-conditions.ts";
import {
  assertFewKeys,
  endLineage,
  insertNewKey,
  replaceSecret,
  writeRights,
  type NewSecret,
} from "./key-lifecycle.ts";
import type { LineageKey } from "./lineage.ts";
import type { Managing } from "./manage.ts";
import {
  assertMayActOnMember,
  assertMayGiveRole,
  assertMayHandOver,
  assertMayManageMembers,
  scopesOfRole,
} from "./rights.ts";

/** A person of an account. */
export interface Member {
  readonly id: string;
  /** The key that it acts through, which it never sees. */
  readonly keyId: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: MemberRole;
  /** Whether it has signed in through the identity provider. */
  readonly hasIdentity: boolean;
  readonly createdAt: Date;
  /** Exact to a minute; null before the first sign-in. */
  readonly lastSeenAt: Date | null;
  readonly disabledAt: Date | null;
}

/** Names of a member. */
export type MemberNames = Pick<Member, "name" | "email">;

const selectMembers = `
  SELECT member.id, key_id AS "keyId", member.name, email, role, subject IS NOT NULL AS "hasIdentity",
         member.created_at AS "createdAt", last_used_at AS "lastSeenAt", revoked_at AS "disabledAt"
    FROM member JOIN api_key ON api_key.id = key_id`;

/** The members of an account: those that are not disabled first, then by name. @param limit null for all. */
export function listMembers(sql: Sql, accountId: string, limit: number | null): Promise<Member[]> {
  return sql.query<Member>(
    `${selectMembers} WHERE member.account_id = $1
      ORDER BY revoked_at IS NOT NULL, lower(member.name), member.id LIMIT $2`,
    [accountId, limit],
  );
}

/** @throws AppError `member_not_found`, also for a member of another account. */
export async function findMember(
  sql: Sql,
  target: { readonly accountId: string; readonly memberId: string },
): Promise<Member> {
  const [member] = await sql.query<Member>(
    `${selectMembers} WHERE member.id = $1 AND member.account_id = $2`,
    [target.memberId, target.accountId],
  );
  if (member === undefined) throw memberNotFound();
  return member;
}

/** The member who acts through a key; null for another key. */
export async function findMemberOfKey(sql: Sql, keyId: string): Promise<Member | null> {
  const [member] = await sql.query<Member>(`${selectMembers} WHERE key_id = $1`, [keyId]);
  return member ?? null;
}

/** The ids of members by those of the keys that they act through. */
export async function readMemberIds(
  sql: Sql,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const members = await sql.query<{ id: string; keyId: string }>(
    `SELECT id, key_id AS "keyId" FROM member WHERE key_id = ANY ($1::uuid[])`,
    [keyIds],
  );
  return new Map(members.map(({ id, keyId }) => [keyId, id]));
}

/**
 * Invites a member, who acts through a new key.
 *
 * @param id chosen before, so that a repeated transaction recognises its own member.
 * @throws AppError `key_not_permitted`, `member_exists` or `too_many_keys`.
 */
export async function inviteMember(
  managing: Managing,
  secret: NewSecret,
  { id, role, name, email }: MemberNames & Pick<Member, "id" | "role">,
): Promise<void> {
  const { sql, accountId, actor } = managing;
  assertMayManageMembers(actor);
  assertMayGiveRole(actor, role);
  await assertUnknown(sql, { id, accountId, email });
  await insertKeyOfMember(managing, secret, { name, role });
  await sql.query(...insertMember.bind({ id, accountId, keyId: secret.id, name, email, role }));
}

const insertMember = statement(
  ["id", "accountId", "keyId", "name", "email", "role"],
  `INSERT INTO member (id, account_id, key_id, name, email, role)
   VALUES (:id, :accountId, :keyId, :name, :email, :role::member_role) ON CONFLICT (id) DO NOTHING`,
);

/** Creates the key that a new member acts through, without limits. @throws AppError `too_many_keys`. */
export async function insertKeyOfMember(
  account: Pick<Managing, "sql" | "accountId">,
  secret: NewSecret,
  { name, role }: Pick<Member, "name" | "role">,
): Promise<void> {
  await insertNewKey(account, secret, {
    name,
    scopes: await readScopesOfRole(account, role),
    models: [],
    budgetMicroEur: null,
    budgetPeriod: "total",
    budgetId: null,
    expiresAt: null,
    parentId: null,
  });
}

/** A member with its key, as one transaction sees them. */
interface Target {
  readonly member: Member;
  readonly key: LineageKey;
}

/** Reads the member of the target key again, under the lock. @throws AppError `member_not_found`. */
async function readTarget({ sql, target }: Managing): Promise<Target> {
  const member = target === null ? null : await findMemberOfKey(sql, target.id);
  if (target === null || member === null) throw memberNotFound();
  return { member, key: target };
}

/**
 * Changes a member. With a lower role, its key and those that it created lose rights at once.
 *
 * @param change omitted properties stay unchanged.
 * @throws AppError `key_not_permitted`, `last_owner` or `member_exists`.
 */
export async function changeMember(
  managing: Managing,
  change: Partial<MemberNames & Pick<Member, "role">>,
): Promise<Ended> {
  const { sql, accountId, actor } = managing;
  const { member, key } = await readTarget(managing);
  assertMayActOnMember(actor, key);
  const { name = member.name, email = member.email, role = member.role } = change;
  await assertUnknown(sql, { id: member.id, accountId, email });
  if (role !== member.role) {
    assertMayGiveRole(actor, role);
    await assertOtherOwner(managing, member);
    if (role !== "maker") assertNoLimits(key);
  }
  await sql.query("UPDATE member SET name = $2, email = $3, role = $4::member_role WHERE id = $1", [
    member.id,
    name,
    email,
    role,
  ]);
  const scopes = await readScopesOfRole(managing, role);
  return writeRights(managing, key.id, { ...key, scopes, name });
}

/**
 * Disables a member: its key is refused from now on, with what it created, and its sessions end.
 *
 * @throws AppError `key_not_permitted` or `last_owner`.
 */
export async function disableMember(managing: Managing): Promise<Ended> {
  const { sql, accountId, actor } = managing;
  const { member, key } = await readTarget(managing);
  assertMayActOnMember(actor, key);
  await assertOtherOwner(managing, member);
  return endLineage(sql, { accountId, keyId: key.id });
}

/** Disables a member, and deletes its personal data: its name, its e-mail and its identity. */
export async function removeMember(managing: Managing): Promise<Ended> {
  const ended = await disableMember(managing);
  if (managing.target !== null) await deletePersonalData(managing.sql, managing.target.id);
  return ended;
}

/** Deletes the member of a key that has ended, and its name at the key. */
export async function deletePersonalData(sql: Sql, keyId: string): Promise<void> {
  await sql.query("DELETE FROM member WHERE key_id = $1", [keyId]);
  await sql.query("UPDATE api_key SET name = 'removed member' WHERE id = $1", [keyId]);
}

/**
 * Replaces the secret of the key of another member, for a link that signs it in. Earlier links end; sessions stay.
 *
 * @param enable whether the member may be disabled, and then is enabled. What ended with it does not return.
 * @throws AppError `key_not_permitted`, `member_disabled` or `too_many_keys`.
 */
export async function renewSecret(
  managing: Managing,
  secret: NewSecret,
  { enable }: { readonly enable: boolean },
): Promise<void> {
  const { sql, accountId, actor } = managing;
  const { member, key } = await readTarget(managing);
  assertMayActOnMember(actor, key);
  if (key.id === actor.keyId) throw ownLink();
  if (member.disabledAt !== null) {
    if (!enable) throw memberDisabled();
    // What it created before it was disabled stays ended, also when a version without lineages disabled it.
    await endLineage(sql, { accountId, keyId: key.id });
    await sql.query("UPDATE api_key SET revoked_at = NULL WHERE id = $1", [key.id]);
    await assertFewKeys(sql, accountId, secret.mode);
    const scopes = await readScopesOfRole(managing, member.role);
    await writeRights(managing, key.id, { ...key, scopes, name: null });
  }
  await replaceSecret(sql, key.id, { secret, graceMs: 0 });
}

/** Counts of keys and webhooks that were handed over. */
export interface HandedOver {
  /** Without those that these keys created, which stay with them. */
  readonly keys: number;
  readonly webhooks: number;
}

/**
 * Hands the keys and webhooks that a member created over to another member, with whom they end from now on.
 *
 * @param toId the other member.
 * @throws AppError `key_not_permitted`, `member_not_found` or `member_disabled`.
 */
export async function handOver(managing: Managing, toId: string): Promise<HandedOver> {
  const { sql, accountId, actor, lineage } = managing;
  const { key: from } = await readTarget(managing);
  const receiver = await findMember(sql, { accountId, memberId: toId });
  const to = lineage.find(receiver.keyId);
  if (receiver.disabledAt !== null || to === null) throw memberDisabled();
  const created = lineage.all.filter(({ parentId }) => parentId === from.id);
  assertMayHandOver(actor, { from, to }, created);
  const keys = await sql.query(
    "UPDATE api_key SET parent_id = $2 WHERE id = ANY ($1::uuid[]) RETURNING id",
    [created.map(({ id }) => id), to.id],
  );
  const webhooks = await sql.query(
    `UPDATE webhook SET key_id = $2
      WHERE key_id = $1 AND account_id = $3 AND disabled_at IS NULL AND requested_at IS NULL RETURNING id`,
    [from.id, to.id, accountId],
  );
  if (webhooks.length > 0 && !to.scopes.includes("manage")) {
    throw new AppError(
      "key_not_permitted",
      "A maker can't have webhooks. Hand them over to a member with another role, or delete them.",
      { details: { webhooks: webhooks.length } },
    );
  }
  return { keys: keys.length, webhooks: webhooks.length };
}

/** Gives the keys of makers the scopes that follow from a setting of the account. */
export async function applyMakersReadAll(
  managing: Managing,
  makersReadAll: boolean,
): Promise<void> {
  const scopes = scopesOfRole("maker", { makersReadAll });
  const makers = managing.lineage.all.filter(
    ({ owner, ancestors }) => owner?.role === "maker" && ancestors.length === 0,
  );
  for (const key of makers) await writeRights(managing, key.id, { ...key, scopes, name: null });
}

/** Reads the scopes that a role has in an account. */
export async function readScopesOfRole(
  { sql, accountId }: Pick<Managing, "sql" | "accountId">,
  role: MemberRole,
): Promise<readonly KeyScope[]> {
  const [settings] = await sql.query<{ makersReadAll: boolean }>(
    `SELECT makers_read_all AS "makersReadAll" FROM account WHERE id = $1`,
    [accountId],
  );
  if (settings === undefined) throw new Error("the account was locked before");
  return scopesOfRole(role, settings);
}

/** @throws AppError `last_owner` when no other owner is left. */
async function assertOtherOwner(managing: Managing, member: Member): Promise<void> {
  if (member.role !== "owner" || member.disabledAt !== null) return;
  if (!(await isLastOwner(managing, member.id))) return;
  throw new AppError(
    "last_owner",
    "This is the last owner of the account. Make another member an owner first.",
  );
}

/** Whether an account has no other owner than a member. */
export async function isLastOwner(
  { sql, accountId }: Pick<Managing, "sql" | "accountId">,
  memberId: string,
): Promise<boolean> {
  const others = await sql.query(
    `SELECT FROM member JOIN api_key AS key ON key.id = key_id
      WHERE member.account_id = $1 AND role = 'owner' AND member.id <> $2 AND ${isValidKey("key")} LIMIT 1`,
    [accountId, memberId],
  );
  return others.length === 0;
}

/** @throws AppError `member_exists` for the e-mail of another member of the account. */
async function assertUnknown(
  sql: Sql,
  { id, accountId, email }: Pick<Member, "id" | "email"> & { readonly accountId: string },
): Promise<void> {
  const [other] = await sql.query<{ id: string }>(
    "SELECT id FROM member WHERE account_id = $1 AND email = $2 AND id <> $3",
    [accountId, email, id],
  );
  if (other === undefined) return;
  throw new AppError(
    "member_exists",
    "A member of the account has this e-mail address. Send that member a new link, or enable it.",
    { details: { member_id: other.id } },
  );
}

/** @throws AppError `key_not_permitted` for a maker with a budget, also a shared one, or limited models. */
function assertNoLimits({ id, hasBudget, budgetId, models }: LineageKey): void {
  if (!hasBudget && budgetId === null && models.length === 0) return;
  throw new AppError(
    "key_not_permitted",
    "Only makers have a budget, are in a shared one or have limited models. Remove these from the key of the member first.",
    { details: { key_id: id } },
  );
}

function ownLink(): AppError {
  return new AppError(
    "key_not_permitted",
    "A member can't send itself a link. Ask a member with a higher role, or use a key of the operator.",
  );
}

function memberDisabled(): AppError {
  return new AppError("member_disabled", "This member is disabled. Enable it first.");
}

export function memberNotFound(): AppError {
  return new AppError(
    "member_not_found",
    "The account has no such member. GET /v1/members lists its members with their ids.",
  );
}
