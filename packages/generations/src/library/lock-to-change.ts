import { assertScope, lockRights, type Caller } from "@atelier/accounts";
import type { Sql } from "@atelier/database";

/**
 * Locks the account of a caller that may change collections and presets.
 *
 * @throws AppError with the reason why the caller lost its rights.
 */
export async function lockToChange(sql: Sql, caller: Caller): Promise<Caller> {
  const now = await lockRights(sql, caller, "generate");
  assertScope(now, "read");
  return now;
}
