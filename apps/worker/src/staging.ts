import type { Claim } from "@atelier/generations";
import type { RenderDependencies } from "./dependencies.ts";
import type { Made } from "./steps/generate.ts";

/**
 * What a provider made is staged as it came, before anything else is done with it: whatever happens
 * next, it is not asked, and paid, again. The keys hold the attempt, so that a stalled worker that
 * wakes up changes nothing of its successor's. The image is written last: where it is, all is.
 */
export async function stage(
  claim: Claim,
  made: Made,
  { storage }: RenderDependencies,
): Promise<void> {
  const { bytes, mediaType } = made.image;
  const folder = folderOf(claim, claim.attempt);
  if (made.turn !== null) {
    const turn = Buffer.from(JSON.stringify(made.turn));
    await storage.put(`${folder}turn.json`, turn, { contentType: "application/json" });
  }
  const extension = mediaType.slice("image/".length);
  await storage.put(`${folder}image.${extension}`, bytes, { contentType: mediaType });
}

/** What the latest earlier try staged; null when none came to that. */
export async function findStaged(
  claim: Claim,
  { storage }: RenderDependencies,
): Promise<Made | null> {
  for (let attempt = claim.attempt - 1; attempt > 0; attempt--) {
    const folder = folderOf(claim, attempt);
    for await (const { key } of storage.list(`${folder}image.`)) {
      const image = await storage.get(key);
      if (image === null) continue;
      const turn = await storage.get(`${folder}turn.json`);
      return {
        image: {
          bytes: image.bytes,
          mediaType: image.contentType as Made["image"]["mediaType"],
        },
        turn: turn === null ? null : JSON.parse(Buffer.from(turn.bytes).toString()),
      };
    }
  }
  return null;
}

/**
 * Removes what this try and those before it staged: the finished images are recorded, or the
 * generation failed, or the bytes were no image.
 */
export async function discardStaged(claim: Claim, dependencies: RenderDependencies): Promise<void> {
  const { storage, logger } = dependencies;
  try {
    const keys: string[] = [];
    for (let attempt = claim.attempt; attempt > 0; attempt--) {
      const folder = folderOf(claim, attempt);
      for (const name of ["image.png", "image.jpeg", "image.webp", "turn.json"]) {
        keys.push(folder + name);
      }
    }
    await storage.delete(keys);
  } catch (error) {
    // What became of the render stands already, and does not change for this.
    logger.warn({ err: error, renderId: claim.renderId }, "staged bytes were not removed");
  }
}

function folderOf({ renderId }: Claim, attempt: number): string {
  return `staged/${renderId}/${attempt}/`;
}
