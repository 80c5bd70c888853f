import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { createAccount, createKey } from "@atelier/accounts";
import type { topUp } from "@atelier/billing";
import type { createDatabase } from "@atelier/database";
import { runProgram } from "@atelier/process";

const { RELEASE = "", DATABASE_URL = "", KEY_PEPPER = "", KEY_FILE = "" } = process.env;

/** A package of the version in RELEASE, as far as both versions have the same functions. */
async function importOld<Package>(name: string): Promise<Package> {
  const file = join(RELEASE, `packages/${name}/src/index.ts`);
  return (await import(pathToFileURL(file).href)) as Package;
}

/**
 * Migrates the database and creates an account with credit by the code of the version in RELEASE, as its
 * operator did. Writes the account's key to KEY_FILE.
 */
await runProgram(async () => {
  const database = await importOld<{
    applyMigrations(url: string): Promise<unknown>;
    createDatabase: typeof createDatabase;
  }>("database");
  const accounts = await importOld<{
    createAccount: typeof createAccount;
    createKey: typeof createKey;
  }>("accounts");
  const billing = await importOld<{ topUp: typeof topUp }>("billing");

  await database.applyMigrations(DATABASE_URL);
  const sql = database.createDatabase({
    url: DATABASE_URL,
    poolSize: 2,
    applicationName: "upgrade",
  });
  const accountId = await accounts.createAccount(sql, { name: "upgrade" });
  await billing.topUp(sql, { accountId, amountMicroEur: 1_000_000_000n });
  const { key } = await accounts.createKey(sql, { accountId, name: "load", pepper: KEY_PEPPER });
  await writeFile(KEY_FILE, key, { mode: 0o600 });
  await sql.close();
  return { stop: () => Promise.resolve() };
});
