import type { Claim } from "@atelier/generations";
import type { RenderDependencies } from "./dependencies.ts";
import type { Made } from "./steps/generate.ts";

/**
 * What a provider made is staged as it came, before anything else is done with it: whatever happens
 * next, it is not asked, and paid, again. The image is written last, so where it is, all is.
 */
export async function stage(
  claim: Claim,
  made: Made,
  { storage }: RenderDependencies,
): Promise<void> {
  const { bytes, mediaType } = made.image;
  if (made.turn !== null) {
    const turn = Buffer.from(JSON.stringify(made.turn));
    await storage.put(turnKey(claim), turn, { contentType: "application/json" });
  }
  await storage.put(imageKey(claim, mediaType), bytes, { contentType: mediaType });
}

/** What an earlier try staged; null when it did not come to that. */
export async function findStaged(
  claim: Claim,
  { storage }: RenderDependencies,
): Promise<Made | null> {
  for await (const { key } of storage.list(`staged/${claim.renderId}/image.`)) {
    const image = await storage.get(key);
    if (image === null) continue;
    const turn = await storage.get(turnKey(claim));
    return {
      image: {
        bytes: image.bytes,
        mediaType: image.contentType as Made["image"]["mediaType"],
      },
      turn: turn === null ? null : JSON.parse(Buffer.from(turn.bytes).toString()),
    };
  }
  return null;
}

/** Removes what was staged, once the finished images are recorded. */
export async function discardStaged(claim: Claim, dependencies: RenderDependencies): Promise<void> {
  const { storage, logger } = dependencies;
  const keys = (["image/png", "image/jpeg", "image/webp"] as const).map((mediaType) =>
    imageKey(claim, mediaType),
  );
  try {
    await storage.delete([...keys, turnKey(claim)]);
  } catch (error) {
    // The image is finished and paid for: what is left behind is swept later.
    logger.warn({ err: error, renderId: claim.renderId }, "staged bytes were not removed");
  }
}

function imageKey(claim: Claim, mediaType: Made["image"]["mediaType"]): string {
  return `staged/${claim.renderId}/image.${mediaType.slice("image/".length)}`;
}

function turnKey(claim: Claim): string {
  return `staged/${claim.renderId}/turn.json`;
}
