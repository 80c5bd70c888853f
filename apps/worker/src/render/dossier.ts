import type { Claim } from "@atelier/generations/claims";
import type { FinishResult } from "@atelier/generations/endings";
import { dossierKey, dossierKeys } from "@atelier/schemas";
import type { Storage } from "@atelier/storage";
import type { Logger } from "@atelier/telemetry";

/** Stores the dossier of an image under the key of this attempt. */
export function storeDossier(claim: Claim, dossier: Uint8Array, storage: Storage): Promise<void> {
  return storage.put(dossierKey(claim), dossier, { contentType: "application/octet-stream" });
}

/**
 * Deletes dossiers that no record refers to: those of earlier attempts, or that of this attempt if it
 * was stale. The sweep deletes those that are left when the process dies before.
 */
export async function discardDossiers(
  claim: Claim,
  result: FinishResult["kind"],
  storage: Storage,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const { renderId, attempt } = claim;
  const keys =
    result === "stale" ? [dossierKey(claim)] : dossierKeys({ renderId, attempt: attempt - 1 });
  if (keys.length === 0) return;
  try {
    const failed = await storage.delete(keys);
    if (failed.length > 0) logger.warn({ failed }, "dossiers could not be removed");
  } catch (error) {
    logger.warn({ err: error, renderId }, "dossiers could not be removed");
  }
}
