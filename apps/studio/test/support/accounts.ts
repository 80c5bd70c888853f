import { createAccount, createKey, createStudioLink } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { createDatabase, type Database } from "@atelier/database";
import { parseEur } from "@atelier/schemas";
import { provided } from "./provided.ts";

let database: Database | undefined;

/** The database of the service. */
export function openDatabase(): Database {
  database ??= createDatabase({
    url: provided().databaseUrl,
    poolSize: 2,
    applicationName: "studio-test",
    onConnectionError: () => undefined,
  });
  return database;
}

/** An account of one test. */
export interface TestAccount {
  readonly accountId: string;
  readonly key: string;
}

/** Creates an account with credit and a key. */
export async function newAccount(creditEur = "10", name = "Ada Lovelace"): Promise<TestAccount> {
  const sql = openDatabase();
  const accountId = await createAccount(sql, { name });
  const amountMicroEur = parseEur(creditEur);
  if (amountMicroEur > 0n) await topUp(sql, { accountId, amountMicroEur });
  const { key } = await createKey(sql, { accountId, name: "studio", pepper: provided().pepper });
  return { accountId, key };
}

/** Revokes all keys of an account, which ends its sessions. */
export async function revokeKeys({ accountId }: TestAccount): Promise<void> {
  await openDatabase().query("UPDATE api_key SET revoked_at = now() WHERE account_id = $1", [
    accountId,
  ]);
}

/** Creates another key of an account. */
export async function newKey(
  { accountId }: TestAccount,
  mode: "live" | "test" = "live",
): Promise<TestAccount> {
  const { pepper } = provided();
  const { key } = await createKey(openDatabase(), { accountId, name: "another", mode, pepper });
  return { accountId, key };
}

/** Creates a link that signs in once; returns the fragment of its address. */
export async function newLink({ key }: TestAccount): Promise<string> {
  return `#link=${await createStudioLink(openDatabase(), { key, pepper: provided().pepper })}`;
}

/** Sends a request to the API with the key of an account. */
export function callApi(
  { key }: TestAccount,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(provided().url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
