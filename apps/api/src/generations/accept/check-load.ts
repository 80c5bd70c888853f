import { overloaded } from "@atelier/generations/accept";
import type { GenerationPlan } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";

/**
 * Checks the load of a plan's lane before anything is held, since accepted work must finish by its
 * deadline.
 *
 * @returns whether the lane is behind for this account, in which case accounts with unfinished jobs
 *   are refused.
 * @throws AppError `overloaded` when the lane's queue exceeds its limit.
 */
export function checkLoad(
  plan: GenerationPlan,
  accountId: string,
  { config, laneLoad }: Needs<"config" | "laneLoad">,
): { readonly isBehind: boolean } {
  const { waiting, waitSeconds } = laneLoad.loadOf(plan.renders[0]?.lane ?? "", accountId);
  if (waiting >= config.MAX_QUEUE_DEPTH) throw overloaded();
  return { isBehind: waitSeconds >= config.MAX_QUEUE_AGE_SECONDS };
}
