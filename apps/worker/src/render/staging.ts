import { setTimeout as delay } from "node:timers/promises";
import { decodeCost, encodeCost, type CallCost, type Claim } from "@atelier/generations/claims";
import type { ProviderImage } from "@atelier/models";
import { readStagedKey, stagedKey, stagedPrefix } from "@atelier/schemas";
import { StorageError, type Storage } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";
import { turnKey } from "./kept-turns.ts";

/** Result of a provider call that made an image. */
export interface GeneratedImage {
  /** The recorded provider call that returned the image. */
  readonly callId: string;
  readonly image: ProviderImage;
  /** The provider's opaque state, input of the next image of the same story. */
  readonly turn: unknown;
  /** The image as SVG, of which `image` is a drawing; null for most models. */
  readonly svg: string | null;
  /** Cost of the call; null if none was staged with the image. */
  readonly cost: CallCost | null;
}

const svgFile = "drawing.svg";
const originalFile = "original";
const costFile = "cost.json";

/** Interval between attempts to stage a paid image, in milliseconds. */
const retryIntervalMs = 1_000;

/**
 * Stages the unchanged result of a provider before any further processing, so that the provider is
 * not called and paid again after a failure. While the storage is unavailable, retries until the
 * deadline or the shutdown of the worker.
 *
 * @throws StorageError when the storage is still unavailable then: the bytes are lost.
 */
export async function stage(
  claim: Claim,
  generated: GeneratedImage,
  storage: Storage,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await write(claim, generated, storage);
    } catch (error) {
      if (!(error instanceof StorageError) || signal.aborted) throw error;
      logger.warn({ err: error, renderId: claim.renderId }, "staging waits for the storage");
      await delay(retryIntervalMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Writes the image last: when it exists, everything else does. */
async function write(claim: Claim, generated: GeneratedImage, storage: Storage): Promise<void> {
  const { bytes, mediaType } = generated.image;
  if (generated.turn !== null) {
    const turn = Buffer.from(JSON.stringify(generated.turn));
    await storage.put(turnKey(claim), turn, { contentType: "application/json" });
  }
  if (generated.cost !== null) {
    const cost = Buffer.from(encodeCost(generated.cost));
    await storage.put(stagedKey(claim, costFile), cost, { contentType: "application/json" });
  }
  if (generated.svg !== null) {
    const svg = Buffer.from(generated.svg);
    await storage.put(stagedKey(claim, svgFile), svg, { contentType: "image/svg+xml" });
  }
  const { original } = generated.image;
  if (original !== undefined) {
    await storage.put(stagedKey(claim, originalFile), original, {
      contentType: "application/octet-stream",
    });
  }
  await storage.put(stagedKey(claim, imageName(generated.callId, mediaType)), bytes, {
    contentType: mediaType,
  });
}

/**
 * Finds the response to one of the given calls among the staged files of earlier attempts; the latest
 * attempt wins. Responses to other calls are ignored: a worker that was frozen past its lock may
 * stage the image of a model that the generation no longer uses.
 *
 * @param callIds the render's calls to the claim's own model.
 * @returns null when no earlier attempt has staged an image.
 */
export async function findStaged(
  claim: Claim,
  callIds: readonly string[],
  storage: Storage,
): Promise<GeneratedImage | null> {
  if (callIds.length === 0) return null;
  for (const { key, attempt, name } of (await listEarlierStaged(claim, storage)).toReversed()) {
    const callId = callIds.find((id) => name.startsWith(`${id}.`));
    if (callId === undefined) continue;
    const image = await storage.get(key);
    if (image === null) continue;
    const turn = await storage.get(turnKey({ ...claim, attempt }));
    // The next scene looks for the turn among the files of the attempt that finishes this image.
    if (turn !== null) {
      await storage.put(turnKey(claim), turn.bytes, { contentType: turn.contentType });
    }
    const svg = await storage.get(stagedKey({ ...claim, attempt }, svgFile));
    const original = await storage.get(stagedKey({ ...claim, attempt }, originalFile));
    const cost = await storage.get(stagedKey({ ...claim, attempt }, costFile));
    return {
      callId,
      image: {
        bytes: image.bytes,
        mediaType: image.contentType as GeneratedImage["image"]["mediaType"],
        ...(original !== null && { original: original.bytes }),
      },
      turn: turn === null ? null : JSON.parse(Buffer.from(turn.bytes).toString()),
      svg: svg === null ? null : Buffer.from(svg.bytes).toString(),
      cost: cost === null ? null : decodeCost(Buffer.from(cost.bytes).toString()),
    };
  }
  return null;
}

/** The file name of a staged image: the id of its provider call, which records the model. */
function imageName(callId: string, mediaType: ProviderImage["mediaType"]): string {
  return `${callId}.${mediaType.slice("image/".length)}`;
}

/**
 * Deletes what this attempt and earlier ones staged: the images are recorded, the generation failed,
 * or the bytes were not a valid image and the next attempt calls the provider again.
 *
 * @param options.keepsTurn whether to keep the provider's state after this image for the next scene.
 */
export async function discardStaged(
  claim: Claim,
  storage: Storage,
  logger: Logger,
  { keepsTurn = false }: { readonly keepsTurn?: boolean } = {},
): Promise<void> {
  try {
    const staged = await listStaged(claim, storage);
    const past = staged.filter(
      ({ attempt, key }) => attempt <= claim.attempt && !(keepsTurn && key === turnKey(claim)),
    );
    const failed = await storage.delete(past.map(({ key }) => key));
    if (failed.length > 0) logger.warn({ failed, renderId: claim.renderId }, notRemoved);
  } catch (error) {
    // The result of the render is stored; a failed deletion does not change it.
    logger.warn({ err: error, renderId: claim.renderId }, notRemoved);
  }
}

const notRemoved = "staged bytes were not removed, left to the sweep";

interface StagedFile {
  readonly key: string;
  readonly attempt: number;
  readonly name: string;
}

/** Lists the staged files of earlier attempts, those of the latest last. */
async function listEarlierStaged(claim: Claim, storage: Storage): Promise<StagedFile[]> {
  if (claim.attempt === 1) return [];
  const staged = await listStaged(claim, storage);
  return staged
    .filter(({ attempt }) => attempt < claim.attempt)
    .toSorted((one, other) => one.attempt - other.attempt);
}

/** Lists the staged files of all attempts in one request; a moderator outage can cause hundreds. */
async function listStaged(claim: Claim, storage: Storage): Promise<StagedFile[]> {
  const files: StagedFile[] = [];
  for await (const { key } of storage.list(stagedPrefix(claim.renderId))) {
    files.push({ key, ...readStagedKey(key) });
  }
  return files;
}
