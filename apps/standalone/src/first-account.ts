import { join } from "node:path";
import {
  createStudioLink,
  insertAccount,
  insertKey,
  prepareKey,
  studioLinkUrl,
} from "@atelier/accounts";
import { createDatabase, newId } from "@atelier/database";
import { writePrivateFile } from "./private-file.ts";

/** Path of the file with the link for the first sign-in. */
export const firstSignInFile = (home: string) => join(home, "first-sign-in");

/**
 * Creates the account "operator" in a database without accounts: without credit, with a key that only a link to Studio
 * has. The link is written into a file that only the owner of `home` may read, before the transaction ends: a crash
 * leaves either the account and its link, or no account, and the next start makes both.
 *
 * @returns whether it was created.
 */
export async function openFirstAccount(
  databaseUrl: string,
  options: { readonly home: string; readonly publicUrl: string; readonly keyPepper: string },
): Promise<boolean> {
  const { home, publicUrl, keyPepper: pepper } = options;
  const applicationName = "atelier-start";
  const database = createDatabase({ url: databaseUrl, poolSize: 1, applicationName });
  const id = newId();
  try {
    return await database.transaction(async (sql) => {
      const [account] = await sql.query<{ id: string }>("SELECT id FROM account LIMIT 1");
      // Its own account, when only the answer to the commit was lost.
      if (account !== undefined) return account.id === id;
      await insertAccount(sql, { id, name: "operator", strictness: null, externalId: null });
      const key = prepareKey("first sign-in", "live");
      await insertKey(sql, id, key, pepper);
      const link = await createStudioLink(sql, { key: key.key, pepper });
      await writePrivateFile(firstSignInFile(home), `${studioLinkUrl(publicUrl, link)}\n`);
      return true;
    });
  } finally {
    await database.close();
  }
}
