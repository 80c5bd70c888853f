import { overloaded } from "@atelier/generations";
import type { GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Looks at the lane that a plan goes to, before anything is held: what is accepted has to be done by
 * its deadline.
 *
 * @returns whether the lane is behind: accounts that have unfinished jobs are refused then.
 * @throws AppError `overloaded` when more waits in it than is allowed.
 */
export function checkLoad(
  plan: GenerationPlan,
  { config, laneLoad }: Pick<ApiDependencies, "config" | "laneLoad">,
): { readonly isBehind: boolean } {
  const { waiting, oldestSeconds } = laneLoad.of(plan.renders[0]?.lane ?? "");
  if (waiting >= config.MAX_QUEUE_DEPTH) throw overloaded();
  return { isBehind: oldestSeconds >= config.MAX_QUEUE_AGE_SECONDS };
}
