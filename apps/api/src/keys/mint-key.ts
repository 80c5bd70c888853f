import {
  assertMayMint,
  countLiveKeys,
  createKey,
  discardKey,
  maxLiveKeys,
  type Caller,
  type KeySettings,
} from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";
import { assertScope } from "../http/permissions.ts";

/**
 * Creates a key on behalf of another one. Omitted settings are those of that key.
 *
 * @returns the id and the key, which can't be read again.
 * @throws AppError `key_not_permitted` or `too_many_keys`.
 */
export async function mintKey(
  caller: Caller,
  settings: Partial<KeySettings> & Pick<KeySettings, "name">,
  { config, database }: Pick<ApiDependencies, "config" | "database">,
): Promise<{ readonly id: string; readonly key: string }> {
  assertScope(caller, "manage");
  const { accountId, scopes, models, expiresAt } = caller;
  const wanted = { scopes, models, expiresAt, ...settings };
  assertMayMint(caller, wanted);
  const minted = await createKey(database, { accountId, pepper: config.KEY_PEPPER, ...wanted });
  // Counted after the insert, so that concurrent requests cannot all pass the limit.
  if ((await countLiveKeys(database, accountId)) > maxLiveKeys) {
    await discardKey(database, minted.id);
    throw tooManyKeys();
  }
  return minted;
}

function tooManyKeys(): AppError {
  return new AppError(
    "too_many_keys",
    `The account has ${maxLiveKeys} keys, which is the limit. Revoke one that you no longer use.`,
    { details: { max_keys: maxLiveKeys } },
  );
}
