import { createHash } from "node:crypto";
import { findRenderId, type Claim } from "@atelier/generations";
import type { FetchedImage } from "@atelier/guarded-fetch";
import { keptReferenceKey, keptReferencesPrefix } from "@atelier/schemas";
import type { RenderDependencies } from "./dependencies.ts";

/**
 * Fetches an image from elsewhere once for all images of a generation and all their tries, and keeps
 * it, as it came, beside what is staged of the first of them. Its URL may have expired by the next try
 * or the next scene, when images are paid for already.
 *
 * @throws AppError `reference_unreachable` or `reference_invalid`.
 */
export async function fetchOnce(
  claim: Claim,
  url: string,
  { database, storage, fetcher }: Pick<RenderDependencies, "database" | "storage" | "fetcher">,
  signal: AbortSignal,
): Promise<FetchedImage> {
  const key = keptReferenceKey(await firstRenderOf(claim, database), nameOf(url));
  const kept = await storage.get(key);
  if (kept !== null) return fetcher.readOriginal(kept.bytes);
  const image = await fetcher.fetchImage(url, signal);
  await storage.put(key, image.original.bytes, { contentType: "application/octet-stream" });
  return image;
}

/** Removes what was kept of a generation that has ended. */
export async function discardReferences(
  claim: Claim,
  { database, storage, logger }: Pick<RenderDependencies, "database" | "storage" | "logger">,
): Promise<void> {
  if (!claim.spec.hasClientImages) return;
  try {
    const prefix = keptReferencesPrefix(await firstRenderOf(claim, database));
    const kept: string[] = [];
    for await (const { key } of storage.list(prefix)) kept.push(key);
    await storage.delete(kept);
  } catch (error) {
    // What became of the generation stands already; the sweep removes them later.
    const { generationId } = claim;
    logger.warn({ err: error, generationId }, "references were not removed");
  }
}

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
