import type { Catalogue } from "@atelier/models";
import type { GenerationPlan, Strictness } from "@atelier/schemas";
import type { CastMembers } from "@atelier/stories";

/** The services that plans are made with. */
export interface PlanDependencies {
  readonly catalogue: Catalogue;
  /** The kept characters and locations that the request names and its caller may use. Default: none. */
  readonly members?: CastMembers | undefined;
}

/** Plans a valid request of an operation, with the account's strictness as the default. */
export type Planner<Body> = (
  body: Body,
  accountStrictness: Strictness,
  dependencies: PlanDependencies,
) => GenerationPlan;
