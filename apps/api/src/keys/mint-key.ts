import {
  makeSecretKey,
  manage,
  mintKey as mint,
  type Caller,
  type KeySettings,
} from "@atelier/accounts";
import type { KeyMode } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { assertTestsAllowed } from "../http/permissions.ts";

/** Why requests that show a new secret refuse an `Idempotency-Key`. */
export const keyShownOnce =
  "A key is shown once and not stored, so its response can't be repeated. Omit the header; if a response was lost, find the key in GET /v1/keys and revoke or rotate it.";

/**
 * Creates a key on behalf of another one, to which it belongs. Omitted settings and mode are those of that key.
 *
 * @returns the id and the key, which can't be read again.
 * @throws AppError `key_not_permitted` or `too_many_keys`.
 */
export async function mintKey(
  caller: Caller,
  {
    mode = caller.mode,
    ...settings
  }: Partial<KeySettings> & Pick<KeySettings, "name"> & { readonly mode?: KeyMode | undefined },
  { config, database }: Needs<"config" | "database">,
): Promise<{ readonly id: string; readonly key: string }> {
  if (mode === "test") assertTestsAllowed({ config });
  const secret = makeSecretKey(config.KEY_PEPPER, mode);
  await manage(database, caller, (managing) => mint(managing, secret, settings));
  return secret;
}
