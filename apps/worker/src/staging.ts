import type { Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import { readStagedKey, stagedKey, stagedPrefix } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import type { Logger } from "pino";

/** What a provider made. */
export interface Made {
  readonly image: ProviderImage;
  /** The provider's opaque state, for the next image of the same story. */
  readonly turn: unknown;
}

const turnFile = "turn.json";

/**
 * What a provider made is staged as it came, before anything else is done with it: whatever happens
 * next, it is not asked, and paid, again. The image is written last: where it is, all is.
 */
export async function stage(claim: Claim, made: Made, storage: Storage): Promise<void> {
  const { bytes, mediaType } = made.image;
  if (made.turn !== null) {
    const turn = Buffer.from(JSON.stringify(made.turn));
    await storage.put(stagedKey(claim, turnFile), turn, { contentType: "application/json" });
  }
  const extension = mediaType.slice("image/".length);
  await storage.put(stagedKey(claim, `image.${extension}`), bytes, { contentType: mediaType });
}

/** What the latest earlier try staged; null when none came to that. */
export async function findStaged(claim: Claim, storage: Storage): Promise<Made | null> {
  const staged = await listStaged(claim, storage);
  const images = staged
    .filter(({ attempt, name }) => attempt < claim.attempt && name.startsWith("image."))
    .toSorted((one, other) => other.attempt - one.attempt);
  for (const { key, attempt } of images) {
    const image = await storage.get(key);
    if (image === null) continue;
    const turn = await storage.get(stagedKey({ ...claim, attempt }, turnFile));
    return {
      image: { bytes: image.bytes, mediaType: image.contentType as Made["image"]["mediaType"] },
      turn: turn === null ? null : JSON.parse(Buffer.from(turn.bytes).toString()),
    };
  }
  return null;
}

/**
 * Removes what this try and those before it staged: the finished images are recorded, or the
 * generation failed, or the bytes were no image.
 */
export async function discardStaged(claim: Claim, storage: Storage, logger: Logger): Promise<void> {
  try {
    const staged = await listStaged(claim, storage);
    const past = staged.filter(({ attempt }) => attempt <= claim.attempt);
    await storage.delete(past.map(({ key }) => key));
  } catch (error) {
    // What became of the render stands already, and does not change for this.
    logger.warn({ err: error, renderId: claim.renderId }, "staged bytes were not removed");
  }
}

interface StagedFile {
  readonly key: string;
  readonly attempt: number;
  readonly name: string;
}

/** What all tries at a render staged, in one look: waiting for a moderator may take hundreds of them. */
async function listStaged(claim: Claim, storage: Storage): Promise<StagedFile[]> {
  const files: StagedFile[] = [];
  for await (const { key } of storage.list(stagedPrefix(claim.renderId))) {
    files.push({ key, ...readStagedKey(key) });
  }
  return files;
}
