import { cancelAsRequested } from "@atelier/generations";
import type { RenderVerdict } from "@atelier/queue";
import type { RenderDependencies } from "./dependencies.ts";

/** How long a render waits for those that are being made, when its story is to be cancelled after them. */
const lookAgainAfterMs = 1_000;

/**
 * Ends the job of a render that there was nothing to claim of: most are done already. Where the client
 * has taken its story back, this is the moment between two images in which it is cancelled.
 */
export async function cancelUnclaimed(
  renderId: string,
  { database, metrics, logger }: RenderDependencies,
): Promise<RenderVerdict> {
  const outcome = await cancelAsRequested(database, renderId);
  if (outcome === "later") {
    const reason = "its story is cancelled when the images under way are done";
    return { kind: "retry", reason, delayMs: lookAgainAfterMs };
  }
  if (outcome === "cancelled") {
    metrics.generationEnded("cancelled");
    logger.info({ renderId }, "story cancelled");
  }
  return { kind: "done" };
}
