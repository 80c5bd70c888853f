import type { GenerationPlan, Strictness } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/** Plans a valid request of an operation, with the account's strictness as the default. */
export type Planner<Body> = (
  body: Body,
  accountStrictness: Strictness,
  dependencies: ApiDependencies,
) => GenerationPlan;
