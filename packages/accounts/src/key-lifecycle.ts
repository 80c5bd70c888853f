import { newId, statement, type Database, type Sql } from "@atelier/database";
import { pepperId } from "@atelier/kit";
import { AppError, invalidRequest, type KeyMode, quotas } from "@atelier/schemas";
import { endWithKeys, revokeLineage, type Ended } from "./end-keys.ts";
import { isValidKey } from "./key-conditions.ts";
import { hashKey, makeKey } from "./key-format.ts";
import type { KeySettings } from "./keys.ts";
import type { LineageKey } from "./lineage.ts";
import { lockAccount, lockSessions, type Managing } from "./manage.ts";
import {
  assertMayChange,
  assertMayEnd,
  assertWithin,
  isKeyOfMember,
  narrow,
  type Rights,
} from "./rights.ts";

/** Settings of a key without its budget. */
export type KeyLimits = Partial<Omit<KeySettings, "budgetMicroEur" | "budgetPeriod">>;

/** A secret that is shown once, and how it is stored. */
export interface NewSecret {
  readonly id: string;
  readonly mode: KeyMode;
  readonly key: string;
  readonly hash: Uint8Array;
  /** Pepper of the hash. */
  readonly pepperId: string;
}

/** Makes the secret of a new or rotated key, before the transaction that stores it. */
export function makeSecretKey(pepper: string, mode: KeyMode = "live"): NewSecret {
  const key = makeKey(mode);
  return { id: newId(), mode, key, hash: hashKey(key, pepper), pepperId: pepperId(pepper) };
}

/**
 * Creates a key that belongs to the acting key. Omitted settings are those of that key.
 *
 * @throws AppError `key_not_permitted` or `too_many_keys`, or `invalid_request` for an unknown shared budget.
 */
export async function mintKey(
  managing: Managing,
  secret: NewSecret,
  settings: Partial<KeySettings> & Pick<KeySettings, "name">,
): Promise<void> {
  const { actor } = managing;
  const { scopes, models, expiresAt, budgetId } = actor;
  const { mode } = secret;
  const wanted = { scopes, models, expiresAt, budgetId, budgetMicroEur: null, ...settings, mode };
  assertWithin(actor, { ...wanted, hasBudget: wanted.budgetMicroEur !== null });
  await assertBudgetExists(managing.sql, managing.accountId, wanted.budgetId);
  await insertNewKey(managing, secret, {
    ...wanted,
    budgetPeriod: wanted.budgetPeriod ?? "total",
    parentId: actor.keyId,
  });
}

/** Creates a key, for which the caller has checked the rights. @throws AppError `too_many_keys`. */
export async function insertNewKey(
  { sql, accountId }: Pick<Managing, "sql" | "accountId">,
  secret: NewSecret,
  { parentId, ...settings }: KeySettings & { readonly parentId: string | null },
): Promise<void> {
  const { mode } = secret;
  await sql.query(
    ...insertKey.bind({
      id: secret.id,
      accountId,
      parentId,
      mode,
      name: settings.name,
      hash: secret.hash,
      pepperId: secret.pepperId,
      lastFour: secret.key.slice(-4),
      scopes: settings.scopes,
      models: settings.models,
      budgetMicroEur: settings.budgetMicroEur,
      budgetPeriod: settings.budgetPeriod,
      budgetId: settings.budgetId,
      expiresAt: settings.expiresAt,
    }),
  );
  await assertFewKeys(sql, accountId, mode);
}

/** @throws AppError `too_many_keys` when the account has more valid keys than it may. */
export async function assertFewKeys(sql: Sql, accountId: string, mode: KeyMode): Promise<void> {
  const most = quotas.keys[mode];
  if ((await countValidKeys(sql, accountId, mode)) > most) throw tooManyKeys(most);
}

// A second run after a lost response inserts nothing.
const insertKey = statement(
  [
    "id",
    "accountId",
    "parentId",
    "mode",
    "name",
    "hash",
    "pepperId",
    "lastFour",
    "scopes",
    "models",
    "budgetMicroEur",
    "budgetPeriod",
    "budgetId",
    "expiresAt",
  ],
  `INSERT INTO api_key (id, account_id, parent_id, mode, name, hash, pepper_id, last_four, scopes, models,
                        budget_micro_eur, budget_period, budget_id, expires_at)
   VALUES (:id, :accountId, :parentId, :mode::key_mode, :name, :hash, :pepperId, :lastFour, :scopes::text[], :models::text[],
           :budgetMicroEur::bigint, :budgetPeriod::budget_period, :budgetId::uuid, :expiresAt::timestamptz)
   ON CONFLICT (id) DO NOTHING`,
);

/** A change of a key. */
export interface KeyChange {
  readonly limits: KeyLimits;
  /** Whether it will have a budget; undefined when the budget stays as it is. */
  readonly hasBudget: boolean | undefined;
}

/**
 * Changes the settings of a key, except its budget, for which it checks the rights (see
 * `setKeyBudget`). Keys that it created are reduced with it; those without a right left end.
 *
 * @throws AppError `key_not_permitted`, or `invalid_request` for a budget of a key that created others and for an
 *   unknown shared budget.
 */
