import {
  AppError,
  type EventType,
  type KeyMode,
  type KeyScope,
  type MemberRole,
} from "@atelier/schemas";
import type { Caller } from "./authenticate.ts";
import type { KeySettings } from "./keys.ts";

/**
 * The rights between keys of an account, in one place (docs/keys.md):
 *
 * - Nothing outlives or exceeds the key that made it: a key, a webhook, a session.
 * - A key acts only on keys with no more rights than its own, never on one that made it, and always on
 *   itself. One that was created by another key changes only itself and what it created.
 * - A test key creates test keys, and acts on nothing else.
 * - A key in a shared budget stays in it, and so does all that it creates and acts on.
 * - Between members (docs/people.md) the role comes first: a member and its keys act on those of a lower role, on
 *   its own, and never on those of the same or a higher one.
 * - Shared budgets and settings of the account are for live keys without budget, model limit or expiry, and the
 *   settings not for managers.
 * - A rotated secret in its grace period may not manage.
 *
 * `manage` reads the rights under the lock under which they change.
 */

/** The rights of a key, and when they end. */
export type Rights = Pick<KeySettings, "scopes" | "models" | "expiresAt" | "budgetId"> & {
  readonly mode: KeyMode;
  readonly hasBudget: boolean;
};

/** The member who acts through a key, or through one that created it. */
export interface KeyOwner {
  readonly memberId: string;
  readonly role: MemberRole;
}

/** A key as another one acts on it. */
export interface TargetKey extends Rights {
  readonly id: string;
  /** Null for keys that belong to no member. */
  readonly owner: KeyOwner | null;
  /** The keys that created it, directly or through others. */
  readonly ancestors: readonly string[];
}

/** The key that acts, with the keys that created it. */
export interface ActingKey extends Rights, Pick<Caller, "keyId" | "parentId"> {
  readonly owner: KeyOwner | null;
  readonly ancestors: readonly string[];
}

/** @throws AppError `key_not_permitted` when the key lacks the scope. */
export function assertScope(
  { scopes, isSuperseded = false }: Pick<Caller, "scopes"> & Partial<Pick<Caller, "isSuperseded">>,
  scope: KeyScope,
): void {
  if (!scopes.includes(scope)) {
    throw new AppError(
      "key_not_permitted",
      `This key has no scope ${scope}. Use a key that has it, or ask the owner of the account.`,
      { details: { required_scope: scope, scopes } },
    );
  }
  if (scope === "manage" && isSuperseded) {
    throw new AppError(
      "key_not_permitted",
      "This key was rotated, and may not manage in its grace period. Use the new key.",
      { details: { required_scope: scope, is_superseded: true } },
    );
  }
}

/**
 * Checks that rights lie within those of another key, so that they can be given by it.
 *
 * @throws AppError `key_not_permitted`.
 */
export function assertWithin(giver: Rights, wanted: Rights): void {
  if (giver.mode === "test" && wanted.mode !== "test") {
    throw refusal("A test key can't create or change live keys.", { mode: giver.mode });
  }
  if (giver.hasBudget) {
    throw refusal("A key with a budget can't create or change other keys.", { has_budget: true });
  }
  if (giver.budgetId !== null && wanted.budgetId !== giver.budgetId) {
    throw refusal("This key can't leave its shared budget, and acts only on keys in it.", {
      budget_id: giver.budgetId,
    });
  }
  const scopes = missingScopes(giver, wanted);
  if (scopes.length > 0) {
    throw refusal(`This key has no scope ${scopes.join(", ")}, so it can't give it.`, { scopes });
  }
  if (giver.models.length > 0) {
    const models = wanted.models.filter((model) => !giver.models.includes(model));
    if (wanted.models.length === 0 || models.length > 0) {
      throw refusal(`This key can only give access to ${giver.models.join(", ")}.`, { models });
    }
  }
  if (giver.expiresAt !== null && endsLater(wanted.expiresAt, giver.expiresAt)) {
    const latest = giver.expiresAt.toISOString();
    throw refusal(`This key expires at ${latest}; a key that it creates can't outlive it.`, {
      expires_at: latest,
    });
  }
}

/**
 * Checks that a key may revoke another one: it has no more rights and did not create the acting key.
 *
 * @throws AppError `key_not_permitted`.
 */
export function assertMayEnd(actor: ActingKey, target: TargetKey): void {
  if (target.id === actor.keyId) return;
  if (actor.ancestors.includes(target.id)) {
    throw refusal("That key created this one, so this one can't act on it.", {
      key_id: target.id,
    });
  }
  assertStanding(actor, target);
  assertWithin(actor, target);
}

