import type { Decision } from "@atelier/generations/accept";
import type { Claim } from "@atelier/generations/claims";
import { unusedRole, type ReferenceSpec } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import type { RenderCost } from "../meter.ts";
import { loadReferences } from "./load-references.ts";
import { moderateInputs } from "./moderate-inputs.ts";

/** Images that are in memory at the same time: a story may list more than a model accepts. */
const maxLoaded = 8;

type Dependencies = Parameters<typeof loadReferences>[1] &
  Pick<RenderDependencies, "imageModerator" | "metrics">;

/**
 * Loads and moderates the images of the request that no image is made with, as if they were references,
 * and drops them.
 *
 * @throws the errors of `loadReferences` and `moderateInputs`.
 */
export async function checkUnused(
  claim: Claim,
  decision: Decision,
  dependencies: Dependencies,
  signal: AbortSignal,
  onDecoded?: (cost: RenderCost) => void,
): Promise<void> {
  const { imageModerator } = dependencies;
  const unused = claim.spec.references
    .filter(({ role }) => role === unusedRole)
    .map((reference): ReferenceSpec => ({ ...reference, role: "style" }));
  for (let start = 0; start < unused.length; start += maxLoaded) {
    const references = unused.slice(start, start + maxLoaded);
    const part = { ...claim, spec: { ...claim.spec, references } };
    const loaded = await loadReferences(part, dependencies, signal, onDecoded);
    if (imageModerator === null) continue;
    await moderateInputs(part, decision, loaded, imageModerator, dependencies, signal);
  }
}