export async function changeKey(
  managing: Managing,
  target: LineageKey,
  { limits, hasBudget }: KeyChange,
): Promise<Ended> {
  const { actor, lineage } = managing;
  const wanted: Rights = {
    mode: target.mode,
    scopes: limits.scopes ?? target.scopes,
    models: limits.models ?? target.models,
    expiresAt: limits.expiresAt === undefined ? target.expiresAt : limits.expiresAt,
    hasBudget: hasBudget ?? target.hasBudget,
    budgetId: limits.budgetId === undefined ? target.budgetId : limits.budgetId,
  };
  assertMayChange(actor, target);
  if (isKeyOfMember(target)) assertOnlyLimits(target, limits);
  if (target.id === actor.keyId) {
    if (actor.hasBudget && hasBudget !== undefined) throw ownBudget();
    assertWithin({ ...actor, hasBudget: false }, wanted);
  } else {
    assertWithin(actor, wanted);
    const maker = target.parentId === null ? null : lineage.find(target.parentId);
    if (maker !== null) assertWithin(maker, wanted);
  }
  const descendants = lineage.descendantsOf(target.id);
  if (wanted.hasBudget && descendants.length > 0) throw budgetOfMaker(descendants.length);
  if (wanted.budgetId !== target.budgetId) {
    await assertBudgetExists(managing.sql, managing.accountId, wanted.budgetId);
  }
  return writeRights(managing, target.id, { ...wanted, name: limits.name ?? null });
}

/**
 * Writes the rights of a key, for which the caller has checked that they may be given, and reduces the keys that it
 * created. Those without a right left end.
 *
 * @param wanted.name null to keep it.
 */
export async function writeRights(
  { sql, accountId, lineage }: Pick<Managing, "sql" | "accountId" | "lineage">,
  keyId: string,
  wanted: Rights & { readonly name: string | null },
): Promise<Ended> {
  const descendants = lineage.descendantsOf(keyId);
  const { name, scopes, models, expiresAt, budgetId } = wanted;
  await sql.query(...updateKey.bind({ id: keyId, name, scopes, models, budgetId, expiresAt }));
  await narrowDescendants(sql, accountId, descendants, new Map([[keyId, wanted]]));
  const [ended] = await sql.query<{ keys: number }>(
    `SELECT count(*)::int AS keys FROM api_key
      WHERE id = ANY ($1::uuid[]) AND NOT ${isValidKey("api_key")}`,
    [descendants.map(({ id }) => id)],
  );
  return { keys: ended?.keys ?? 0, ...(await endWithKeys(sql, accountId)) };
}

const updateKey = statement(
  ["id", "name", "scopes", "models", "budgetId", "expiresAt"],
  `UPDATE api_key SET name = coalesce(:name::text, name), scopes = :scopes::text[],
                      models = :models::text[], budget_id = :budgetId::uuid, expires_at = :expiresAt::timestamptz
    WHERE id = :id`,
);

/**
 * Reduces the keys that a key created to its new rights.
 *
 * @param descendants nearest first.
 * @param rights new rights by key id; extended by those of the descendants.
 */
async function narrowDescendants(
  sql: Sql,
  accountId: string,
  descendants: readonly LineageKey[],
  rights: Map<string, Rights>,
): Promise<void> {
  for (const descendant of descendants) {
    const giver = rights.get(descendant.parentId ?? "");
    const narrowed = giver === undefined ? null : narrow(descendant, giver);
    if (narrowed === null) {
      await revokeLineage(sql, { accountId, keyId: descendant.id });
      continue;
    }
    rights.set(descendant.id, narrowed);
    const { scopes, models, budgetId, expiresAt } = narrowed;
    await sql.query(
      ...updateKey.bind({ id: descendant.id, name: null, scopes, models, budgetId, expiresAt }),
    );
  }
}

/**
 * Revokes a key with what it created: keys, webhooks and sessions.
 *
 * @throws AppError `key_not_permitted`.
 */
export async function endKey(
  { sql, accountId, actor }: Managing,
  target: LineageKey,
): Promise<Ended> {
  assertMayEnd(actor, target);
  if (isKeyOfMember(target)) throw keyOfMember(target.id);
  return endLineage(sql, { accountId, keyId: target.id });
}

/**
 * Revokes a key on behalf of the operator, with what it created.
 *
 * @returns null when there is no such key or it was revoked.
 */
export function revokeKey(
  database: Pick<Database, "transaction">,
  keyId: string,
): Promise<Ended | null> {
  return database.transaction(async (sql) => {
    const [key] = await sql.query<{ accountId: string }>(
      `SELECT account_id AS "accountId" FROM api_key WHERE id = $1`,
      [keyId],
    );
    if (key === undefined) return null;
    await lockSessions(sql, key.accountId);
    await lockAccount(sql, key.accountId);
    const valid = await sql.query("SELECT FROM api_key WHERE id = $1 AND revoked_at IS NULL", [
      keyId,
    ]);
    return valid.length === 0 ? null : endLineage(sql, { ...key, keyId });
  });
}

