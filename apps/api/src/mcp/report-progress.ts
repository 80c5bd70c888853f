import { setInterval } from "node:timers/promises";
import { findGeneration, type FoundGeneration } from "@atelier/generations";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ApiDependencies } from "../dependencies.ts";

const lookIntervalMs = 1_000;

/**
 * Tells a client that gave a progress token how far its generation is, whenever that has changed,
 * until the signal is aborted: of a story how many of its scenes are done, of an image 0 or 1.
 */
export async function reportProgress(
  of: { readonly accountId: string; readonly generationId: string },
  { mcpReq }: ServerContext,
  signal: AbortSignal,
  { database, logger }: ApiDependencies,
): Promise<void> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return;
  // A token's progress must rise with each notification.
  let told = -1;
  async function tell(): Promise<void> {
    const generation = await findGeneration(database, of);
    if (generation === null || signal.aborted) return;
    const { progress, total, message } = progressOf(generation);
    if (progress <= told) return;
    told = progress;
    await mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, total, message },
    });
  }
  try {
    await tell();
    for await (const _ of setInterval(lookIntervalMs, undefined, { signal })) await tell();
  } catch (error) {
    // A look that failed, or a client that is gone, changes nothing about the generation.
    if (!signal.aborted) logger.warn({ err: error, ...of }, "progress could not be told");
  }
}

function progressOf({ id, kind, status, scenesCompleted, scenesTotal }: FoundGeneration) {
  if (kind === "image") {
    const progress = status === "completed" ? 1 : 0;
    return { progress, total: 1, message: `job ${id}: ${status}` };
  }
  const progress = scenesCompleted ?? 0;
  const total = scenesTotal ?? 0;
  return { progress, total, message: `job ${id}: ${progress} of ${total} scenes` };
}
