import type { Claim } from "@atelier/generations/claims";
import { findPreviousScene } from "@atelier/generations/jobs";
import { stagedKey } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";

const turnFile = "turn.json";

type TurnDependencies = Pick<RenderDependencies, "database" | "storage" | "logger">;

/** Storage key of the provider's state after an image (up to 12 MB), among the staged files of an attempt. */
export function turnKey(attempt: { readonly renderId: string; readonly attempt: number }): string {
  return stagedKey(attempt, turnFile);
}

/**
 * Reads the provider's state after the previous scene: from the staged files of the attempt that
 * finished it, or from its row if an earlier version finished it.
 *
 * @returns null for first scenes, for renders that are no scenes, and when the file is lost: the next
 *   image is then made from its references alone.
 * @throws StorageError while the storage is unavailable.
 */
export async function readPreviousTurn(
  claim: Claim,
  { database, storage }: Pick<TurnDependencies, "database" | "storage">,
): Promise<unknown> {
  const previous = await findPreviousScene(database.repeatable, claim);
  if (previous === null) return null;
  const file = await storage.get(turnKey(previous));
  return file === null ? previous.turn : JSON.parse(Buffer.from(file.bytes).toString());
}

/** Deletes the state after the previous scene, which is not needed after the claimed one is finished. */
export async function discardPreviousTurn(
  claim: Claim,
  { database, storage, logger }: TurnDependencies,
): Promise<void> {
  try {
    const previous = await findPreviousScene(database.repeatable, claim);
    if (previous === null) return;
    const failed = await storage.delete([turnKey(previous)]);
    if (failed.length > 0) logger.warn({ failed, renderId: previous.renderId }, notRemoved);
  } catch (error) {
    // The result of the scene is stored; the sweep deletes the file when the story has ended.
    logger.warn({ err: error, renderId: claim.renderId }, notRemoved);
  }
}

const notRemoved = "the state of the previous scene was not removed, left to the sweep";
