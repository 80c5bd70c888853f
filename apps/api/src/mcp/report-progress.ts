import { setInterval } from "node:timers/promises";
import { findGeneration, type FoundGeneration } from "@atelier/generations/jobs";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Needs } from "../dependencies.ts";

const pollIntervalMs = 1_000;

/**
 * Sends progress notifications to a client that passed a progress token, whenever the progress of its
 * generation changes, until the signal aborts. Progress is the number of finished images, or of
 * finished scenes of a story.
 */
export async function reportProgress(
  job: { readonly accountId: string; readonly generationId: string },
  { mcpReq }: ServerContext,
  signal: AbortSignal,
  { database, logger }: Needs<"database" | "logger">,
): Promise<void> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return;
  // The progress of a token must increase with each notification.
  let lastProgress = -1;
  async function notify(): Promise<void> {
    const generation = await findGeneration(database, job);
    if (generation === null || signal.aborted) return;
    const { progress, total, message } = progressOf(generation);
    if (progress <= lastProgress) return;
    lastProgress = progress;
    await mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, total, message },
    });
  }
  try {
    await notify();
    for await (const _ of setInterval(pollIntervalMs, undefined, { signal })) await notify();
  } catch (error) {
    // A failed read or a disconnected client does not affect the generation.
    if (!signal.aborted) logger.warn({ err: error, ...job }, "progress could not be reported");
  }
}

function progressOf(generation: FoundGeneration) {
  const { id, kind, status, scenesCompleted, scenesTotal } = generation;
  if (kind === "image") {
    const { rendersCompleted: progress, rendersTotal: total } = generation;
    const message =
      total === 1 ? `job ${id}: ${status}` : `job ${id}: ${progress} of ${total} images`;
    return { progress, total, message };
  }
  const progress = scenesCompleted ?? 0;
  const total = scenesTotal ?? 0;
  return { progress, total, message: `job ${id}: ${progress} of ${total} scenes` };
}
