import {
  authenticate,
  createAccount,
  createKey,
  findAccount,
  listAccounts,
  type Peppers,
} from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { demoAccount, homeFiles, type DemoAccount } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import { parseEur } from "@atelier/schemas";
import { readIfPresent, writePrivateJson } from "./private-file.ts";

interface DemoOptions {
  readonly home: string;
  readonly baseUrl: string;
  readonly keyPeppers: Peppers;
}

const name = "demo";
const credit = parseEur("10");

/** Advice for the user when `openDemoAccount` returns null. */
export const noDemoAccount =
  "No image is made: this database has accounts, but no account named demo. " +
  "Make one with: npm run atelier -- accounts create demo --credit 10";

/**
 * Returns the account "demo" and a working key, and stores both in `demo.json`. A database without
 * accounts gets a demo account with 10 EUR. A new key is created when the file is lost or its key
 * was revoked.
 *
 * @returns null if there are accounts but no demo account, as in the user's own database.
 */
export async function openDemoAccount(
  databaseUrl: string,
  options: DemoOptions,
): Promise<DemoAccount | null> {
  const applicationName = "atelier-start";
  const database = createDatabase({ url: databaseUrl, poolSize: 1, applicationName });
  try {
    const path = homeFiles(options.home).demoAccount;
    const earlier = readDemo(await readIfPresent(path));
    const accountId = await findOrMakeAccount(database, earlier);
    if (accountId === null) return null;
    const demo: DemoAccount = {
      base_url: options.baseUrl,
      api_key: await findOrMakeKey(database, accountId, earlier, options.keyPeppers),
      account_id: accountId,
    };
    await writePrivateJson(path, demo);
    return demo;
  } finally {
    await database.close();
  }
}

function readDemo(text: string | null): DemoAccount | null {
  try {
    return demoAccount.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

async function findOrMakeAccount(
  database: Database,
  earlier: DemoAccount | null,
): Promise<string | null> {
  if (earlier !== null && (await findAccount(database, earlier.account_id)) !== null) {
    return earlier.account_id;
  }
  const accounts = await listAccounts(database);
  const found = accounts.find((account) => account.name === name);
  if (found === undefined && accounts.length > 0) return null;
  const accountId = found?.id ?? (await createAccount(database, { name }));
  // A crash may have happened between creating the account and adding its credit, so the credit is
  // checked separately.
  const prisma = await database.prisma();
  const transfers = await prisma.ledgerTransfer.count({ where: { accountId } });
  if (transfers === 0) {
    await topUp(database, { accountId, amountMicroEur: credit, reference: "first start" });
  }
  return accountId;
}

async function findOrMakeKey(
  database: Database,
  accountId: string,
  earlier: DemoAccount | null,
  peppers: Peppers,
): Promise<string> {
  const caller = earlier && (await authenticate(database, earlier.api_key, peppers));
  if (earlier !== null && caller?.accountId === accountId) return earlier.api_key;
  const { key } = await createKey(database, { accountId, name: "npm start", pepper: peppers[0] });
  return key;
}
