import type { Caller } from "@atelier/accounts";
import { isRetired } from "@atelier/models";
import { AppError, suggestName } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";
import { entriesFor } from "../routes/models.ts";

/** Adds the nearest model that the key may use to the error for an unknown one. */
export function suggestModel(
  error: AppError,
  model: string,
  caller: Pick<Caller, "models">,
  dependencies: Pick<ApiDependencies, "catalogue">,
): AppError {
  if (dependencies.catalogue.entryOf(model) !== null) return error;
  const ids = entriesFor(caller, dependencies)
    .filter((one) => !isRetired(one))
    .map(({ id }) => id);
  const suggestion = suggestName(model, ids).replace(/^; d/, "D");
  if (suggestion === "") return error;
  return new AppError(
    "model_not_found",
    `Model "${model}" does not exist. ${suggestion} GET /v1/models lists the available models.`,
    { details: { successor: null } },
  ).at("model");
}
