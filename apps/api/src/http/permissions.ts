import { assertLive, assertScope, type Caller } from "@atelier/accounts";
import { AppError, type KeyMode } from "@atelier/schemas";

/** @throws AppError `key_not_permitted` when the operator has switched test keys off. */
export function assertTestsAllowed({
  config,
}: {
  readonly config: { readonly TEST_IMAGES_PER_DAY: number };
}): void {
  if (config.TEST_IMAGES_PER_DAY > 0) return;
  throw new AppError(
    "key_not_permitted",
    "Test keys are switched off on this service. Use a live key.",
    { details: { mode: "test" } },
  );
}

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
 * that it requested itself; a test key only test jobs.
 *
 * @throws AppError `key_not_permitted` for other keys.
 */
export function visibleTo({ accountId, keyId, mode, scopes }: Caller): {
  readonly accountId: string;
  readonly keyId: string | null;
  /** Null for both modes. */
  readonly mode: "test" | null;
} {
  const owner = { accountId, mode: mode === "test" ? mode : null };
  if (scopes.includes("read")) return { ...owner, keyId: null };
  assertScope({ scopes }, "generate");
  return { ...owner, keyId };
}

/**
 * Returns the mode of the jobs that a list of a key shows.
 *
 * @param wanted the mode that the request asks for; by default that of the key.
 * @throws AppError `key_not_permitted` for live jobs with a test key.
 */
export function modeToShow(caller: Pick<Caller, "mode">, wanted: KeyMode | undefined): KeyMode {
  if (wanted === "live") assertLive(caller);
  return wanted ?? caller.mode;
}
