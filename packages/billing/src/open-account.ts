import { insertAccount, insertKey, prepareKey, revokeUnused, type NewKey } from "@atelier/accounts";
import { recordOperation } from "@atelier/audit";
import { newId, type Database, type Sql } from "@atelier/database";
import type { KeyMode, Strictness } from "@atelier/schemas";
import { topUp } from "./ledger.ts";

/** An account to create, at most once for an external id. */
export interface WantedAccount {
  readonly name: string;
  readonly externalId: string | null;
  readonly strictness: Strictness | null;
  readonly creditMicroEur: bigint;
  /** Null for no key. */
  readonly key: {
    readonly name: string;
    readonly mode: KeyMode;
    readonly pepper: string;
    /** Whether an existing account gets a new key if its keys of that name are unused. */
    readonly rotatesUnused: boolean;
    /** Called before the commit: a key that is not stored durably would be lost. */
    readonly store: (key: NewKey, accountId: string) => Promise<void>;
  } | null;
}

/** The creation, for the operator log. */
interface Recorded {
  readonly actor: string;
  /** The command, such as `accounts import`. */
  readonly action: string;
  /** The key that chains the log; null when the installation has none. */
  readonly operatorLogKey: string | null;
  /** Null for a command. */
  readonly requestId: string | null;
}

/** The outcome of an account. */
export interface CreatedAccount {
  readonly id: string;
  readonly outcome: "created" | "exists" | "key rotated";
}

/**
 * Creates an account with its credit and key, and the line of the operator log, in one transaction. If its external
 * id exists, nothing is changed, except for a key that is rotated.
 */
export function createAccountOnce(
  database: Pick<Database, "transaction">,
  wanted: WantedAccount,
  recorded: Recorded,
): Promise<CreatedAccount> {
  const { name, externalId, strictness, creditMicroEur, key } = wanted;
  const id = newId();
  let stored: { readonly key: NewKey; readonly accountId: string } | null = null;
  let outcome: CreatedAccount["outcome"] | null = null;
  return database.transaction(async (sql) => {
    const account = await insertAccount(sql, { id, name, strictness, externalId });
    // An earlier run was committed, and only its response was lost.
    if (!account.isNew && outcome !== null) {
      const isOwn = account.id === id || (await hasKey(sql, stored?.key));
      if (isOwn) return { id: account.id, outcome };
    }
    if (!account.isNew) {
      if (key?.rotatesUnused !== true) return { id: account.id, outcome: "exists" };
      if ((await revokeUnused(sql, account.id, key.name)) === null) {
        return { id: account.id, outcome: "exists" };
      }
    } else if (creditMicroEur > 0n) {
      const reference = `opening-${externalId ?? id}`;
      await topUp(sql, { accountId: id, amountMicroEur: creditMicroEur, reference });
    }
    if (key !== null) {
      // A run that is repeated inserts the key that is stored, unless the account is another one by now.
      if (stored?.accountId !== account.id) {
        const made = prepareKey(key.name, key.mode);
        await key.store(made, account.id);
        stored = { key: made, accountId: account.id };
      }
      await insertKey(sql, account.id, stored.key, key.pepper);
    }
    await recordOperation(sql, recorded.operatorLogKey, {
      actor: recorded.actor,
      action: recorded.action,
      targetId: account.id,
      fields: [
        ...(account.isNew ? ["name", "strictness"] : []),
        ...(account.isNew && creditMicroEur > 0n ? ["balance"] : []),
        ...(key === null ? [] : ["key"]),
      ],
      requestId: recorded.requestId,
      personal: { accountId: account.id, values: { name } },
    });
    outcome = account.isNew ? "created" : "key rotated";
    return { id: account.id, outcome };
  });
}

async function hasKey(sql: Sql, key: NewKey | undefined): Promise<boolean> {
  if (key === undefined) return false;
  return (await sql.query("SELECT FROM api_key WHERE id = $1", [key.id])).length > 0;
}
