import { assertScope, type Caller } from "@atelier/accounts";
import { AppError } from "@atelier/schemas";

/** Whether a key may use a model. */
export function isModelPermitted({ models }: Pick<Caller, "models">, model: string): boolean {
  return models.length === 0 || models.includes(model);
}

/** @throws AppError `key_not_permitted` when the key may not use the model. */
export function assertModelPermitted(caller: Pick<Caller, "models">, model: string): void {
  if (isModelPermitted(caller, model)) return;
  const { models } = caller;
  throw new AppError(
    "key_not_permitted",
    `This key may not use ${model}. Use one of its models: ${models.join(", ")}.`,
    { details: { model, models } },
  );
}

/**
 * Returns which jobs a key may read: with the scope `read` all of the account, with `generate` those
 * that it requested itself.
 *
 * @throws AppError `key_not_permitted` for other keys.
 */
export function visibleTo({ accountId, keyId, scopes }: Caller): {
  readonly accountId: string;
  readonly keyId: string | null;
} {
  if (scopes.includes("read")) return { accountId, keyId: null };
  assertScope({ scopes }, "generate");
  return { accountId, keyId };
}
