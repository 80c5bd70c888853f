import type { Caller } from "@atelier/accounts";
import { newId, statement, type Database, type Sql } from "@atelier/database";
import { itemNotFound, namesOf, quotas, type KeyMode } from "@atelier/schemas";
import { resources, type ResourceName } from "@atelier/schemas/resources";
import { lockToChange } from "./lock-to-change.ts";
import { tooManyItems } from "./too-many-items.ts";

/** The account of an item, and the mode of the key that created it. */
export interface Owner {
  readonly accountId: string;
  readonly mode: KeyMode;
}

/** Whose items are read; a null mode is both modes. */
type Reader = Pick<Owner, "accountId"> & { readonly mode: KeyMode | null };

/** The rows of one resource. */
export interface Items<Stored> {
  readonly resource: ResourceName;
  /** Finds an item by its id; null if none exists. */
  readonly find: (sql: Sql, item: Reader & { readonly id: string }) => Promise<Stored | null>;
  /**
   * Lists items, the newest first.
   *
   * @param page.beforeId the last id of the previous page; null for the first.
   */
  readonly list: (
    sql: Sql,
    page: Reader & { readonly beforeId: string | null; readonly limit: number },
  ) => Promise<Stored[]>;
  /**
   * Finds the item that has a name; undefined if none has.
   *
   * @param exceptId an item that is not found.
   */
  readonly findNamed: (
    sql: Sql,
    owner: Owner,
    name: string,
    exceptId?: string,
  ) => Promise<Stored | undefined>;
  /**
   * Counts the items, exactly while the account is locked.
   *
   * @throws AppError `too_many_items` when there is no room for another one.
   */
  readonly assertRoom: (sql: Sql, owner: Owner) => Promise<void>;
  /**
   * Deletes an item.
   *
   * @throws AppError `<singular>_not_found`, or the reason why the caller lost its rights.
   */
  readonly remove: (database: Database, caller: Caller, id: string) => Promise<void>;
}

/**
 * @param columns SQL columns of what is stored.
 * @param deleteParts deletes rows of other tables, after those of an item.
 */
export function createItems<Stored>(
  resource: ResourceName,
  columns: string,
  deleteParts?: (sql: Sql, id: string) => Promise<unknown>,
): Items<Stored> {
  const table = resources[resource].singular;
  const newest = statement(
    ["accountId", "mode", "beforeId", "limit"],
    `SELECT ${columns} FROM ${table}
      WHERE account_id = :accountId AND (:mode::key_mode IS NULL OR mode = :mode)
        AND (:beforeId::uuid IS NULL OR id < :beforeId)
      ORDER BY id DESC LIMIT :limit`,
  );
  // Older names may have other Unicode forms of the same text.
  const named = statement(
    ["accountId", "mode", "name", "exceptId"],
    `SELECT ${columns} FROM ${table}
      WHERE account_id = :accountId AND mode = :mode AND normalize(name, NFC) = :name
        AND (:exceptId::uuid IS NULL OR id <> :exceptId)
      ORDER BY name = :name DESC, id LIMIT 1`,
  );
  return {
    resource,
    async find(sql, { accountId, mode, id }) {
      const [found] = await sql.query<Stored & object>(
        `SELECT ${columns} FROM ${table}
          WHERE id = $1 AND account_id = $2 AND ($3::key_mode IS NULL OR mode = $3)`,
        [id, accountId, mode],
      );
      return found ?? null;
    },
    list: (sql, page) => sql.query<Stored & object>(...newest.bind(page)),
    async findNamed(sql, { accountId, mode }, name, exceptId) {
      const values = { accountId, mode, name, exceptId: exceptId ?? null };
      const [found] = await sql.query<Stored & object>(...named.bind(values));
      return found;
    },
    async assertRoom(sql, { accountId, mode }) {
      const [counted] = await sql.query<{ items: number }>(
        `SELECT count(*)::int AS items FROM ${table} WHERE account_id = $1 AND mode = $2`,
        [accountId, mode],
      );
      const quota = quotas[resource];
      if ((counted?.items ?? 0) >= quota[mode]) throw tooManyItems(mode, quota, "Delete one.");
    },
    async remove(database, caller, id) {
      let isDeleted = false;
      await database.transaction(async (sql) => {
        const { accountId, mode } = await lockToChange(sql, caller);
        const deleted = await sql.query(
          `DELETE FROM ${table} WHERE id = $1 AND account_id = $2 AND mode = $3 RETURNING id`,
          [id, accountId, mode],
        );
        // The transaction was committed, and its response lost.
        if (deleted.length === 0 && isDeleted) return;
        if (deleted.length === 0) throw itemNotFound(resource);
        await deleteParts?.(sql, id);
        isDeleted = true;
      });
    },
  };
}

/** An item that an account saved under a name, with the properties of its resource. */
export type SavedItem<Values> = Values & {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly savedAt: Date;
};

/** The rows of a resource whose items are saved under a name. */
export interface SavedItems<Values> extends Items<SavedItem<Values>> {
  /**
   * Saves an item, in place of the one that has the name. Can be repeated.
   *
   * @throws AppError `too_many_items`, or the reason why the caller lost its rights.
   */
  readonly save: (
    database: Database,
    caller: Caller,
    item: Values & { readonly name: string },
  ) => Promise<{ readonly item: SavedItem<Values>; readonly isNew: boolean }>;
}

/** @param properties those of an item besides its name, which have the names of their columns. */
export function createSavedItems<Values extends object>(
  resource: ResourceName,
  properties: { readonly [Name in keyof Values & string]-?: true },
): SavedItems<Values> {
  type Saved = SavedItem<Values>;
  const own = namesOf(properties);
  const columns = `id, name, ${own.join(", ")}, created_at AS "createdAt", saved_at AS "savedAt"`;
  const items = createItems<Saved>(resource, columns);
  const save = statement(
    ["id", "accountId", "mode", "name", ...own] as string[],
    `INSERT INTO ${resources[resource].singular} (id, account_id, mode, name, ${own.join(", ")})
     VALUES (:id, :accountId, :mode, :name, ${own.map((column) => `:${column}`).join(", ")})
     ON CONFLICT (account_id, mode, name) DO UPDATE
       SET ${own.map((column) => `${column} = excluded.${column}, `).join("")} saved_at = now()
     RETURNING ${columns}`,
  );
  return {
    ...items,
    save(database, caller, given) {
      const id = newId();
      return database.transaction(async (sql) => {
        const owner = await lockToChange(sql, caller);
        const existing = await items.findNamed(sql, owner, given.name);
        if (existing === undefined) await items.assertRoom(sql, owner);
        const { accountId, mode } = owner;
        const name = existing?.name ?? given.name;
        const values = Object.fromEntries(own.map((column) => [column, toColumn(given[column])]));
        const [saved] = await sql.query<Saved>(
          ...save.bind({ ...values, id, accountId, mode, name }),
        );
        if (saved === undefined) throw new Error("nothing was saved");
        return { item: saved, isNew: saved.id === id };
      });
    },
  };
}

/** Lists and objects are JSON. */
function toColumn(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
