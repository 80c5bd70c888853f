import { AppError, type EventType, type KeyMode, type KeyScope } from "@atelier/schemas";
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
 * - Settings of the account and its budgets are for live keys without budget, model limit or expiry.
 * - A rotated secret in its grace period may not manage.
 *
 * `manage` reads the rights under the lock under which they change.
 */

/** The rights of a key, and when they end. */
export type Rights = Pick<KeySettings, "scopes" | "models" | "expiresAt" | "budgetId"> & {
  readonly mode: KeyMode;
  readonly hasBudget: boolean;
};

/** A key as another one acts on it. */
export interface TargetKey extends Rights {
  readonly id: string;
  /** The keys that created it, directly or through others. */
  readonly ancestors: readonly string[];
}

/** The key that acts, with the keys that created it. */
export interface ActingKey extends Rights, Pick<Caller, "keyId" | "parentId"> {
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
 * @throws AppError `key_not_permitted` for a test key, and for a key with a budget, limited models or an
 *   expiry.
 */
export function assertMaySetAccount(rights: Rights): void {
  const { mode, models, expiresAt } = rights;
  assertLive({ mode });
  const hasBudget = rights.hasBudget || rights.budgetId !== null;
  if (!hasBudget && models.length === 0 && expiresAt === null) return;
  throw refusal(
    "A key with a budget, limited models or an expiry can't change settings of the account.",
    { has_budget: hasBudget, models, expires_at: expiresAt?.toISOString() ?? null },
  );
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
