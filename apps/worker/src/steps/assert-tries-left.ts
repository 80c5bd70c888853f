import type { Claim } from "@atelier/generations";
import { AppError } from "@atelier/schemas";
import type { RenderDependencies } from "../dependencies.ts";

/**
 * Ends a render whose workers died, or failed in ways that could pass, as often as is allowed:
 * without this, one that kills its worker would do so for ever.
 */
export function assertTriesLeft(claim: Claim, { limits }: RenderDependencies): void {
  if (claim.tries <= limits.maxTries) return;
  throw new AppError(
    "internal_error",
    `The image could not be made in ${limits.maxTries} tries. Nothing was charged; please try again.`,
    { details: { tries: limits.maxTries } },
  );
}
