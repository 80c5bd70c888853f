import { createKey, listKeys, revokeKey, type ApiKeyInfo } from "@atelier/accounts";
import type { Database } from "@atelier/database";
import { parseEur, type KeyMode } from "@atelier/schemas";
import { requireAccount } from "./accounts.ts";
import { table, type Answer } from "./answer.ts";
import { periodOf, type KeyFlags } from "./key-limits.ts";

/**
 * Creates a key and shows it once.
 *
 * @throws Error for an unknown account or a period without a budget, or without a pepper, because the key would not work.
 */
export async function create(
  database: Database,
  accountId: string,
  options: KeyFlags & {
    readonly name: string;
    readonly mode: KeyMode;
    readonly pepper: string | null;
  },
): Promise<Answer> {
  const { name, mode, pepper, scopes, models, budget, expires } = options;
  const period = periodOf(options);
  if (pepper === null) {
    throw new Error(
      "KEY_PEPPER is required to create a key. Set it to the value that the API uses.",
    );
  }
  const account = await requireAccount(database, accountId);
  if (account.erasedAt !== null) throw new Error("The account was erased. Create another one.");
  const { id, key } = await createKey(database, {
    accountId,
    name,
    mode,
    pepper,
    ...(scopes && { scopes }),
    ...(models && { models }),
    ...(budget !== undefined && { budgetMicroEur: parseEur(budget), budgetPeriod: period }),
    ...(expires !== undefined && { expiresAt: new Date(expires) }),
  });
  return {
    json: { id, account_id: accountId, name, mode, api_key: key },
    text: `Key ${id} for "${account.name}":\n\n  ${key}\n\nIt is shown only once. Store it now.`,
  };
}

/** @throws Error for an unknown account. */
export async function list(database: Database, accountId: string): Promise<Answer> {
  await requireAccount(database, accountId);
  const keys = await listKeys(database, accountId);
  const headings = ["ID", "NAME", "MODE", "ENDS WITH", "STATUS", "CREATED"];
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.mode,
    key.lastFour,
    statusOf(key),
    key.createdAt.toISOString(),
  ]);
  return { json: { keys: keys.map(asJson) }, text: table(headings, rows) };
}

/** @throws Error for an unknown or revoked key. */
export async function revoke(database: Database, keyId: string): Promise<Answer> {
  const ended = await revokeKey(database, keyId);
  if (ended === null) throw new Error(`Key ${keyId} does not exist or is revoked.`);
  const { keys, webhooks, sessions } = ended;
  return {
    json: { id: keyId, status: "revoked", ended: { keys, webhooks, sessions } },
    text: `The key is revoked. Ended with it: ${keys} keys, ${webhooks} webhooks, ${sessions} sessions.`,
  };
}

function statusOf(key: ApiKeyInfo): string {
  return key.revokedAt === null ? "active" : "revoked";
}

function asJson(key: ApiKeyInfo): object {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    last_four: key.lastFour,
    status: statusOf(key),
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
