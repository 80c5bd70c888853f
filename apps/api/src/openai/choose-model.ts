import type { Caller } from "@atelier/accounts";
import { isRetired, supportsCapability } from "@atelier/models";
import { AppError } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { assertNotMisspelled } from "../generations/plan/suggest-model.ts";
import { isModelPermitted } from "../http/permissions.ts";

/**
 * Finds the model of a request of OpenAI's clients. Without one, which OpenAI's API allows, it is the
 * first model of `GET /v1/models` that can do the operation and that the key may use.
 *
 * @param name a model, or a name that the operator maps to one.
 * @throws AppError `model_not_found` when no model can be used, or when the id looks like a misspelt one.
 */
export function chooseModel(
  name: string | undefined,
  operation: "image" | "edit",
  hasMask: boolean,
  caller: Pick<Caller, "models">,
  dependencies: Needs<"catalogue" | "modelAliases">,
): string {
  const { catalogue, modelAliases } = dependencies;
  if (name !== undefined) {
    const model = modelAliases.resolve(name);
    assertNotMisspelled(model, caller, dependencies);
    return model;
  }
  const entry = catalogue.entries.find(
    (one) =>
      !isRetired(one) &&
      isModelPermitted(caller, one.id) &&
      supportsCapability(one, operation) &&
      (operation === "image" || (hasMask ? one.supports_mask : !one.requires_mask)),
  );
  if (entry !== undefined) return entry.id;
  throw new AppError(
    "model_not_found",
    "No model that this key may use can do this. Name another model, or use another key.",
  ).at("model");
}
