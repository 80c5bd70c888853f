import { setTimeout as delay } from "node:timers/promises";
import type { Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import { readStagedKey, stagedKey, stagedPrefix } from "@atelier/schemas";
import { StorageError, type Storage } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";

/** What a provider made. */
export interface Made {
  readonly image: ProviderImage;
  /** The provider's opaque state, for the next image of the same story. */
  readonly turn: unknown;
}

const turnFile = "turn.json";

/** Between tries to stage what is paid for, in milliseconds. */
const insistEveryMs = 1_000;

/**
 * What a provider made is staged as it came, before anything else is done with it: whatever happens
 * after that, it is not asked, and paid, again. A storage that is away meanwhile is waited for, until
 * the deadline, or until the worker has to leave.
 *
 * @throws StorageError when it is still away then: the bytes are lost.
 */
export async function stage(
  claim: Claim,
  made: Made,
  storage: Storage,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await write(claim, made, storage);
    } catch (error) {
      if (!(error instanceof StorageError) || signal.aborted) throw error;
      logger.warn({ err: error, renderId: claim.renderId }, "staging waits for the storage");
      await delay(insistEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The image is written last: where it is, all is. */
async function write(claim: Claim, made: Made, storage: Storage): Promise<void> {
  const { bytes, mediaType } = made.image;
  if (made.turn !== null) {
    const turn = Buffer.from(JSON.stringify(made.turn));
    await storage.put(stagedKey(claim, turnFile), turn, { contentType: "application/json" });
  }
  await storage.put(stagedKey(claim, `image.${extensionOf(mediaType)}`), bytes, {
    contentType: mediaType,
  });
}

/** What the latest earlier try staged; null when none came to that. */
export async function findStaged(claim: Claim, storage: Storage): Promise<Made | null> {
  const images = (await listEarlier(claim, storage)).filter(({ name }) =>
    name.startsWith("image."),
  );
  for (const { key, attempt } of images.toReversed()) {
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

function extensionOf(mediaType: string): string {
  return mediaType.slice("image/".length);
}

/**
 * Removes what this try and those before it staged: the finished images are recorded, the generation
 * failed, or the bytes were no image and the next try asks again.
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

/** What earlier tries staged; that of the latest last. */
async function listEarlier(claim: Claim, storage: Storage): Promise<StagedFile[]> {
  if (claim.attempt === 1) return [];
  const staged = await listStaged(claim, storage);
  return staged
    .filter(({ attempt }) => attempt < claim.attempt)
    .toSorted((one, other) => one.attempt - other.attempt);
}

/** What all tries at a render staged, in one look: waiting for a moderator may take hundreds of them. */
async function listStaged(claim: Claim, storage: Storage): Promise<StagedFile[]> {
  const files: StagedFile[] = [];
  for await (const { key } of storage.list(stagedPrefix(claim.renderId))) {
    files.push({ key, ...readStagedKey(key) });
  }
  return files;
}
