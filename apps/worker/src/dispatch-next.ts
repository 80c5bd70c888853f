import type { Claim } from "@atelier/generations";
import type { Dispatch } from "@atelier/queue";
import type { RenderDependencies } from "./dependencies.ts";

/** Gives the queue what is ready next of a generation. What it does not take is left to recovery. */
export async function dispatchNext(
  ready: readonly Dispatch[],
  { generationId }: Claim,
  { queues, logger }: Pick<RenderDependencies, "queues" | "logger">,
): Promise<void> {
  await queues.dispatch(ready).catch((error: unknown) => {
    logger.warn({ err: error, generationId }, "dispatch failed, left to recovery");
  });
}
