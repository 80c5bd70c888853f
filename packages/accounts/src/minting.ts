import { AppError } from "@atelier/schemas";
import type { Caller } from "./authenticate.ts";
import type { KeySettings } from "./keys.ts";

/** Maximum number of keys of an account that are neither revoked nor expired. */
export const maxLiveKeys = 100;

type Limits = Pick<KeySettings, "scopes" | "models" | "expiresAt">;

/**
 * Checks that a key may create, change or rotate another one. A key never grants more than it has
 * itself.
 *
 * @param wanted the limits that the other key has, or will have.
 * @throws AppError `key_not_permitted`.
 */
export function assertMayMint(
  minter: Pick<Caller, "scopes" | "models" | "expiresAt" | "hasBudget">,
  wanted: Limits,
): void {
  if (minter.hasBudget) {
    throw refusal("A key with a budget can't create or change keys.", { has_budget: true });
  }
  const scopes = wanted.scopes.filter((scope) => !minter.scopes.includes(scope));
  if (scopes.length > 0) {
    throw refusal(`This key has no scope ${scopes.join(", ")}, so it can't give it.`, { scopes });
  }
  if (minter.models.length > 0) {
    const models = wanted.models.filter((model) => !minter.models.includes(model));
    if (wanted.models.length === 0 || models.length > 0) {
      throw refusal(`This key can only give access to ${minter.models.join(", ")}.`, { models });
    }
  }
  if (minter.expiresAt !== null) {
    if (wanted.expiresAt === null || wanted.expiresAt > minter.expiresAt) {
      const latest = minter.expiresAt.toISOString();
      throw refusal(`This key expires at ${latest}; a key that it creates can't outlive it.`, {
        expires_at: latest,
      });
    }
  }
}

function refusal(message: string, details: Record<string, unknown>): AppError {
  return new AppError(
    "key_not_permitted",
    `${message} Use a key of the account without this limit.`,
    { details },
  );
}
