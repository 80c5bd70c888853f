import { cancelAsRequested } from "@atelier/generations/endings";
import type { RenderDependencies } from "../dependencies.ts";

/**
 * Cancels the generation of a render if its client requested that and no other image of it is in progress.
 * The outcome is logged and counted like other outcomes.
 *
 * @param lostIn the lane that delivered the render although it could not be claimed; null for none.
 */
export async function cancelIfRequested(
  renderId: string,
  { database, metrics, logger }: RenderDependencies,
  lostIn: string | null = null,
): Promise<void> {
  if (!(await cancelAsRequested(database, { renderId, lostIn }))) return;
  metrics.generationEnded("cancelled");
  logger.info({ renderId }, "generation cancelled");
}
