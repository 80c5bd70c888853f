import type { Caller } from "@atelier/accounts";
import { newId, statement, type Database, type Sql } from "@atelier/database";
import { AppError, quotas, type KeyMode, type Operation } from "@atelier/schemas";
import type { NewPreset } from "@atelier/schemas/endpoints";
import { lockToChange } from "./lock-to-change.ts";
import { tooManyItems } from "./too-many-items.ts";

/** The properties of a request that an account saved under a name. */
export interface StoredPreset {
  readonly id: string;
  readonly name: string;
  readonly operation: Operation;
  readonly request: Record<string, unknown>;
  readonly createdAt: Date;
  readonly savedAt: Date;
}

/** The account of a preset, and the mode of the key that saved it. */
interface PresetOwner {
  readonly accountId: string;
  /** Null for both modes. */
  readonly mode: KeyMode | null;
}

const columns = `id, name, operation, request, created_at AS "createdAt", saved_at AS "savedAt"`;

/**
 * Saves a preset, in place of the one that has the name. Can be repeated.
 *
 * @throws AppError `too_many_items`, or the reason why the caller lost its rights.
 */
export function savePreset(
  database: Database,
  caller: Caller,
  { operation, request, ...given }: NewPreset,
): Promise<{ readonly preset: StoredPreset; readonly isNew: boolean }> {
  const id = newId();
  return database.transaction(async (sql) => {
    // The lock of the account makes the count exact.
    const { accountId, mode } = await lockToChange(sql, caller);
    // An older name may have another Unicode form of the same text.
    const [existing] = await sql.query<{ name: string }>(
      `SELECT name FROM preset
        WHERE account_id = $1 AND mode = $2 AND normalize(name, NFC) = $3
        ORDER BY name = $3 DESC, id LIMIT 1`,
      [accountId, mode, given.name],
    );
    const name = existing?.name ?? given.name;
    const [counted] = await sql.query<{ others: number }>(
      `SELECT count(*)::int AS others FROM preset
        WHERE account_id = $1 AND mode = $2::key_mode AND name <> $3::text`,
      [accountId, mode, name],
    );
    if ((counted?.others ?? 0) >= quotas.presets[mode]) {
      throw tooManyItems(mode, quotas.presets, "Delete one.");
    }
    const values = { id, accountId, mode, name, operation, request: JSON.stringify(request) };
    const [saved] = await sql.query<StoredPreset>(...save.bind(values));
    if (saved === undefined) throw new Error("no preset was saved");
    return { preset: saved, isNew: saved.id === id };
  });
}

const save = statement(
  ["id", "accountId", "mode", "name", "operation", "request"],
  `INSERT INTO preset (id, account_id, mode, name, operation, request)
   VALUES (:id, :accountId, :mode, :name, :operation, :request::jsonb)
   ON CONFLICT (account_id, mode, name) DO UPDATE
     SET operation = excluded.operation, request = excluded.request, saved_at = now()
   RETURNING ${columns}`,
);

/** Finds a preset of an owner by its id; null if none exists. */
export async function findPreset(
  sql: Sql,
  { accountId, mode, id }: PresetOwner & { readonly id: string },
): Promise<StoredPreset | null> {
  const [found] = await sql.query<StoredPreset>(
    `SELECT ${columns} FROM preset
      WHERE id = $1 AND account_id = $2 AND ($3::key_mode IS NULL OR mode = $3)`,
    [id, accountId, mode],
  );
  return found ?? null;
}

/**
 * Lists presets of an owner, the newest first.
 *
 * @param page.beforeId the last id of the previous page; null for the first.
 */
export function listPresets(
  sql: Sql,
  page: PresetOwner & { readonly beforeId: string | null; readonly limit: number },
): Promise<StoredPreset[]> {
  return sql.query<StoredPreset>(...newest.bind(page));
}

const newest = statement(
  ["accountId", "mode", "beforeId", "limit"],
  `SELECT ${columns} FROM preset
    WHERE account_id = :accountId AND (:mode::key_mode IS NULL OR mode = :mode)
      AND (:beforeId::uuid IS NULL OR id < :beforeId)
    ORDER BY id DESC LIMIT :limit`,
);

/**
 * Deletes a preset.
 *
 * @throws AppError `preset_not_found`, or the reason why the caller lost its rights.
 */
export function deletePreset(database: Database, caller: Caller, id: string): Promise<void> {
  let isDeleted = false;
  return database.transaction(async (sql) => {
    const { accountId, mode } = await lockToChange(sql, caller);
    const deleted = await sql.query(
      "DELETE FROM preset WHERE id = $1 AND account_id = $2 AND mode = $3 RETURNING id",
      [id, accountId, mode],
    );
    // The transaction was committed, and its response lost.
    if (deleted.length === 0 && !isDeleted) throw presetNotFound();
    isDeleted = true;
  });
}

/** The error for a preset that does not exist. */
export function presetNotFound(): AppError {
  return new AppError(
    "preset_not_found",
    "There is no preset with this id. GET /v1/presets lists your presets.",
  );
}
