import type { Caller } from "@atelier/accounts";
import type { GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";
import { assertModelPermitted } from "../http/permissions.ts";
import { planWithFallback } from "./plan-with-fallback.ts";
import { resolveReferences } from "./resolve-references.ts";

/**
 * Validates and prices a request: everything before it is accepted.
 *
 * @throws AppError when the request is refused.
 */
export async function preparePlan(
  caller: Caller,
  makePlan: () => GenerationPlan | Promise<GenerationPlan>,
  dependencies: ApiDependencies,
): Promise<GenerationPlan> {
  dependencies.parts.requireStorage();
  const wanted = await makePlan();
  assertModelPermitted(caller, wanted.model);
  return resolveReferences(planWithFallback(wanted, dependencies), caller, dependencies);
}
