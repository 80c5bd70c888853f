import type { Claim } from "@atelier/generations";
import type { ProviderImage } from "@atelier/models";
import type { Storage } from "@atelier/storage";
import type { RenderDependencies } from "./dependencies.ts";

/** What a provider made. */
export interface Made {
  readonly image: ProviderImage;
  /** The provider's opaque state, for the next image of the same story. */
  readonly turn: unknown;
}

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
  const staged = await listStaged(claim, storage);
  const images = staged
    .filter(({ attempt, name }) => attempt < claim.attempt && name.startsWith("image."))
    .toSorted((one, other) => other.attempt - one.attempt);
  for (const { key, attempt } of images) {
    const image = await storage.get(key);
    if (image === null) continue;
    const turn = await storage.get(`${folderOf(claim, attempt)}turn.json`);
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
export async function discardStaged(claim: Claim, dependencies: RenderDependencies): Promise<void> {
  const { storage, logger } = dependencies;
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
  const prefix = folderOfRender(claim);
  for await (const { key } of storage.list(prefix)) {
    const [attempt = "", name = ""] = key.slice(prefix.length).split("/");
    files.push({ key, attempt: Number(attempt), name });
  }
  return files;
}

function folderOf(claim: Claim, attempt: number): string {
  return `${folderOfRender(claim)}${attempt}/`;
}

function folderOfRender({ renderId }: Claim): string {
  return `staged/${renderId}/`;
}
