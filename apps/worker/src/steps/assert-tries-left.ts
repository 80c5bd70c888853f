import type { Claim } from "@atelier/generations";
import { AppError } from "@atelier/schemas";

/**
 * Ends a render whose workers died, or failed in ways that could pass, as often as is allowed:
 * without this, one that kills its worker would do so for ever.
 *
 * @throws AppError `internal_error` for a claim beyond `maxTries`.
 */
export function assertTriesLeft({ tries }: Claim, maxTries: number): void {
  if (tries <= maxTries) return;
  throw new AppError(
    "internal_error",
    `The image could not be made in ${maxTries} tries. Nothing was charged; please try again.`,
    { details: { tries: maxTries } },
  );
}
