import type { Claim } from "@atelier/generations/claims";
import type { FinishResult } from "@atelier/generations/endings";
import type { RenderDependencies } from "../dependencies.ts";
import { cancelIfRequested } from "./cancel-if-requested.ts";
import { dispatchNext } from "./dispatch-next.ts";
import { discardDossiers } from "./dossier.ts";
import { discardReferences } from "./kept-references.ts";
import { discardPreviousTurn } from "./kept-turns.ts";
import { discardStaged, type GeneratedImage } from "./staging.ts";

/**
 * Starts the renders that waited for a finished one, and removes the files that nothing needs any more. All
 * of it may be lost: recovery dispatches, and the sweep removes.
 */
export async function followUp(
  claim: Claim,
  finished: FinishResult,
  { turn }: Pick<GeneratedImage, "turn">,
  dependencies: RenderDependencies,
): Promise<void> {
  const { logger, storage } = dependencies;
  if (finished.kind === "advanced") {
    if (finished.cancelRequested) await cancelIfRequested(claim.renderId, dependencies);
    else await dispatchNext(finished.ready, claim, dependencies);
  }
  await discardDossiers(claim, finished.kind, storage, logger);
  // The next claim may still need the staged bytes.
  if (finished.kind === "stale") return;
  const keepsTurn = claim.role === "scene" && finished.kind === "advanced";
  await discardStaged(claim, storage, logger, { keepsTurn });
  if (turn !== null) await discardPreviousTurn(claim, dependencies);
  if (finished.kind === "completed") await discardReferences(claim, dependencies);
}
