import { createKey, listKeys, revokeKey, type ApiKeyInfo } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import { requireAccount } from "./accounts.ts";
import { table, type Answer } from "./answer.ts";

/**
 * Makes a key and shows it, this one time.
 *
 * @throws Error when there is no such account, or no pepper: the key would open nothing.
 */
export async function create(
  database: Database,
  accountId: string,
  options: { readonly name: string; readonly pepper: string | null },
): Promise<Answer> {
  const { name, pepper } = options;
  if (pepper === null) {
    throw new Error("KEY_PEPPER is needed to make a key: set it to the one that the API has.");
  }
  const account = await requireAccount(database, accountId);
  const { id, key } = await createKey(database, { accountId, name, pepper });
  return {
    json: { id, account_id: accountId, name, api_key: key },
    text:
      `A key for "${account.name}", with the id ${id}:\n\n  ${key}\n\n` +
      "It is shown this one time and can't be read again: keep it now.",
  };
}

/** @throws Error when there is no such account. */
export async function list(database: Database, accountId: string): Promise<Answer> {
  await requireAccount(database, accountId);
  const keys = await listKeys(database, accountId);
  const headings = ["ID", "NAME", "ENDS WITH", "STATUS", "CREATED"];
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.lastFour,
    statusOf(key),
    key.createdAt.toISOString(),
  ]);
  return { json: { keys: keys.map(asJson) }, text: table(headings, rows) };
}

/** @throws Error when there is no such key, or it was revoked before. */
export async function revoke(database: Database, keyId: string): Promise<Answer> {
  if (!(await revokeKey(database, keyId))) {
    throw new Error(`There is no key with the id ${keyId} that still works.`);
  }
  return { json: { id: keyId, status: "revoked" }, text: "The key is revoked and opens nothing." };
}

function statusOf(key: ApiKeyInfo): string {
  return key.revokedAt === null ? "active" : "revoked";
}

function asJson(key: ApiKeyInfo): object {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    status: statusOf(key),
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
