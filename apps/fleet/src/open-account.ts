import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { createDatabase } from "@atelier/database";
import { parseEur } from "@atelier/schemas";

const credit = parseEur("1000");

/** Creates an account with credit and an API key, for use with the fleet. */
export async function openAccount(
  databaseUrl: string,
  pepper: string,
): Promise<{ readonly account_id: string; readonly api_key: string }> {
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-fleet",
  });
  try {
    const accountId = await createAccount(database, { name: "fleet" });
    await topUp(database, { accountId, amountMicroEur: credit });
    const { key } = await createKey(database, { accountId, name: "fleet", pepper });
    return { account_id: accountId, api_key: key };
  } finally {
    await database.close();
  }
}
