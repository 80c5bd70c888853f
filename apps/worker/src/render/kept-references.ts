import { createHash } from "node:crypto";
import type { Claim } from "@atelier/generations/claims";
import { findRenderId } from "@atelier/generations/jobs";
import type { FetchedImage, InTurn } from "@atelier/guarded-fetch";
import { keptReferenceKey, keptReferencesPrefix } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";

/**
 * Fetches an external image once for all renders and attempts of a generation, and stores it
 * unchanged beside the staged bytes of the first render. Its URL may expire before the next attempt
 * or scene, when other images are already paid for.
 *
 * @param inTurn starts its decoding.
 * @throws AppError `reference_unreachable` or `reference_invalid`.
 */
export async function fetchOnce(
  claim: Claim,
  url: string,
  { database, storage, fetcher }: Pick<RenderDependencies, "database" | "storage" | "fetcher">,
  signal: AbortSignal,
  inTurn: InTurn,
): Promise<FetchedImage> {
  const key = keptReferenceKey(await firstRenderOf(claim, database), nameOf(url));
  const kept = await storage.get(key);
  if (kept !== null) return inTurn(() => fetcher.readOriginal(kept.bytes));
  return fetcher.fetchImage(url, signal, inTurn, (original) =>
    storage.put(key, original, { contentType: "application/octet-stream" }),
  );
}

/** Deletes the stored references of a generation that has ended. */
export async function discardReferences(
  claim: Claim,
  { database, storage, logger }: Pick<RenderDependencies, "database" | "storage" | "logger">,
): Promise<void> {
  if (!claim.spec.hasClientImages) return;
  try {
    const prefix = keptReferencesPrefix(await firstRenderOf(claim, database));
    const kept: string[] = [];
    for await (const { key } of storage.list(prefix)) kept.push(key);
    const failed = await storage.delete(kept);
    if (failed.length > 0) logger.warn({ failed, generationId: claim.generationId }, notRemoved);
  } catch (error) {
    // The result of the generation is final; the sweep deletes the references later.
    const { generationId } = claim;
    logger.warn({ err: error, generationId }, notRemoved);
  }
}

const notRemoved = "references were not removed, left to the sweep";

async function firstRenderOf(
  { generationId, renderId, position }: Claim,
  { repeatable }: RenderDependencies["database"],
): Promise<string> {
  if (position === 0) return renderId;
  const first = await findRenderId(repeatable, generationId, 0);
  if (first === null) throw new Error(`generation ${generationId} has no first render`);
  return first;
}

function nameOf(url: string): string {
  return createHash("sha256").update(url).digest("hex");
}
