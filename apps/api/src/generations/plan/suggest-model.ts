import type { Caller } from "@atelier/accounts";
import { entriesNamed, isRetired } from "@atelier/models";
import { AppError, nearestName } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { entriesFor } from "../../routes/models.ts";

/**
 * Finds the model that its provider has under this name, or the one with the most similar id, among those that a
 * key may use.
 *
 * @returns null when no model of the key has this name or one like it.
 */
export function nearestModel(
  model: string,
  caller: Pick<Caller, "models">,
  dependencies: Needs<"catalogue">,
): string | null {
  const entries = entriesFor(caller, dependencies).filter((one) => !isRetired(one));
  const [named] = entriesNamed(model, { entries });
  return (
    named?.id ??
    nearestName(
      model,
      entries.map(({ id }) => id),
    )
  );
}

/**
 * Detects an unknown model that is similar to one that the key may use; planning refuses others.
 *
 * @throws AppError `model_not_found` that names the similar model.
 */
export function assertNotMisspelled(
  model: string,
  caller: Pick<Caller, "models">,
  dependencies: Needs<"catalogue">,
): void {
  if (dependencies.catalogue.entryOf(model) !== null) return;
  const nearest = nearestModel(model, caller, dependencies);
  if (nearest === null) return;
  throw new AppError(
    "model_not_found",
    `Model "${model}" does not exist. Did you mean "${nearest}"? GET /v1/models lists the available models.`,
    { details: { successor: null } },
  ).at("model");
}
