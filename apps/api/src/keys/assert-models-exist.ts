import type { Caller } from "@atelier/accounts";
import { isRetired } from "@atelier/models";
import { invalidRequest, type RequestProblem } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { nearestModel } from "../generations/plan/suggest-model.ts";
import { isModelPermitted } from "../http/permissions.ts";

/**
 * Checks that the models in the settings of a key exist, so that a misspelt one is noticed. A key keeps
 * models that the operator has removed since: it may name them again.
 *
 * @param models omitted for a key without its own list.
 * @param kept models that the key already has.
 * @throws AppError `invalid_request` with every unknown model in `details`.
 */
export function assertModelsExist(
  models: readonly string[] | undefined,
  kept: readonly string[],
  caller: Pick<Caller, "models">,
  dependencies: Needs<"catalogue" | "modelAliases">,
): void {
  const problems = (models ?? []).flatMap((model, index): RequestProblem[] => {
    const message = kept.includes(model) ? null : problemOf(model, caller, dependencies);
    return message === null ? [] : [{ path: `models.${index}`, code: "unknown_model", message }];
  });
  if (problems.length === 0) return;
  throw invalidRequest(...problems);
}

/** The reason why a key can't use a model; null when it can. Names only models that the caller may use. */
function problemOf(
  model: string,
  caller: Pick<Caller, "models">,
  dependencies: Needs<"catalogue" | "modelAliases">,
): string | null {
  const { catalogue, modelAliases } = dependencies;
  const entry = catalogue.entryOf(model);
  if (entry !== null && !isRetired(entry)) return null;
  if (entry !== null) {
    const { successor } = entry;
    const isNamed = successor !== null && isModelPermitted(caller, successor);
    return `is retired${isNamed ? `; use "${successor}" instead` : ""}`;
  }
  if (catalogue.unusableIds.has(model)) {
    return "is not available: the operator has not configured its provider";
  }
  const meant = modelAliases.resolve(model);
  if (meant !== model && isModelPermitted(caller, meant)) {
    return `is another name of a model; use its id "${meant}"`;
  }
  const nearest = nearestModel(model, caller, dependencies);
  const suggestion = nearest === null ? "" : `; did you mean "${nearest}"?`;
  return `is not a model of this service${suggestion}`;
}