/** Revokes a key with what it created, for which the caller has checked the rights. */
export async function endLineage(
  sql: Sql,
  key: { readonly accountId: string; readonly keyId: string },
): Promise<Ended> {
  const keys = await revokeLineage(sql, key);
  return { keys, ...(await endWithKeys(sql, key.accountId)) };
}

/**
 * Replaces the secret of a key, which keeps its id, settings and spending. The old secret works for the
 * grace period; one that was still in such a period ends now, with the sessions that it opened.
 *
 * @param graceMs grace period in milliseconds.
 * @returns false for a revoked key.
 * @throws AppError `key_not_permitted`.
 */
export async function rotateKey(
  { sql, actor }: Managing,
  target: LineageKey,
  { secret, graceMs }: { readonly secret: NewSecret; readonly graceMs: number },
): Promise<boolean> {
  assertMayChange(actor, target);
  if (isKeyOfMember(target)) throw keyOfMember(target.id);
  return replaceSecret(sql, target.id, { secret, graceMs });
}

/**
 * Replaces the secret of a key, for which the caller has checked the rights.
 *
 * @returns false for a revoked key.
 */
export async function replaceSecret(
  sql: Sql,
  keyId: string,
  { secret, graceMs }: { readonly secret: NewSecret; readonly graceMs: number },
): Promise<boolean> {
  const rotated = await sql.query(
    ...updateSecret.bind({
      keyId,
      hash: secret.hash,
      pepperId: secret.pepperId,
      lastFour: secret.key.slice(-4),
      graceMs,
    }),
  );
  await sql.query("DELETE FROM studio_session WHERE key_id = $1 AND is_superseded", [keyId]);
  return rotated.length > 0;
}

// A second run after a lost response keeps the hash of the old secret.
const updateSecret = statement(
  ["keyId", "hash", "pepperId", "lastFour", "graceMs"],
  `UPDATE api_key
        SET previous_hash = CASE WHEN hash = :hash THEN previous_hash ELSE hash END,
            previous_expires_at = now() + :graceMs * interval '1 ms',
            hash = :hash, last_four = :lastFour,
            -- The previous hash may need another pepper.
            pepper_id = CASE WHEN pepper_id = :pepperId THEN pepper_id END
      WHERE id = :keyId AND revoked_at IS NULL RETURNING id`,
);

/** @throws AppError `invalid_request` for the id of a budget that the account does not have; a key may be without one. */
async function assertBudgetExists(
  sql: Sql,
  accountId: string,
  budgetId: string | null,
): Promise<void> {
  if (budgetId === null) return;
  const found = await sql.query("SELECT FROM budget WHERE id = $1 AND account_id = $2", [
    budgetId,
    accountId,
  ]);
  if (found.length > 0) return;
  const message = "is not a budget of this account; GET /v1/budgets lists them";
  throw invalidRequest({ path: "budget_id", code: "custom", message });
}

/** Counts keys of an account that are neither revoked nor expired. */
async function countValidKeys(sql: Sql, accountId: string, mode: KeyMode): Promise<number> {
  const [valid] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_key
      WHERE account_id = $1 AND mode = $2 AND ${isValidKey("api_key")}`,
    [accountId, mode],
  );
  return valid?.count ?? 0;
}

/** The time in a number of days, by the database's clock. */
export async function timeInDays(sql: Sql, days: number): Promise<Date> {
  const [row] = await sql.query<{ time: Date }>(
    "SELECT now() + $1::int * interval '1 day' AS time",
    [days],
  );
  if (row === undefined) throw new Error("the time is one row");
  return row.time;
}

function tooManyKeys(most: number): AppError {
  return new AppError(
    "too_many_keys",
    `The account has ${most} keys of this mode, which is the limit. Revoke one that you no longer use.`,
    { details: { max_keys: most } },
  );
}

/**
 * Checks that a change of the key of a member leaves what follows from its role.
 *
 * @throws AppError `key_not_permitted`; makers may have a budget and limited models.
 */
function assertOnlyLimits({ id, owner }: LineageKey, limits: KeyLimits): void {
  const { name, scopes, expiresAt } = limits;
  const isFixed = [name, scopes, expiresAt].every((value) => value === undefined);
  if (!isFixed || owner?.role !== "maker") throw keyOfMember(id);
}

function keyOfMember(keyId: string): AppError {
  return new AppError(
    "key_not_permitted",
    "A member acts through this key. Change the member with /v1/members; only the budget and models of a maker are set here.",
    { details: { key_id: keyId } },
  );
}

function ownBudget(): AppError {
  return new AppError(
    "key_not_permitted",
    "A key can't change its own budget. Use a key of the account without this limit.",
    { details: { has_budget: true } },
  );
}

function budgetOfMaker(keys: number): AppError {
  const message = `must be null for a key that created others; revoke its ${keys} valid keys first`;
  return new AppError("invalid_request", `budget ${message}.`, {
    details: [{ path: "budget", code: "custom", message }],
  });
}
