import type { Catalogue } from "@atelier/models";
import type { GenerationPlan, Strictness } from "@atelier/schemas";

/** The services that plans are made with. */
export interface PlanDependencies {
  readonly catalogue: Catalogue;
}

/** Plans a valid request of an operation, with the account's strictness as the default. */
export type Planner<Body> = (
  body: Body,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
) => GenerationPlan;
