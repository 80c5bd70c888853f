import { cancelAsRequested } from "@atelier/generations";
import type { RenderDependencies } from "./dependencies.ts";

/**
 * Cancels the story of a render, where its client has taken it back and this was the last image under
 * way; told of like other ends.
 *
 * @param lostIn the lane that handed it out although there was nothing to claim.
 */
export async function cancelIfRequested(
  renderId: string,
  { database, metrics, logger }: RenderDependencies,
  lostIn: string | null = null,
): Promise<void> {
  if (!(await cancelAsRequested(database, { renderId, lostIn }))) return;
  metrics.generationEnded("cancelled");
  logger.info({ renderId }, "story cancelled");
}