/** Whether a key may revoke another one, and end its sessions. */
export function mayEnd(actor: ActingKey, target: TargetKey): boolean {
  try {
    assertMayEnd(actor, target);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that a key may change or rotate another one. A key that was created by another one changes
 * only what it created itself: the rest would outlive it.
 *
 * @throws AppError `key_not_permitted`.
 */
export function assertMayChange(actor: ActingKey, target: TargetKey): void {
  assertMayEnd(actor, target);
  if (target.id === actor.keyId || actor.parentId === null) return;
  if (target.ancestors.includes(actor.keyId)) return;
  throw refusal("This key was created by another one, and did not create that key.", {
    key_id: target.id,
  });
}

/**
 * Returns the key whose rights a webhook has. One without a key is the operator's, with all that its
 * events need and without an end.
 *
 * @param maker the key that created it, which may have ended; null without one.
 */
export function makerOfWebhook(
  { events }: { readonly events: readonly EventType[] },
  maker: TargetKey | null,
): TargetKey {
  return (
    maker ?? {
      id: "",
      ancestors: [],
      owner: null,
      mode: "live",
      scopes: ["manage", ...(events.some(isJobEvent) ? (["read"] as const) : [])],
      models: [],
      expiresAt: null,
      hasBudget: false,
      budgetId: null,
    }
  );
}

/** @throws AppError `key_not_permitted` for events of jobs when the key lacks the scope `read`. */
export function assertMayReceive(actor: ActingKey, events: readonly EventType[]): void {
  if (events.some(isJobEvent)) assertScope(actor, "read");
}

/** @throws AppError `key_not_permitted` for a test key: its jobs cost nothing, and the rest is not its own. */
export function assertLive({ mode }: Pick<Caller, "mode">): void {
  if (mode === "live") return;
  throw new AppError(
    "key_not_permitted",
    "A test key only reads test jobs. Use a live key of the account.",
    { details: { mode } },
  );
}

/**
 * @throws AppError `key_not_permitted` for a test key, for a key with a budget, limited models or an
 *   expiry, and for a member below the role owner.
 */
export function assertMaySetAccount({ owner, ...rights }: Rights & Pick<ActingKey, "owner">): void {
  assertUnlimited(rights);
  if (owner === null || owner.role === "owner") return;
  throw new AppError(
    "key_not_permitted",
    `The role ${owner.role} can't change settings of the account. Ask an owner of the account.`,
    { details: { role: owner.role } },
  );
}

/** @throws AppError `key_not_permitted` for a test key and for one with a limit. */
export function assertUnlimited(rights: Rights): void {
  const { mode, models, expiresAt } = rights;
  assertLive({ mode });
  const hasBudget = rights.hasBudget || rights.budgetId !== null;
  if (!hasBudget && models.length === 0 && expiresAt === null) return;
  throw refusal(
    "A key with a budget, limited models or an expiry can't change settings of the account.",
    { has_budget: hasBudget, models, expires_at: expiresAt?.toISOString() ?? null },
  );
}

/** The scopes of the keys of members by their role, and how far they stand above others. */
const roles = {
  maker: { scopes: ["generate"], standing: 0 },
  manager: { scopes: ["generate", "read", "manage"], standing: 1 },
  owner: { scopes: ["generate", "read", "manage"], standing: 3 },
} as const satisfies Record<MemberRole, object>;

/** Keys that belong to no member: those of the operator stand above owners, and those that these created below owners. */
const standingWithoutMember = { ofOperator: 4, created: 2 };

/** Returns the scopes of the key of a member. */
export function scopesOfRole(
  role: MemberRole,
  { makersReadAll }: { readonly makersReadAll: boolean },
): readonly KeyScope[] {
  return role === "maker" && makersReadAll ? ["generate", "read"] : roles[role].scopes;
}

function standingOf({ owner, ancestors }: Pick<TargetKey, "owner" | "ancestors">): number {
  if (owner !== null) return roles[owner.role].standing;
  const { ofOperator, created } = standingWithoutMember;
  return ancestors.length === 0 ? ofOperator : created;
}

/** @throws AppError `key_not_permitted` for a key of another member with the same or a higher role. */
function assertStanding(actor: ActingKey, target: TargetKey): void {
  const ofSame = actor.owner?.memberId === target.owner?.memberId;
  if (ofSame || standingOf(actor) > standingOf(target)) return;
  throw new AppError(
    "key_not_permitted",
    target.owner === null
      ? "That key belongs to no member, and stands above this role. Use a key of the operator."
      : `That belongs to a member with the role ${target.owner.role}. Only a higher role acts on it, and the member itself.`,
    { details: { role: target.owner?.role ?? null } },
  );
}

/** Whether a key is the one that a member acts through. */
export function isKeyOfMember({ owner, ancestors }: TargetKey): boolean {
  return owner !== null && ancestors.length === 0;
}

/**
 * Checks that a key may act on members: it belongs to one, or to the operator. Keys that another key created may not,
 * since a member stays when the key that invited it ends.
 *
 * @throws AppError `key_not_permitted`.
 */
export function assertMayManageMembers(actor: ActingKey): void {
  assertUnlimited(actor);
  if (actor.parentId === null) return;
  throw new AppError(
    "key_not_permitted",
    "This key was created by another one, and can't act on members. Sign in as a member, or use a key of the operator.",
    { details: { created_by: actor.parentId } },
  );
}

/**
 * Checks that a key may act on the member who acts through another one: on itself, or on a lower role.
 *
 * @throws AppError `key_not_permitted`.
 */
export function assertMayActOnMember(actor: ActingKey, target: TargetKey): void {
  assertMayManageMembers(actor);
  if (target.id !== actor.keyId) assertStanding(actor, target);
}

/** @throws AppError `key_not_permitted` for a role that is not below that of the actor; an owner gives any. */
export function assertMayGiveRole(actor: ActingKey, role: MemberRole): void {
  const standing = standingOf(actor);
  if (standing >= roles.owner.standing || standing > roles[role].standing) return;
  throw new AppError(
    "key_not_permitted",
    `The role ${actor.owner?.role} can't give the role ${role}. Ask an owner of the account.`,
    { details: { role } },
  );
}

/**
 * Checks that keys and webhooks of a member may be handed over to another one. They may outlive the member who hands
 * them over, so that only a higher role does it, or an owner to another owner. A key with the scope `manage` does not
 * get a higher role.
 *
 * @param from,to the keys of both members.
 * @param created the keys that the first one created.
 * @throws AppError `key_not_permitted`.
 */
export function assertMayHandOver(
  actor: ActingKey,
  { from, to }: { readonly from: TargetKey; readonly to: TargetKey },
  created: readonly TargetKey[],
): void {
  assertMayManageMembers(actor);
  if (from.id !== actor.keyId) {
    assertStanding(actor, from);
  } else if (from.owner?.role !== "owner" || to.owner?.role !== "owner") {
    throw new AppError(
      "key_not_permitted",
      "Only an owner hands over to another owner by itself. Ask a member with a higher role to hand it over.",
      { details: { role: from.owner?.role ?? null } },
    );
  }
  for (const key of created) {
    assertWithin(to, key);
    if (key.scopes.includes("manage") && standingOf(to) > standingOf(from)) {
      throw new AppError(
        "key_not_permitted",
        "A key with the scope manage can't be handed over to a higher role, which it would get. Remove the scope, or revoke the key.",
        { details: { key_id: key.id } },
      );
    }
  }
}

/** Rights of a key after those of the key that created it were reduced; null when none are left. */
export function narrow(rights: Rights, giver: Rights): Rights | null {
  const scopes = rights.scopes.filter((scope) => giver.scopes.includes(scope));
  const models =
    giver.models.length === 0
      ? rights.models
      : rights.models.length === 0
        ? giver.models
        : rights.models.filter((model) => giver.models.includes(model));
  if (scopes.length === 0) return null;
  if (models.length === 0 && giver.models.length > 0) return null;
  const expiresAt =
    giver.expiresAt !== null && endsLater(rights.expiresAt, giver.expiresAt)
      ? giver.expiresAt
      : rights.expiresAt;
  return { ...rights, scopes, models, expiresAt, budgetId: giver.budgetId ?? rights.budgetId };
}

const isJobEvent = (type: EventType) => type.startsWith("job.") || type.startsWith("batch.");

function missingScopes(giver: Rights, wanted: Rights): KeyScope[] {
  return wanted.scopes.filter((scope) => !giver.scopes.includes(scope));
}

function endsLater(end: Date | null, other: Date): boolean {
  return end === null || end > other;
}

function refusal(message: string, details: Record<string, unknown>): AppError {
  return new AppError(
    "key_not_permitted",
    `${message} Use a key of the account without this limit.`,
    { details },
  );
}
